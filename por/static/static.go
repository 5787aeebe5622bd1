// Package static is partial-order reduction from what an analysis of handlers' code says of them (model.Footprint), in the
// manner of Bokor, Kinder, Serafini and Suri: "Efficient model checking of fault-tolerant distributed protocols" (DSN 2011)
// and "Supporting domain-specific state space reductions through local partial-order reduction" (ASE 2011).
//
// Transitions are divided into classes, such as the receptions by one handler of one actor of messages of one type from one
// sender. Relations between classes are found once (relate.go). In a state some of them have transitions that are
// enabled. A stubborn set (Valmari: "Stubborn sets for reduced state space generation", 1990; Godefroid: "Partial-Order
// Methods for the Verification of Concurrent Systems", 1996) is a set of classes such that
//
//   - all classes that depend on one with enabled transitions are in it, and
//   - for each disabled transition of a class in it, a necessary enabling set is in it: classes, at least one of which must act
//     before it is enabled, the senders of the message that it lacks or the writers of fields that its guard reads.
//
// So whatever others do, they neither depend on the enabled transitions of these classes nor enable any more of them. The search
// follows those alone, under the provisos in choose.go.
package static

import (
	"cmp"
	"fmt"
	"slices"

	"harrier/internal/ds/bitset"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/serializer"
)

// Options say how to read a program. The zero value is for Java's.
type Options struct {
	// OnlyTimers says that internal events are timers that handlers take, never tasks. Tests say so of programs without tasks:
	// with a class for tasks, which depends on all of its actor, no test would see an error in those of timers.
	OnlyTimers bool
}

// Static has the classes and relations of a program. It is immutable.
type Static struct {
	actors     *space.Actors
	onlyTimers bool
	wiring     *wiring
	fields     []string
	summaries  map[string]*summary // by label

	keys       []key
	keyNumbers map[key]int
	queued     []bool // by actor: the channel to it keeps the order
	shrinking  []bool // by actor: sending it a message may not commute with taking one out
	classes    []class
	found      map[string]int // by their keys
	mayCreate  bool           // some class may create actors

	depends       []bitset.Set // by class
	enablers      []bitset.Set // by class: classes of which one must act before a message that it lacks is there
	guardEnablers []bitset.Set // by class: classes of which one must act before it accepts a message that is there
	needs         demands      // by class
	renewable     []bool       // by key
}

// A key is a class of messages: those of one type from one sender to one receiver.
type key struct {
	receiver int
	of       string // "" for any type that has no key of its own
	sender   int
}

// New computes the relations of a program. A handler without a footprint may do anything. Crashes within handlers are refused, and
// those after which actors are down.
func New(actors *space.Actors, o Options) (*Static, error) {
	p := actors.Program()
	if err := cmp.Or(
		p.RefuseRounds("--por static", "--por off"), p.RefuseMailboxes("--por static", "--por off"), p.RefuseBounds("--por static", "--por off"),
		p.RefuseConnections("--por static", "--por off"), p.RefuseWatching("--por static", "--por off"),
	); err != nil {
		return nil, err
	}
	if p.Threads {
		return nil, &model.UsageError{Text: "the program has threads, of whose steps it is not known which depend on each other: check without --por static"}
	}
	for _, f := range p.Faults {
		if _, within := f.KindWithin(); within {
			return nil, &model.UsageError{Text: fmt.Sprintf("%q: what depends on a crash within a handler is not known: check without --por static", f.Label)}
		}
		if f.Kind == model.Crash {
			return nil, &model.UsageError{Text: fmt.Sprintf("%q: what an actor can do that was down is not known: check without --por static", f.Label)}
		}
	}
	w := newWiring(p)
	s := &Static{
		actors: actors, onlyTimers: o.OnlyTimers, wiring: w,
		summaries: map[string]*summary{}, keyNumbers: map[key]int{}, found: map[string]int{},
	}
	s.channels()
	if err := s.discover(); err != nil {
		return nil, err
	}
	s.relate()
	s.renew()
	return s, nil
}

// channels finds the kinds of channels. Of actors that are created the names are not known.
func (s *Static) channels() {
	p := s.wiring.program
	shrinks := p.Delivery != model.M || p.EmptiesSets() ||
		slices.ContainsFunc(p.Faults, func(f model.Fault) bool { return f.Kind == model.Lose || f.Kind == model.Split })
	isShrinking := func(c model.Channel) bool { return c.Displaces || c.ArrivalsInterfere() && shrinks }
	for _, name := range s.wiring.names {
		s.queued = append(s.queued, p.Channel(name).KeepsOrder())
		s.shrinking = append(s.shrinking, isShrinking(p.Channel(name)))
	}
	s.queued[children] = p.HasChannel(model.Channel.KeepsOrder)
	s.shrinking[children] = p.HasChannel(isShrinking)
}

// repeats reports whether messages to an actor may be received again and again.
func (s *Static) repeats(actor int) bool {
	return slices.ContainsFunc(s.wiring.program.Faults, func(f model.Fault) bool { return f.Repeats() && s.inScope(f, actor) })
}

// inScope reports whether a fault may affect an actor.
func (s *Static) inScope(f model.Fault, actor int) bool {
	return actor == children && !f.Scope.IsEmpty() || f.Scope.Has(s.wiring.names[actor])
}

// summary is the summary of a label.
func (s *Static) summary(label string) *summary {
	p, ok := s.summaries[label]
	if !ok {
		made := s.summarize(label)
		p = &made
		s.summaries[label] = p
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
