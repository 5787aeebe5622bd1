// Package property decides whether the properties of a program hold in a global state.
//
// A property is evaluated by the oracle on concrete local states, which is slow, so answers are
// remembered. The next read of an evaluation depends on the values read before (`if (a.x) read b`), so the
// memory of a property is a trie that follows its reads: which actors exist, then the observation
// of the actor read first, of the actor read next, and so on to the answer. An observation is what the
// property can read of a local state; the same answer holds for all local states that have it.
package property

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"harrier/internal/ds/pairs"
	"harrier/internal/model"
	"harrier/internal/model/space"
)

// NoFailure is the property that every program has without saying so.
const NoFailure = "handlers do not fail"

// Violation is a property that does not hold, with the failure of its evaluation, or of the handler, if one failed.
type Violation struct {
	Kind     Kind
	Property int // index in Program.Properties, or in Program.Liveness; 0 of a handler that fails
	Loop     int // of Liveness: how many transitions at the end of the run are repeated for ever; 0 if nothing happens any more
	Failure  *model.Failure
	State    model.State // of several states that were tested at once, one in which it does not hold; nil for the only one
}

// Checker evaluates the properties of a program in the states of a search. Several goroutines may use it
// at once.
type Checker struct {
	actors   *space.Actors
	oracle   model.Oracle
	memories []atomic.Pointer[memory] // one for each property
	visible  []positions              // likewise
	choices  *choices

	invariants []int
	finals     []int
	bounds     []int

	label func(name string) string // of Permute; nil if no actors are permuted

	symmetry       Symmetry // of Combine; nil if all combinations are gone through
	canonicalizers sync.Pool
	labelled       pairs.Map // (0, position) -> number of the label
	labels         map[string]uint32
	origins        atomic.Uint32 // how often choices began to follow from them in another way

	noting    sync.Mutex
	evaluated []Evaluated

	keepGoing bool          // see KeepGoing
	violated  []atomic.Bool // by property, in states of the search

	reached     []atomic.Uint32 // by property
	asked       []atomic.Uint64 // evaluations that the oracle was asked for, by property
	seesNetwork []atomic.Bool   // by property: it read messages in flight

	kept     atomic.Uint64 // of which an earlier check kept the answers
	combined atomic.Int64  // answers to combinations beyond the first of each question
}

// Evaluations is how many evaluations the oracle was asked for, but for those whose answers an earlier check kept, and to how many
// combinations the answer was remembered, when so many states and terminal states were tested. What several states stand for
// together is counted once if it is known as a whole.
func (c *Checker) Evaluations(states, terminal uint64) (asked, remembered uint64) {
	asked = c.Asked()
	all := states*uint64(len(c.invariants)) + terminal*uint64(len(c.finals)) + uint64(c.combined.Load())
	remembered = max(all, asked) // a violation ends the test of its state
	asked -= c.kept.Load()
	return asked, remembered - asked
}

// Asked is how many evaluations of all properties the oracle was asked for.
func (c *Checker) Asked() (all uint64) {
	for i := range c.asked {
		all += c.asked[i].Load()
	}
	return all
}

// How far a search came in putting a property to the test.
const (
	notEvaluated = iota
	noOperation  // it depends on the history, and was evaluated where that is empty only
	reached
)

// NotReached is the reason why a property was never put to the test; "" if it was.
func (c *Checker) NotReached(property int) string {
	switch c.reached[property].Load() {
	case reached:
		return ""
	case noOperation:
		return "no operation begins"
	}
	if slices.Contains(c.finals, property) {
		return "no run comes to a terminal state"
	}
	return "no state was tested for it"
}

// noteReach notes what an evaluation had to look at.
func (c *Checker) noteReach(e model.Evaluation, j model.Judgement) {
	if len(e.History) == 0 && slices.Equal(j.Reads, []int{model.ReadHistory}) {
		c.reached[e.Property].CompareAndSwap(notEvaluated, noOperation)
	} else {
		c.reached[e.Property].Store(reached)
	}
}

// Permute declares that the search permutes actors whose names have the same label. An answer must then not depend on
// which of them the property happened to read, so it is remembered for the states of all that may be permuted with
// those that were read, and an audit that repeats the evaluations with actors permuted covers all states. It must be called
// before the checker is used.
func (c *Checker) Permute(label func(name string) string) { c.label = label }

// NewChecker makes a checker for all properties of the oracle's program. Under MP final conditions are not asked for:
// there a state may be terminal only because too much was delivered at once.
func NewChecker(oracle model.Oracle, actors *space.Actors) *Checker {
	properties := oracle.Program().Properties
	c := &Checker{
		actors: actors, oracle: oracle, choices: newChoices(actors.Nodes.Observation),
		memories:    make([]atomic.Pointer[memory], len(properties)),
		visible:     make([]positions, len(properties)),
		reached:     make([]atomic.Uint32, len(properties)),
		violated:    make([]atomic.Bool, len(properties)),
		asked:       make([]atomic.Uint64, len(properties)),
		seesNetwork: make([]atomic.Bool, len(properties)),
	}
	for i, p := range properties {
		c.memories[i].Store(newMemory(actors, i, map[int]bool{}))
		switch {
		case p.Kind.IsOfEachState():
			c.invariants = append(c.invariants, i)
		case p.Kind.IsOfTerminalStates() && oracle.Program().Delivery != model.MP:
			c.finals = append(c.finals, i)
		case p.Kind.IsBound():
			c.bounds = append(c.bounds, i)
		}
	}
	return c
}

// KeepGoing declares that all invariants and final conditions are tested where one does not hold, so that Violated has them all. It
// must be called before the checker is used.
func (c *Checker) KeepGoing() { c.keepGoing = true }

// KeepsGoing reports whether KeepGoing was called.
func (c *Checker) KeepsGoing() bool { return c.keepGoing }

// Violated reports whether an invariant or a final condition was found not to hold in a state that Invariants, Final, AllInvariants
// or AllFinal was asked for.
func (c *Checker) Violated(property int) bool { return c.violated[property].Load() }

// first returns the first violation that test finds of some properties, or nil. The others are tested, too, if the
// checker keeps going.
func (c *Checker) first(properties []int, test func(property int) (*Violation, error)) (first *Violation, err error) {
	for _, i := range properties {
		v, err := test(i)
		if err != nil {
			return nil, err
		}
		if v != nil {
			c.violated[i].Store(true)
			first = cmp.Or(first, v)
		}
		if first != nil && !c.keepGoing {
			break
		}
	}
	return first, nil
}

// Invariants returns the first invariant that does not hold in s, nil if all do.
func (c *Checker) Invariants(ctx context.Context, s model.State) (*Violation, error) {
	return c.first(c.invariants, func(i int) (*Violation, error) { return c.check(ctx, i, s) })
}

// IsBounded reports whether there is a bound of states (@Within).
func (c *Checker) IsBounded() bool { return len(c.bounds) > 0 }

// IsWithin reports whether s is one of the states that the check is about. Others are neither tested nor explored.
func (c *Checker) IsWithin(ctx context.Context, s model.State) (bool, error) {
	for _, i := range c.bounds {
		v, err := c.check(ctx, i, s)
		switch {
		case err != nil:
			return false, err
		case v != nil && v.Failure != nil:
			name := c.actors.Program().Properties[i].Name
			return false, &model.RuleError{Text: fmt.Sprintf("the bound %q (@Within) has no answer in a state: %s", name, v.Failure.Text), Detail: v.Failure.Lines()}
		case v != nil:
			return false, nil
		}
	}
	return true, nil
}

// Observe is Invariants, and appends to into a number that identifies each evaluated invariant's reads of s. For equal reads
// it may be another number once a property has read fields that it did not read before.
func (c *Checker) Observe(ctx context.Context, s model.State, into []uint64) ([]uint64, *Violation, error) {
	v, err := c.first(c.invariants, func(i int) (*Violation, error) {
		v, observed, err := c.observe(ctx, i, s)
		if observed != 0 {
			into = append(into, observed)
		}
		return v, err
	})
	return into, v, err
}

// Terminal implements dbss.Checker: the only state to test where s was met is s.
func (c *Checker) Terminal(ctx context.Context, s model.State, terminal, asksFinal bool) (model.State, *Violation, error) {
	if !terminal {
		return nil, nil, nil
	}
	if !asksFinal {
		return s, nil, nil
	}
	v, err := c.Final(ctx, s)
	return s, v, err
}

// Final returns the first final condition that does not hold in s, a state in which no event is enabled; nil if all do.
func (c *Checker) Final(ctx context.Context, s model.State) (*Violation, error) {
	return c.first(c.finals, func(i int) (*Violation, error) { return c.check(ctx, i, s) })
}

// Holds reports whether a property holds in s.
func (c *Checker) Holds(ctx context.Context, property int, s model.State) (bool, error) {
	v, err := c.check(ctx, property, s)
	return v == nil, err
}

func (c *Checker) check(ctx context.Context, property int, s model.State) (*Violation, error) {
	v, _, err := c.observe(ctx, property, s)
	return v, err
}

// observe is check, and identifies what the property reads of s; 0 if answers to it are not remembered.
func (c *Checker) observe(ctx context.Context, property int, s model.State) (*Violation, uint64, error) {
	m := c.memories[property].Load()
	leaf := m.find(s)
	for leaf == 0 { // once more if actors turned out to be created or stopped meanwhile, or the property to read more
		whole, err := c.ask(ctx, property, []model.State{s})
		if err != nil {
			return nil, 0, err
		}
		if len(whole) > 0 {
			return c.violation(property, whole[0]), 0, nil
		}
		m = c.memories[property].Load()
		leaf = m.find(s)
	}
	return m.nodes.At(leaf).violation, uint64(property)<<48 | uint64(len(m.read))<<32 | uint64(leaf), nil
}

// violation is that of a judgement, nil if the property holds.
func (c *Checker) violation(property int, j model.Judgement) *Violation {
	if j.Holds {
		return nil
	}
	return &Violation{Kind: ViolationOf(c.actors.Program().Properties[property]), Property: property, Failure: j.Failure}
}

// ask has the oracle evaluate a property in some states, and remembers the answers but those that whole gives: they are about what
// is in flight, and so about one state each.
func (c *Checker) ask(ctx context.Context, property int, states []model.State) (whole []model.Judgement, err error) {
	program := c.oracle.Program()
	evaluations := make([]model.Evaluation, len(states))
	positions := make([][]uint32, len(states))
	for i, s := range states {
		// The oracle sees actors only, in the order of their positions.
		e := model.Evaluation{Property: property, History: c.actors.Globals.History(s)}
		for p := 1; p < len(s); p++ {
			if l := c.actors.Nodes.Visible(s[p]); l != 0 {
				e.Actors = append(e.Actors, c.actors.Values.Actor(l))
				e.Actors[len(e.Actors)-1].Stopped = c.actors.Nodes.Local(s[p]) == 0
				positions[i] = append(positions[i], uint32(p))
			}
			if program.SeesInFlight {
				of := c.actors.Nodes.Parts(s[p])
				for _, id := range slices.Concat(of.Waiting, of.Delivered) {
					if m := c.actors.Values.Message(id); !m.IsClosed() {
						e.InFlight = append(e.InFlight, m)
					}
				}
			}
		}
		evaluations[i] = c.varied(e, s, positions[i])
	}
	judgements, err := c.evaluate(ctx, evaluations)
	if err != nil {
		return nil, fmt.Errorf("evaluating %q: %w", program.Properties[property].Name, err)
	}
	c.asked[property].Add(uint64(len(states)))
	for i, s := range states {
		if slices.Contains(judgements[i].Reads, model.ReadNetwork) {
			c.reached[property].Store(reached)
			c.seesNetwork[property].Store(true)
			whole = append(whole, judgements[i])
		} else if err := c.remember(evaluations[i], judgements[i], s, positions[i]); err != nil {
			return nil, err
		}
	}
	return whole, nil
}

// remember notes the answer to an evaluation, of actors at some positions.
func (c *Checker) remember(e model.Evaluation, j model.Judgement, s model.State, positions []uint32) error {
	c.noteReach(e, j)
	if m := c.memories[e.Property].Load(); m != m.with(j.Fields...) {
		if name := c.overlooked(e.Property, j.Fields); name != "" && j.Failure == nil {
			return fmt.Errorf("the property %q reads %s, which the analysis of its bytecode overlooked: check with --hashing full",
				c.actors.Program().Properties[e.Property].Name, name)
		}
	}
	if j.Kept {
		c.kept.Add(1)
	}
	if c.actors.Values.Decomposition.Decomposes() || c.actors.Values.Decomposition.Observes() || c.label != nil {
		c.note(e, j, s, positions)
	}
	v := c.violation(e.Property, j)
	reads := make([]uint32, len(j.Reads))
	for i, r := range j.Reads {
		if r != model.ReadHistory {
			reads[i] = positions[r]
		}
	}
	if c.label != nil {
		reads = c.widened(reads, positions)
	}
	for _, position := range reads {
		c.visible[e.Property].add(position)
	}
	return c.memory(e.Property, j).insert(s, reads, v)
}

// overlooked returns a field that a property read though the analysis of its bytecode says that it cannot, or "".
func (c *Checker) overlooked(property int, fields []int) string {
	program := c.oracle.Program()
	mayRead := program.Properties[property].MayRead
	for _, f := range program.Objects {
		if slices.Contains(fields, f.Number) && !slices.Contains(mayRead, f.Number) && !slices.Contains(mayRead, model.AnyNumber) {
			return f.Class + "." + f.Name
		}
	}
	return ""
}

// memory returns the memory of a property, extended to the fields that a judgement read.
func (c *Checker) memory(property int, j model.Judgement) *memory {
	for {
		m := c.memories[property].Load()
		more := m.with(slices.Concat(j.Fields, j.Hashed)...)
		if more == m || c.memories[property].CompareAndSwap(m, more) {
			return more
		}
	}
}

// widened returns the positions that were read, and then the positions of actors that may be permuted with those read.
func (c *Checker) widened(reads, positions []uint32) []uint32 {
	labelOf := func(position uint32) string { return c.label(c.actors.Values.PositionName(int(position))) }
	labels := map[string]bool{}
	for _, p := range reads {
		if p != 0 {
			labels[labelOf(p)] = true
		}
	}
	wide := slices.Clone(reads)
	for _, p := range positions {
		if labels[labelOf(p)] && !slices.Contains(reads, p) {
			wide = append(wide, p)
		}
	}
	return wide
}
