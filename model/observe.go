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
	each pairs.Map // (property, local state) -> observation
	all  pairs.Map // (0, local state) -> observation of all properties
	mu   sync.Mutex
	met  map[string]firstAndLast // by the property and what it can read
}

// firstAndLast are those of some local states that were met.
type firstAndLast struct{ first, last LocalID }

// Observes reports whether properties tell local states apart by less than all of them. With full hashing they do not, as then
// nothing rests on what the analysis of the program's bytecode says.
func (a *Actors) Observes() bool { return a.Visible != nil && a.Hashing != Full }

// Observed is the first local state met of which a property can read the same as of l; l where it can read all.
func (a *Actors) Observed(property int, l LocalID) LocalID {
	if !a.Observes() {
		return l
	}
	return a.readable(property, l)
}

// Observation is the first local state met that no property distinguishes from that of a node; 0 if it is that of no actor.
func (a *Actors) Observation(n NodeID) LocalID {
	l := a.LocalOf(n)
	if l == 0 || !a.Observes() {
		return l
	}
	found, _ := a.observations.all.GetOrPut(0, l, func() (uint32, error) {
		parts := make([]uint32, len(a.program.Properties))
		for p := range parts {
			parts[p] = a.readable(p, l)
		}
		return a.observations.add(key("all", slab.Key(parts...)), l), nil
	})
	return found
}

// IsVisible reports whether some invariant may distinguish two local states of an actor. Properties read relevant parts only.
func (a *Actors) IsVisible(before, after LocalID) bool {
	if a.Hashing == Full {
		one, err := a.relevant(a.locals.At(before).bytes)
		other, otherErr := a.relevant(a.locals.At(after).bytes)
		if err == nil && otherErr == nil && bytes.Equal(one, other) && before != 0 && after != 0 {
			return false
		}
	}
	for i, p := range a.program.Properties {
		if p.Kind == Invariant && a.readable(i, before) != a.readable(i, after) {
			return true
		}
	}
	return false
}

// readable is Observed whatever the hashing.
func (a *Actors) readable(property int, l LocalID) LocalID {
	if l == 0 || a.Visible == nil {
		return l
	}
	found, _ := a.observations.each.GetOrPut(uint32(property), l, func() (uint32, error) {
		return a.observations.add(a.observationKey(property, l), l), nil
	})
	return found
}

// observationKey is equal for local states of which a property can read the same.
func (a *Actors) observationKey(property int, l LocalID) string {
	whole := a.locals.At(l).bytes
	b, err := a.Visible(property, whole)
	if err != nil {
		b = whole // more than it can read
	}
	return key(slab.Key(uint32(property)), string(b))
}

// add returns the first local state with a key.
func (o *observations) add(key string, l LocalID) LocalID {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.met == nil {
		o.met = map[string]firstAndLast{}
	}
	of, ok := o.met[key]
	if !ok {
		of.first = l
	}
	of.last = l
	o.met[key] = of
	return of.first
}

// Other is another local state of the same actor that was met and of which a property can read the same as of l; l if there is none.
func (a *Actors) Other(property int, l LocalID) LocalID {
	k := a.observationKey(property, l)
	a.observations.mu.Lock()
	defer a.observations.mu.Unlock()
	of := a.observations.met[k]
	for _, other := range []LocalID{of.last, of.first} {
		if other != 0 && other != l && a.locals.At(other).presence == a.locals.At(l).presence {
			return other
		}
	}
	return l
}
