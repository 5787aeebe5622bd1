package closure

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"harrier/model"
)

// maxCombinations is how many receptions of several messages one local state may have in a closure.
const maxCombinations = 1000

// postponed is why nothing is known where the oracle was asked for as much as it may be by now.
const postponed = "more steps would have to be asked for than a search of this size is worth"

// An occasion is an event in a local state.
type occasion struct {
	event     uint32
	same      uint32 // equal if the same happens
	isKnown   bool
	isEnabled bool
	isIdle    bool // it changes nothing, and no quorum may take its message
	moves     []move
}

// A move is an outcome that does not fail and changes something.
type move struct {
	local model.LocalID // 0 if the actor stops
	sends setID
}

// occasion gives the number of an event in a local state where its step is known.
func (t *tables) occasion(l model.LocalID, event uint32) uint32 {
	if n, ok := t.numbers.Get(l, event); ok {
		return n
	}
	st, _ := t.steps.Step(l, event)
	o := occasion{event: event, same: st.Same, isKnown: st.IsKnown, isEnabled: len(st.Outcomes) > 0, isIdle: len(st.Quorums) == 0}
	for i := range st.Outcomes {
		out := &st.Outcomes[i]
		if !out.Fails && (out.Local != l || len(out.Effects) > 0) {
			o.moves = append(o.moves, move{out.Local, t.of(appendEffects(nil, out.Effects), copies.plus)})
		}
		o.isIdle = o.isIdle && !out.Fails
	}
	o.isIdle = o.isIdle && len(o.moves) == 0
	n := uint32(len(t.occasions))
	t.occasions = append(t.occasions, o)
	t.numbers.Put(l, event, n)
	return n
}

// ask makes the steps of events in a local state known, unless enough was asked.
func (t *tables) ask(ctx context.Context, l model.LocalID, events []uint32) (limit string, err error) {
	t.wanted = t.wanted[:0]
	for _, event := range events {
		if _, ok := t.steps.Step(l, event); !ok {
			t.wanted = append(t.wanted, model.StepID{Local: l, Event: event})
		}
	}
	if len(t.wanted) == 0 {
		return "", nil
	}
	if t.steps.Asked() > t.allowance {
		return postponed, nil
	}
	return "", t.steps.Ask(ctx, t.wanted)
}

// A collection asks which messages a local state may take together when some are available.
type collection struct {
	local     model.LocalID
	available setID
}

// combinations are the receptions of several messages in a local state when some are available any number of times.
func (t *tables) combinations(ctx context.Context, l model.LocalID, available setID) (events []uint32, limit string, err error) {
	k := collection{l, t.all(available)}
	if events, ok := t.collected[k]; ok {
		return events, "", nil
	}
	events, limit, err = t.combine(ctx, k)
	if limit == "" && err == nil {
		t.collected[k] = events
	}
	return events, limit, err
}

func (t *tables) combine(ctx context.Context, k collection) (events []uint32, limit string, err error) {
	l := k.local
	var single []uint32
	for _, x := range t.entries[k.available] {
		if x.isMessage() {
			single = append(single, t.message(x.id()).reception)
		}
	}
	if limit, err = t.ask(ctx, l, single); limit != "" || err != nil {
		return nil, limit, err
	}
	var quorums []model.Quorum
	taken := map[model.Quorum][]model.MessageID{}
	for _, event := range single {
		st, _ := t.steps.Step(l, event)
		for _, q := range st.Quorums {
			if q.Size == 0 {
				return nil, t.name(l) + ": " + q.Handler + " takes any number of messages", nil
			}
			if _, isMet := taken[q]; !isMet {
				quorums = append(quorums, q)
			}
			taken[q] = append(taken[q], t.steps.Messages(event)[0])
		}
	}
	var several []uint32
	for _, q := range quorums {
		sets, ok := t.choose(taken[q], q.Size)
		if !ok || len(several)+len(sets) > maxCombinations {
			return nil, fmt.Sprintf("%s: %s may take messages in more than %d ways", t.name(l), q.Handler, maxCombinations), nil
		}
		several = append(several, sets...)
	}
	slices.Sort(several)
	several = slices.Compact(several)
	return several, "", nil
}

// choose lists the receptions of so many messages of different senders.
func (t *tables) choose(messages []model.MessageID, size int) (receptions []uint32, ok bool) {
	if size < 2 {
		return nil, true
	}
	var bySender [][]model.MessageID
	numbers := map[string]int{}
	for _, m := range messages {
		sender := t.message(m).sender
		n, isMet := numbers[sender]
		if !isMet {
			n = len(bySender)
			numbers[sender] = n
			bySender = append(bySender, nil)
		}
		bySender[n] = append(bySender[n], m)
	}
	var from func(next int, chosen []model.MessageID) bool
	from = func(next int, chosen []model.MessageID) bool {
		if len(chosen) == size {
			receptions = append(receptions, t.receptionOf(chosen))
			return len(receptions) <= maxCombinations
		}
		if len(chosen)+len(bySender)-next < size {
			return true
		}
		for _, m := range bySender[next] {
			if !from(next+1, append(chosen[:len(chosen):len(chosen)], m)) {
				return false
			}
		}
		return from(next+1, chosen)
	}
	ok = from(0, nil)
	return receptions, ok
}

// receptionOf is the event of receiving messages together.
func (t *tables) receptionOf(messages []model.MessageID) uint32 {
	sorted := slices.Sorted(slices.Values(messages))
	var key []byte
	for _, m := range sorted {
		key = binary.LittleEndian.AppendUint32(key, m)
	}
	event, ok := t.combining[string(key)]
	if !ok {
		event = t.steps.Reception(sorted...)
		t.combining[string(key)] = event
	}
	return event
}

// unknown says why nothing is known of a local state's steps.
func (t *tables) unknown(l model.LocalID) string {
	return t.name(l) + " has steps that break a rule, run into a limit, or are too many to be asked for"
}
