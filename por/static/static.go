// Package static is partial-order reduction from what an analysis of handlers' code says of them (model.Footprint), in the
// manner of Bokor, Kinder, Serafini and Suri: "Efficient model checking of fault-tolerant distributed protocols" (DSN 2011)
// and "Supporting domain-specific state space reductions through local partial-order reduction" (ASE 2011).
//
// What may happen is divided into classes: the receptions by one handler of one actor of messages of one type from one sender,
// and so on. Relations between classes are found once (relate.go). In a state some of them have transitions that are
// enabled. A stubborn set (Valmari: "Stubborn sets for reduced state space generation", 1990; Godefroid: "Partial-Order
// Methods for the Verification of Concurrent Systems", 1996) is a set of classes such that
//
//   - all classes that depend on one with enabled transitions are in it, and
//   - for each transition of a class in it that is not enabled, all those classes are in it of which one has to do something
//     before it is: senders of the message that it lacks, or those that write what its guard reads.
//
// So whatever others do, they neither depend on the enabled transitions of these classes nor enable any more of them. The search
// follows those alone, under the provisos in choose.go.
package static

import (
	"fmt"

	"harrier/model"
	"harrier/serializer"
)

// Options say how to read a program. The zero value is for Java's.
type Options struct {
	// OnlyTimers says that what an actor is to do by itself are timers that its handlers take, and no tasks.
	OnlyTimers bool
}

// Static is what is known of a program. It does not change.
type Static struct {
	actors     *model.Actors
	onlyTimers bool
	wiring     *wiring
	fields     []string
	prints     map[string]*print // by label

	keys       []key
	keyNumbers map[key]int
	queued     []bool // by actor: the channel to it keeps the order
	shrinking  []bool // by actor: messages to it are a set from which something may be taken out
	classes    []class
	found      map[string]int // by what identifies them
	hasBirths  bool           // some class may create actors

	depends   []set   // by class
	enablers  []set   // by class: of whom one has to do something before it may take a message that is not there
	openers   []set   // by class: likewise, that is there
	needs     demands // by class: what a set with it has
	renewable []bool  // by key
}

// A key is who is sent messages of a type by whom.
type key struct {
	receiver int
	of       string // "" for any type that has no key of its own
	sender   int
}

// New finds the relations of a program. It needs footprints of what may happen; where they are missing, anything may.
func New(actors *model.Actors, o Options) (*Static, error) {
	p := actors.Program()
	w := newWiring(p)
	s := &Static{
		actors: actors, onlyTimers: o.OnlyTimers, wiring: w,
		prints: map[string]*print{}, keyNumbers: map[key]int{}, found: map[string]int{},
	}
	s.channels()
	if err := s.discover(); err != nil {
		return nil, err
	}
	s.relate()
	s.renew()
	return s, nil
}

// channels finds what messages wait in.
func (s *Static) channels() {
	p := s.wiring.program
	asksEnds, loses := false, p.Passing != model.M
	for _, q := range p.Properties {
		asksEnds = asksEnds || q.Kind == model.Final
	}
	for _, f := range p.Faults {
		loses = loses || f.Kind == model.Lose || f.Kind == model.Split
	}
	for _, name := range s.wiring.names {
		s.queued = append(s.queued, p.FIFO.Has(name))
		s.shrinking = append(s.shrinking, p.Repeats(name) && (asksEnds || loses))
	}
	// Of actors that are created the names are not known.
	s.queued[children] = p.FIFO.All || len(p.FIFO.Names) > 0
	s.shrinking[children] = false
	for _, f := range p.Faults {
		if f.Kind == model.Duplicate && f.Budget == model.Unbounded && (asksEnds || loses) {
			s.shrinking[children] = true
		}
	}
}

// repeats reports whether messages to an actor may be received again and again.
func (s *Static) repeats(actor int) bool {
	for _, f := range s.wiring.program.Faults {
		if f.Kind == model.Duplicate && f.Budget == model.Unbounded && s.mayBefall(f, actor) {
			return true
		}
	}
	return false
}

// mayBefall reports whether a fault has an actor in its scope.
func (s *Static) mayBefall(f model.Fault, actor int) bool {
	return actor == children && (f.Scope.All || len(f.Scope.Names) > 0) || f.Scope.Has(s.wiring.names[actor])
}

// print is the footprint of a label.
func (s *Static) print(label string) *print {
	p, ok := s.prints[label]
	if !ok {
		made := s.printOf(label)
		p = &made
		s.prints[label] = p
	}
	return p
}

func (s *Static) describe(k int) string {
	of := s.keys[k]
	what, from := "any message", s.wiring.names[of.sender]
	if of.of != "" {
		what = serializer.Labels(s.wiring.program.Labels).Of(of.of)
	}
	if of.sender == scenario {
		from = "the scenario"
	}
	return fmt.Sprintf("%s from %s to %s", what, from, s.wiring.names[of.receiver])
}
