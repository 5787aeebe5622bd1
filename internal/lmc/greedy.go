package lmc

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/property"
)

// Schedules are figures of the greedy soundness verification.
type Schedules struct {
	Soundness string `json:"soundness"` // greedy
	Sequences uint64 `json:"sequences"` // of events of an actor, each tried after the one without its last event
	Confirmed uint64 `json:"confirmed"` // of what is suspicious
	Left      uint64 `json:"left"`      // of what is suspicious, neither confirmed nor refuted
}

// greedy is the soundness verification of the paper, for comparisons. Predecessor pointers give sequences of events that lead each
// actor into a suspicious combination, and a schedule merges them: whichever can go on does.
//
// There are exponentially many sequences; the paper skips events after which the local state is the same, and ends with the
// time. Here no event is twice in a sequence. The shortest of all actors together come first. A sequence is given up when its
// last event cannot be scheduled even if the actors that have none yet send all that they ever can. Of those that consume and
// send the same on the way to a local state, one is followed. --max-states and --timeout bound the rest.
//
// It refutes nothing. It misses what needs another order, an event twice in a local state, or an event of the network, such as
// a copy.
type greedy struct {
	*check
	numbers map[token]int
	tokens  []supply  // by number
	after   [][]*link // by number of the member: what leads from it
	before  [][]*link // its predecessor pointers
}

// created is the first of the tokens that stand for created actors, by number of the member.
const created token = 1 << 28

// A supply is where a token comes from.
type supply struct {
	given, most uint32 // how many there are from the start, and at all
	stays       bool   // when it is consumed
	by          []*set // whose events give it
}

// A link is a predecessor pointer: an outcome of an event that leads from one member to another.
type link struct {
	from, to       *member // to is nil if the handler fails or breaks a rule
	event, outcome uint32
	fault          uint16 // as in model.Facts
	takes, gives   []int  // numbers of tokens
	used           bool   // in a sequence
}

// schedule looks for a run to something suspicious.
func (c *check) schedule(ctx context.Context) (*dbss.Result, error) {
	r := &dbss.Result{Complete: true}
	err := newGreedy(c).confirm(ctx, func(_ *aim, run *dbss.Counterexample) (enough bool) {
		r.Violation, r.Violations, r.Depth = run, 1, len(run.Path)
		return true
	})
	return r, err
}

func newGreedy(c *check) *greedy {
	n := len(c.sets.members)
	g := &greedy{check: c, numbers: map[token]int{}, after: make([][]*link, n), before: make([][]*link, n)}
	for _, m := range c.sets.members {
		for i := range m.events {
			g.record(m, &m.events[i])
		}
	}
	return g
}

// record makes the predecessor pointers of an event.
func (g *greedy) record(m *member, e *event) {
	l := link{from: m, event: e.id}
	for _, t := range g.sets.spends(e) {
		switch {
		case m.local == 0:
			t = created + token(g.sets.leads(e)[0].number)
		case t == byItself:
			continue
		case t >= firstFault:
			l.fault = uint16(t-firstFault) + 1
		}
		l.takes = append(l.takes, g.number(t))
	}
	for to, o := range g.sets.outcomes(m, e) {
		one := l
		one.to, one.outcome = to, o.Number
		for _, f := range o.Effects {
			one.gives = append(one.gives, g.give(m.set, f))
		}
		if g.after[m.number] = append(g.after[m.number], &one); to != nil {
			g.before[to.number] = append(g.before[to.number], &one)
		}
	}
}

// give returns the number of the token that an effect of an event of a set gives: a message, or the creation of an actor.
func (g *greedy) give(by *set, f model.Effect) int {
	t := f.Message
	if t == 0 {
		t = created + token(g.sets.byPosition[f.Position].locals[f.Local].number)
	}
	n := g.number(t)
	if of := &g.tokens[n]; !slices.Contains(of.by, by) {
		of.by = append(of.by, by)
	}
	return n
}

func (g *greedy) number(t token) int {
	n, known := g.numbers[t]
	if known {
		return n
	}
	most, bounded := g.sets.bounds[t]
	if !bounded {
		most = unbounded
	}
	of := supply{given: uint32(most), most: uint32(most)}
	if t < firstFault {
		of.given = uint32(g.sets.initial[t])
		of.stays = t < created && g.sets.program.Repeats(g.actors.Values.Message(t).Receiver)
	}
	g.tokens = append(g.tokens, of)
	g.numbers[t] = len(g.numbers)
	return g.numbers[t]
}

// none is more events than any sequences have.
const none = 1 << 20

// An aim is what is suspicious: a region, or a member in which a handler fails.
type aim struct {
	region property.Region
	fails  *member
	length int // of the sequences to try next, together
}

// confirm finds runs to what is suspicious, until found has enough.
func (g *greedy) confirm(ctx context.Context, found func(*aim, *dbss.Counterexample) (enough bool)) (err error) {
	var open []*aim
	for _, r := range g.regions {
		open = append(open, &aim{region: r})
	}
	for _, m := range g.sets.members {
		if m.fails {
			open = append(open, &aim{fails: m})
		}
	}
	enough := false
	for length := 0; len(open) > 0 && !enough && err == nil; length++ {
		open = slices.DeleteFunc(open, func(a *aim) bool {
			if a.length > length || enough || err != nil {
				return false
			}
			var run *dbss.Counterexample
			t := newAttempt(g, a)
			if run, err = t.begin(ctx, 0, 0); run != nil {
				g.result.Confirmed++
				enough = found(a, run)
			}
			a.length = t.next
			return run != nil || t.next >= none
		})
	}
	return err
}

// An attempt is at sequences of some length together.
type attempt struct {
	*greedy
	*aim
	final     bool
	distance  []int // by number of the member: how many events lead to where a sequence may end, at least; none if none do
	levels    []level
	sequences [][]*link // by level
	next      int       // the least length of longer sequences
	rooms     []merged  // by length, for what extend makes
	key       []byte    // likewise
}

// A level is an actor that gets its sequence after those of the levels before.
type level struct {
	*set
	root  *member
	start merged         // with all that later levels can give
	rest  int            // how many events the sequences of later levels have, at least
	known map[string]int // how long sequences were, by what they led to
}

// merged is how far sequences are merged: how many there are of each token, then by level how many events were taken.
type merged []uint32

func newAttempt(g *greedy, a *aim) *attempt {
	t := &attempt{greedy: g, aim: a, next: none}
	t.final = a.fails == nil && g.actors.Program().Properties[a.region.Property].Kind == model.Final
	ends := t.measure()
	start, rest := make(merged, len(g.tokens)+len(g.sets.sets)), 0
	for n, of := range g.tokens {
		start[n] = of.given
	}
	// The last one has no later ones to rely on, and the most to choose from.
	for _, of := range slices.SortedStableFunc(slices.Values(g.sets.sets), func(x, y *set) int { return ends[y] - ends[x] }) {
		l := level{set: of, root: g.sets.find(of, g.actors.Initial().At(of.position)), start: slices.Clone(start), rest: rest}
		t.levels = append(t.levels, l)
		rest += t.distance[l.root.number]
		for n, from := range g.tokens {
			if slices.Contains(from.by, of) {
				start[n] = from.most
			}
		}
	}
	slices.Reverse(t.levels)
	t.sequences, t.rooms = make([][]*link, len(t.levels)), make([]merged, a.length)
	return t
}

// measure finds the distances, and in how many members of each set a sequence may end.
func (t *attempt) measure() (ends map[*set]int) {
	ends, t.distance = map[*set]int{}, slices.Repeat([]int{none}, len(t.sets.members))
	var queue []*member
	for _, m := range t.sets.members {
		switch {
		case m == t.fails:
			t.distance[m.number] = 1
		case t.fails == nil && t.region.Has(t.actors, m.set.position, t.sets.node(m)), t.fails != nil && t.fails.set != m.set:
			t.distance[m.number] = 0
			ends[m.set]++
		default:
			continue
		}
		queue = append(queue, m)
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, l := range t.before[queue[0].number] {
			if t.distance[l.from.number] == none {
				t.distance[l.from.number] = t.distance[queue[0].number] + 1
				queue = append(queue, l.from)
			}
		}
	}
	return ends
}

// begin begins the sequence of a level; behind the last one it takes the steps.
func (t *attempt) begin(ctx context.Context, level, length int) (*dbss.Counterexample, error) {
	if level == len(t.levels) {
		if length < t.length {
			return nil, nil // which was tried
		}
		return t.run(ctx)
	}
	l := &t.levels[level]
	l.known = map[string]int{}
	return t.extend(ctx, level, slices.Clone(l.start), l.root, length)
}

// extend ends the sequence of a level at a member, or goes on with each event that can be taken now. Others never can, as the
// sequences before wait for what this one sends.
func (t *attempt) extend(ctx context.Context, level int, from merged, at *member,
	length int) (run *dbss.Counterexample, err error) {
	if err := t.count(ctx); err != nil {
		return nil, err
	}
	whole := t.merge(from, nil)
	if at == nil {
		if whole {
			run, err = t.begin(ctx, level+1, length)
		}
		return run, err
	}
	l := &t.levels[level]
	t.key, _ = binary.Append(t.key[:0], binary.NativeEndian, append([]uint32(from), uint32(at.number)))
	if before, known := l.known[string(t.key)]; known && before <= length {
		return nil, nil
	}
	l.known[string(t.key)] = length
	if whole && t.distance[at.number] == 0 {
		run, err = t.begin(ctx, level+1, length)
	}
	for _, e := range t.after[at.number] {
		idle := e.to == at && len(e.gives) == 0 && !t.final
		if run != nil || err != nil || e.used || idle || e.to == nil && at != t.fails {
			continue
		}
		least := length + 1 + l.rest
		if e.to != nil {
			least += t.distance[e.to.number]
		}
		if least > t.length {
			t.next = min(t.next, least)
			continue
		}
		to := append(t.rooms[length][:0], from...)
		if t.rooms[length] = to; t.take(to, e) {
			to[len(t.tokens)+level]++
			e.used, t.sequences[level] = true, append(t.sequences[level], e)
			run, err = t.extend(ctx, level, to, e.to, length+1)
			e.used, t.sequences[level] = false, t.sequences[level][:len(t.sequences[level])-1]
		}
	}
	return run, err
}

// count counts a sequence.
func (t *attempt) count(ctx context.Context) error {
	t.result.Sequences++
	switch {
	case t.effort > 0 && t.result.Sequences > t.effort:
		return &model.LimitError{Text: fmt.Sprintf("soundness verification ended after %d sequences of events (--max-states)",
			t.effort)}
	case (t.result.Sequences%1024 == 0 || len(t.sequences[0]) == 0) && ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return nil
}

// merge has the sequences go on as far as they can: the greedy schedule. Which goes on first does not matter, as no two actors
// consume the same message. It reports whether all come to their ends.
func (t *attempt) merge(to merged, taken *[]*link) (whole bool) {
	for fresh := true; fresh; {
		fresh, whole = false, true
		for i, sequence := range t.sequences {
			at := &to[len(t.tokens)+i]
			for int(*at) < len(sequence) && t.take(to, sequence[*at]) {
				if taken != nil {
					*taken = append(*taken, sequence[*at])
				}
				fresh = true
				*at++
			}
			whole = whole && int(*at) == len(sequence)
		}
	}
	return whole
}

// take takes an event, and reports whether each message that it consumes was sent, and no fault is spent.
func (t *attempt) take(to merged, l *link) bool {
	for i, n := range l.takes {
		if to[n] == 0 {
			for _, n := range l.takes[:i] {
				to[n]++
			}
			return false
		}
		to[n]--
	}
	for _, n := range l.takes {
		if t.tokens[n].stays {
			to[n]++
		}
	}
	for _, n := range l.gives {
		to[n]++
	}
	return true
}

// run takes the steps of merged sequences. There is no run where a channel, a cut or the delivery model is against them, or where
// what should be a terminal state is none.
func (t *attempt) run(ctx context.Context) (*dbss.Counterexample, error) {
	s, path := t.actors.Initial(), []model.Transition(nil)
	var links []*link
	t.merge(slices.Clone(t.levels[len(t.levels)-1].start), &links)
	for _, l := range links {
		if l.from.local == 0 {
			continue // another actor creates this one
		}
		enabled, err := t.actors.Enabled(ctx, s, nil)
		i := slices.IndexFunc(enabled, func(step model.Transition) bool { return t.isOf(t.actors.StepOf(s, step), l) })
		if err != nil || i < 0 {
			return nil, err
		}
		path = append(path, enabled[i])
		next, _, err := t.actors.Apply(s, enabled[i], nil)
		var failed *model.StepFailure
		switch {
		case errors.As(err, &failed):
			return &dbss.Counterexample{Violation: property.Violation{Kind: property.HandlerFailure, Failure: failed.Failure},
				Path: path}, nil
		case errors.Is(err, model.ErrDisabled):
			return nil, nil
		case err != nil:
			return nil, err
		}
		s = next
	}
	v, err := t.evaluate(ctx, s)
	if v == nil || err != nil {
		return nil, err
	}
	return &dbss.Counterexample{Violation: *v, Path: path}, nil
}

// isOf reports whether a step takes the event of a link. That of a link has no fault, and a crash for good is none of them.
func (t *attempt) isOf(st model.NodeStep, l *link) bool {
	switch {
	case st.Slot+1 != l.from.set.position || st.Outcome != l.outcome || st.Fault != l.fault:
		return false
	case l.fault == 0:
		return st.Event == l.event
	case l.event == 0:
		return st.Kind == model.Stop
	}
	return t.actors.LocalSteps.Event(st.Kind, st.Messages...) == l.event
}

// evaluate returns a violation of the property of the region that a state is in, nil if the state is not in the region.
func (t *attempt) evaluate(ctx context.Context, s model.State) (*property.Violation, error) {
	enabled, err := t.actors.Enabled(ctx, s, nil) // where a rule is broken, this says so
	switch {
	case err != nil:
		return nil, err
	case slices.ContainsFunc(t.levels, func(l level) bool { return !t.region.Has(t.actors, l.position, s.At(l.position)) }):
		return nil, nil // an actor was created that has no sequence
	case !t.final:
		return t.checker.Invariants(ctx, s)
	}
	if terminal, err := model.IsTerminal(t.actors, s, enabled); !terminal || err != nil {
		return nil, err
	}
	return t.checker.Final(ctx, s)
}
