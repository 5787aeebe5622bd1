package model

import (
	"sync/atomic"
)

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

// Stats says how much is interned and how often the oracle was asked.
type Stats struct {
	LocalStates uint64 `json:"localStates"`
	Messages    uint64 `json:"messages"`
	LocalSteps  uint64 `json:"localSteps"` // distinct (local state, event) pairs asked for
	Executions  uint64 `json:"executions"` // handler executions that answering them took
	Speculative uint64 `json:"-"`          // local steps that were asked for ahead of the search, which are perhaps no run's
}

// Stats may be called while a search runs.
func (a *Actors) Stats() Stats {
	var stats Stats
	if s := a.counts.published.Load(); s != nil {
		stats = *s
	}
	stats.Speculative = a.counts.speculative.Load()
	return stats
}

type counts struct {
	executions  uint64
	speculative atomic.Uint64
	published   atomic.Pointer[Stats]
}

func (c *counts) publish(a *Actors) {
	c.published.Store(&Stats{
		LocalStates: uint64(a.locals.Len()),
		Messages:    uint64(a.messages.Len()),
		LocalSteps:  uint64(a.numbers.Len()),
		Executions:  c.executions,
	})
}
