package model

// Program is the program that the system was made from.
func (a *Actors) Program() *Program { return a.program }

// Oracle is what the system asks.
func (a *Actors) Oracle() Oracle { return a.oracle }

// Decomposes reports whether states are told apart by less than all of their bytes.
func (a *Actors) Decomposes() bool { return a.Relevant != nil && a.Hashing == Selective }

// Local is the local state of the actor at a position of s, 0 if it does not exist there.
func (a *Actors) Local(s State, position int) LocalID { return a.LocalOf(s[position]) }

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
