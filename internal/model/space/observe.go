package space

import (
	"bytes"
	"maps"
	"sync"

	"harrier/internal/ds/pairs"
	"harrier/internal/ds/slab"
	"harrier/internal/model"
)

// Observations are classes of local states of which a property reads the same, each named by the first that was met. An answer that
// is known for one of a class holds for all. Whose states they are is no part of it: LiveActors identifies which actors
// exist, and of which classes. Several goroutines may use them at once.
type Observations struct {
	of     *Values
	part   func(model.LocalID) []byte      // what is read of a local state, but whether the actor is down; nil where that is all of it
	key    func(model.LocalID) string      // equal for local states of a class; nil where each is a class of its own
	each   pairs.Map                       // (0, local state) -> the first of its class
	noting sync.Mutex                      // guards the fields below
	first  map[string]model.LocalID        // by key
	last   map[model.LocalID]model.LocalID // by the first
}

// Of is the first local state met of the class of l.
func (o *Observations) Of(l model.LocalID) model.LocalID {
	if l == 0 || o.key == nil {
		return l
	}
	found, _ := o.each.GetOrPut(0, l, func() (uint32, error) { return o.add(o.key(l), l), nil })
	return found
}

// Part is what is read of the local states of the class of l but whether the actor is down, as bytes in which actors can be renamed.
func (o *Observations) Part(l model.LocalID) ([]byte, error) {
	if o.part == nil {
		return o.of.Decomposition.Hashed(o.of.locals.At(l).bytes)
	}
	return o.part(l), nil
}

func (o *Observations) add(key string, l model.LocalID) model.LocalID {
	o.noting.Lock()
	defer o.noting.Unlock()
	if o.first == nil {
		o.first, o.last = map[string]model.LocalID{}, map[model.LocalID]model.LocalID{}
	}
	first, ok := o.first[key]
	if !ok {
		first, o.first[key] = l, l
	}
	o.last[first] = l
	return first
}

// Other returns another local state known of the same actor and class as l, or else l.
func (o *Observations) Other(l model.LocalID) model.LocalID {
	first := o.Of(l)
	o.noting.Lock()
	defer o.noting.Unlock()
	for _, other := range []model.LocalID{o.last[first], first} {
		if other != 0 && other != l && o.of.locals.At(other).presence == o.of.locals.At(l).presence {
			return other
		}
	}
	return l
}

// observations identify the parts of local states that properties can read.
type observations struct {
	of  *Values
	by  []*Observations // by property
	all *Observations   // by all invariants and final conditions: states are not tested for other properties
}

func newObservations(of *Values) *observations {
	o := &observations{of: of, all: &Observations{of: of}}
	for p := range of.program.Properties {
		visible := &Observations{of: of}
		if of.Decomposition.Visible != nil {
			visible.see(of.Decomposition.Visible(p, nil))
		}
		o.by = append(o.by, visible)
	}
	if of.Decomposition.Observes() {
		o.all.key = func(l model.LocalID) string {
			var parts []uint32
			for i, visible := range o.by {
				if of.program.Properties[i].Kind.IsOfStates() {
					parts = append(parts, visible.Of(l))
				}
			}
			return slab.Key(parts...)
		}
	}
	return o
}

// see has a part of local states be what is read of them. Whether an actor is down every property may ask.
func (o *Observations) see(part func(b []byte) ([]byte, error)) {
	o.part = func(l model.LocalID) []byte {
		whole := o.of.locals.At(l).bytes
		b, err := part(whole)
		if err != nil {
			b = whole // more than the part
		}
		return b
	}
	o.key = func(l model.LocalID) string {
		key := string(o.part(l))
		if o.of.locals.At(l).down {
			key += "down"
		}
		return key
	}
}

// NewObservations gives what a property reads of local states, as long as it reads no fields but those with some numbers.
func NewObservations(a *Actors, property int, read map[int]bool) *Observations {
	o := &Observations{of: a.Values}
	if a.Values.Decomposition.Observes() {
		o.see(a.Values.Decomposition.Visible(property, maps.Clone(read)))
	}
	return o
}

// isVisible reports whether some invariant may distinguish two local states of an actor.
func (o *observations) isVisible(before, after model.LocalID) bool {
	for i, p := range o.of.program.Properties {
		if p.Kind.IsOfEachState() && o.distinguishes(i, before, after) {
			return true
		}
	}
	return false
}

// distinguishes reports whether a property may distinguish two local states of an actor. Properties read relevant parts only.
func (o *observations) distinguishes(property int, before, after model.LocalID) bool {
	if o.of.Decomposition.Hashing >= Last {
		one, err := o.of.Decomposition.relevant(o.of.locals.At(before).bytes)
		other, otherErr := o.of.Decomposition.relevant(o.of.locals.At(after).bytes)
		sameDown := o.of.locals.At(before).down == o.of.locals.At(after).down
		if err == nil && otherErr == nil && bytes.Equal(one, other) && sameDown && before != 0 && after != 0 {
			return false
		}
	}
	return o.by[property].Of(before) != o.by[property].Of(after)
}
