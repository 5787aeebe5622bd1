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
