package model

import (
	"bytes"
	"sync"

	"harrier/internal/pairs"
	"harrier/internal/slab"
)

// observations are classes of local states of which a property can read the same, each named by the first that was met.
// An answer that is known for one of a class holds for all. Whose states they are is no part of it: LiveActors identifies which actors
// exist, and of which classes.
type observations struct {
	of     *values
	each   pairs.Map          // (property, local state) -> observation
	all    pairs.Map          // (0, local state) -> observation of all properties
	noting sync.Mutex         // guards what follows
	met    map[string]LocalID // the first, by the property and what it can read
	last   map[class]LocalID
}

// class is one of local states of which a property can read the same as of the first of them.
type class struct {
	property int
	first    LocalID
}

// Observes reports whether properties tell local states apart by less than all of them. With full hashing they do not, as then
// nothing rests on what the analysis of the program's bytecode says.
func (o *observations) Observes() bool { return o.of.Visible != nil && o.of.Hashing != Full }

// Observed is the first local state met of which a property can read the same as of l; l where it can read all.
func (o *observations) Observed(property int, l LocalID) LocalID {
	if !o.Observes() {
		return l
	}
	return o.readable(property, l)
}

// Observation is the first local state met that no property distinguishes from that of a node; 0 if it is that of no actor.
func (a *Actors) Observation(n NodeID) LocalID { return a.observation(a.LocalOf(n)) }

func (o *observations) observation(l LocalID) LocalID {
	if l == 0 || !o.Observes() {
		return l
	}
	found, _ := o.all.GetOrPut(0, l, func() (uint32, error) {
		parts := make([]uint32, len(o.of.program.Properties))
		for p := range parts {
			parts[p] = o.readable(p, l)
		}
		return o.add(allProperties, slab.Join("all", slab.Key(parts...)), l), nil
	})
	return found
}

// isVisible reports whether some invariant may distinguish two local states of an actor. Properties read relevant parts only.
func (o *observations) isVisible(before, after LocalID) bool {
	if o.of.Hashing == Full {
		one, err := o.of.relevant(o.of.locals.At(before).bytes)
		other, otherErr := o.of.relevant(o.of.locals.At(after).bytes)
		if err == nil && otherErr == nil && bytes.Equal(one, other) && before != 0 && after != 0 {
			return false
		}
	}
	for i, p := range o.of.program.Properties {
		if p.Kind == Invariant && o.readable(i, before) != o.readable(i, after) {
			return true
		}
	}
	return false
}

// readable is Observed whatever the hashing.
func (o *observations) readable(property int, l LocalID) LocalID {
	if l == 0 || o.of.Visible == nil {
		return l
	}
	found, _ := o.each.GetOrPut(uint32(property), l, func() (uint32, error) {
		return o.add(property, o.observationKey(property, l), l), nil
	})
	return found
}

// observationKey is equal for local states of which a property can read the same.
func (o *observations) observationKey(property int, l LocalID) string {
	whole := o.of.locals.At(l).bytes
	b, err := o.of.Visible(property, whole)
	if err != nil {
		b = whole // more than it can read
	}
	return slab.Join(slab.Key(uint32(property)), string(b))
}

// allProperties stands for all of them.
const allProperties = -1

// add returns the first local state with a key.
func (o *observations) add(property int, key string, l LocalID) LocalID {
	o.noting.Lock()
	defer o.noting.Unlock()
	if o.met == nil {
		o.met, o.last = map[string]LocalID{}, map[class]LocalID{}
	}
	first, ok := o.met[key]
	if !ok {
		first, o.met[key] = l, l
	}
	o.last[class{property, first}] = l
	return first
}

// Other is another local state of the same actor that was met and of which a property can read the same as of l; l if there is none.
func (o *observations) Other(property int, l LocalID) LocalID {
	first := o.readable(property, l)
	o.noting.Lock()
	defer o.noting.Unlock()
	for _, other := range []LocalID{o.last[class{property, first}], first} {
		if other != 0 && other != l && o.of.locals.At(other).presence == o.of.locals.At(l).presence {
			return other
		}
	}
	return l
}

// Part identifies what a property can read of s at a position: what it observes of an actor, or, at position 0, the history.
func (a *Actors) Part(property int, s State, position int) uint32 {
	if position == 0 {
		return a.historyOf(s)
	}
	return a.Observed(property, a.Local(s, position))
}

// LiveActors identifies the actors that exist in s, by name and class. It is 0 for the actors of the
// initial state as long as no step creates or stops any.
func (a *Actors) LiveActors(s State) uint32 {
	if !a.varies.Load() {
		return 0
	}
	live := uint32(nobody)
	for position := 1; position < len(s); position++ {
		l := a.Local(s, position)
		if l == 0 {
			continue
		}
		live, _ = a.liveSets.GetOrPut(live, a.locals.At(l).presence, func() (uint32, error) {
			return uint32(a.liveSets.Len() + nobody + 1), nil
		})
	}
	return live
}

// nobody stands for no actors. (0 stands for those of the initial state.)
const nobody = 1
