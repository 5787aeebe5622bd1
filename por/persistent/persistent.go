// Package persistent is partial-order reduction over macro steps: it finds persistent labels, which may be taken alone without
// losing a verdict, in the manner of persistent sets (Godefroid: "Partial-Order Methods for the Verification of Concurrent
// Systems", 1996). It sees components, labels and arrivals of messages, and nothing else.
//
//	Labels.Reduction   asked by the search: a label that is persistent in a state
//	check              the conditions, on what a component can do before the label is taken
//	graph              what the search has seen of each component, and what that may still send
//	Labels.Revise      the graph has grown, so states from which not all was followed are asked about again
//
// Component state x is below y if y can become x by internal steps: x is in In(y), the set of these. A label l of component c is
// persistent in a state s if in all component states u that c can come to from s without l, by its other labels and by what
// others may send meanwhile,
//
//  1. l is possible;
//  2. no member of In(u) is without events;
//  3. for each step from u to v by another label b, and for each arrival, each target of l from v is below one that is reached
//     by taking l first and b after it;
//  4. what properties can tell apart of In(u) is found among the targets of l from u;
//  5. the step that takes l in s lies on no cycle of c's labels, and nothing arrives at c without bound.
//
// What others may send is read off the graphs, which begin empty. So the search follows labels that are perhaps not persistent;
// when it has explored all that it follows, it is asked to follow more where the graphs show that, until they grow no more.
// docs/soundness.md proves that no verdict is lost.
package persistent

import (
	"context"
	"sync"

	"harrier/internal/ds/pairs"
	"harrier/internal/ds/slab"
	"harrier/internal/model"
)

// Labels find persistent labels for one search. Several workers may use them at once, but for Revise and Relied.
type Labels struct {
	of Components

	// What is known is looked up without a lock.
	persistent pairs.Map // (component state, situation) -> a label that is persistent, or 0
	sent       pairs.Map // (component state, component) -> set of what it may still send there
	records    pairs.Map // (component state, 0) -> it may still add to the history
	states     slab.Pointers[state]

	// What Revise works out stays as it is during a search, as do the cycles of the graph.
	visible Visible
	unknown bool // what may be sent is not known: an actor is created, something cannot be permuted, or the graphs are too large

	mu     sync.Mutex // guards what follows, but for look-ups in its maps, and is not held while Java is asked
	graph  graph
	sets   sets
	relied []Relied
}

// New returns the Labels of a search that begins.
func New(of Components) *Labels {
	return &Labels{of: of, sets: sets{all: slab.NewTable[set](), components: map[uint32]map[uint32]uint32{}}}
}

// Reduction is a model.Reduction that follows a persistent label alone, if there is one. It has to be asked about every state.
func (l *Labels) Reduction(ctx context.Context, s model.State, into []model.Transition) ([]model.Transition, bool, error) {
	adding := uint32(0)
	for _, x := range s[1:] {
		if x != 0 {
			if err := l.meet(ctx, s, x); err != nil {
				return into, false, err
			}
			adding += l.adds(x)
		}
	}
	for c := 0; c <= len(s)-2; c++ {
		x := s[c+1]
		if x == 0 {
			continue
		}
		alone, err := l.find(ctx, x, situation{})
		if err != nil {
			return into, false, err
		}
		if alone == 0 {
			continue
		}
		if at := l.situation(s, uint32(c), adding > l.adds(x)); at != (situation{}) {
			if alone, err = l.find(ctx, x, at); err != nil {
				return into, false, err
			}
		}
		if alone != 0 {
			return l.follow(ctx, s, uint32(c), alone, into), true, nil
		}
	}
	for _, x := range s[1:] {
		if x != 0 {
			for _, t := range l.states.Get(x).labels {
				l.note(ctx, s, t.label)
			}
		}
	}
	return into, false, nil
}

// Components are the components of a program as their states and labels show them. Position 1+c of a macro state is the state
// of component c, a number that is no other component's; 0 stands for none. Several goroutines may use them at once.
type Components interface {
	// Steps returns the macro steps of a component state, in the order of their numbers in transitions.
	Steps(ctx context.Context, component, state uint32) ([]Step, error)
	// Label describes a label.
	Label(label uint32) Label
	// Arrive returns what a component state becomes when a message arrives.
	Arrive(ctx context.Context, state, message uint32) (uint32, error)
	// Covers reports whether a component state is below another.
	Covers(ctx context.Context, component, state, below uint32) (bool, error)
	// MayEnd reports whether In of a component state, whose steps are known, may have a member without events.
	MayEnd(state uint32) bool
	// Shows reports whether what properties can tell apart of a component state is found in others: which of its actors exist
	// and, if invariants read it, their local states.
	Shows(ctx context.Context, component, state uint32, others []uint32, read bool) (bool, error)
	// Visible returns what invariants have read so far.
	Visible() Visible

	// Permutations is how many permutations generate the symmetry group of the search.
	Permutations() int
	// Permute returns the image of a component state by one of these, with its component.
	Permute(by int, component, state uint32) (imageComponent, image uint32, err error)
	// PermuteMessage returns that of a message to a component.
	PermuteMessage(by int, component, message uint32) (imageComponent, image uint32, err error)
}

// A Step is a macro step of a component state.
type Step struct{ Label, Target uint32 }

// A Label is what a macro step shows outside of its component.
type Label struct {
	Sends   []Arrival
	Records bool // it adds to the history
	Creates bool // it creates an actor of another component
	Alone   bool // it may be taken alone, as it sends and adds to the history at most
}

// An Arrival is a message to a component.
type Arrival struct {
	Component, Message uint32
	InOrder            bool // the channel keeps the order in which messages of one sender were sent
}

// Visible is what invariants have read so far.
type Visible struct {
	Components []bool // by component; those that are left out were not read
	// HistoryWithMore reports whether an invariant has read the history and something else.
	HistoryWithMore bool
}

func (v Visible) has(component uint32) bool {
	return int(component) < len(v.Components) && v.Components[component]
}

// Relied is a component state that may come before a persistent label is taken, with the messages that may arrive there.
type Relied struct {
	Component, State uint32
	Arrivals         []uint32
}

// Relied returns those on which the labels rely that were found since properties were last seen to read more, also if they are
// not followed any more. It is not to be called during a search.
func (l *Labels) Relied() []Relied { return l.relied }

// A state is what is known of a component state: its labels with their targets.
type state struct {
	component, id uint32
	labels        []targets
	mayEnd        bool
}

type targets struct {
	label
	steps   []uint32 // numbers of the steps
	targets []uint32
}

type label struct {
	id    uint32
	sends uint32 // set of what it sends
	Label
}

// follow appends the transitions of a component that have a label.
func (l *Labels) follow(ctx context.Context, s model.State, component, id uint32, into []model.Transition) []model.Transition {
	for _, t := range l.states.Get(s[component+1]).labels {
		if t.id == id {
			l.note(ctx, s, t.label)
			for _, step := range t.steps {
				into = append(into, model.Transition{Slot: component, Step: step})
			}
		}
	}
	return into
}

// state is a component state, whose steps are asked for if they are not known.
func (l *Labels) state(ctx context.Context, component, id uint32) (*state, error) {
	if s := l.states.Get(id); s != nil {
		return s, nil
	}
	steps, err := l.of.Steps(ctx, component, id)
	if err != nil {
		return nil, err
	}
	s := &state{component: component, id: id, mayEnd: l.of.MayEnd(id)}
	l.mu.Lock()
	defer l.mu.Unlock()
	for number, st := range steps {
		t := s.with(st.Label)
		if t == nil {
			shown := l.of.Label(st.Label)
			s.labels = append(s.labels, targets{label: label{st.Label, l.sets.ofSends(shown.Sends), shown}})
			t = &s.labels[len(s.labels)-1]
		}
		t.steps, t.targets = append(t.steps, uint32(number)), append(t.targets, st.Target)
	}
	return l.states.GetOrPut(id, s), nil
}

// with are the targets of a label, nil if the state does not have it.
func (s *state) with(label uint32) *targets {
	for i := range s.labels {
		if s.labels[i].id == label {
			return &s.labels[i]
		}
	}
	return nil
}

// A situation is what the rest of a state may do before a component takes a label.
type situation struct {
	arrivals uint32 // set of what may arrive
	adds     bool   // others may add to the history
}

// situation is that of a component in a state.
func (l *Labels) situation(s model.State, component uint32, adds bool) situation {
	at := situation{adds: adds}
	for c, x := range s[1:] {
		if x != 0 && uint32(c) != component {
			if set, ok := l.sent.Get(x, component); ok {
				at.arrivals = l.plus(at.arrivals, set)
			}
		}
	}
	return at
}

// adds is 1 if a component state may still lead to steps that add to the history.
func (l *Labels) adds(x uint32) uint32 {
	if _, ok := l.records.Get(x, 0); ok {
		return 1
	}
	return 0
}

// find is a label of a component state that is persistent in a situation, 0 if there is none. What was found holds until
// properties are seen to read more or the label is seen to lie on a cycle: what else the graphs show as they grow is another
// situation.
func (l *Labels) find(ctx context.Context, x uint32, at situation) (uint32, error) {
	if l.unknown {
		return 0, nil
	}
	when := at.arrivals << 1
	if at.adds {
		when |= 1
	}
	s := l.states.Get(x)
	if id, ok := l.persistent.Get(x, when); ok && (id == 0 || !l.graph.isRecurrent(x, s.with(id).targets)) {
		return id, nil
	}
	for i := range s.labels {
		ok, err := l.check(ctx, s, &s.labels[i], at)
		if err != nil {
			return 0, err
		}
		if ok {
			l.persistent.Put(x, when, s.labels[i].id)
			return s.labels[i].id, nil
		}
	}
	l.persistent.Put(x, when, 0)
	return 0, nil
}

// plus adds up two sets of what may arrive.
func (l *Labels) plus(x, y uint32) uint32 {
	if x == 0 || y == 0 {
		return x | y
	}
	if sum, ok := l.sets.sums.Get(min(x, y), max(x, y)); ok {
		return sum
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sets.plus(x, y)
}
