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

// A possibleKey asks what may happen in a local state when something is available.
type possibleKey struct {
	local     model.LocalID
	available setID
}

// postponed is why nothing is known where the oracle was asked for as much as it may be by now.
const postponed = "more steps would have to be asked for than a search of this size is worth"

// possible are the events that have an outcome.
type possible struct {
	events []uint32
	limit  string // why they are not known; "" if they are
}

// possible lists what may happen in a local state when messages are available any number of times.
func (t *tables) possible(ctx context.Context, l model.LocalID, available setID) (possible, error) {
	k := possibleKey{l, t.all(available)}
	if p, ok := t.possibles[k]; ok {
		return p, nil
	}
	p, err := t.findPossible(ctx, k)
	if err == nil && p.limit != postponed {
		t.possibles[k] = p
	}
	return p, err
}

func (t *tables) findPossible(ctx context.Context, k possibleKey) (possible, error) {
	parts, err := t.local(k.local)
	if err != nil {
		return possible{}, err
	}
	acts, collects := parts.Acts, parts.Collects
	var single []uint32
	for _, x := range t.entries[k.available] {
		if x.isMessage() {
			single = append(single, t.message(x.id()).reception)
		}
	}
	alone := len(single)
	if acts {
		single = append(single, t.internal)
	}
	if t.copiesOf(k.available, restartItem) > 0 {
		single = append(single, t.restart)
	}
	if ok, err := t.ask(ctx, k.local, single); !ok || err != nil {
		return possible{limit: postponed}, err
	}
	var p possible
	for _, event := range single {
		st, _ := t.steps.Step(k.local, event)
		if !st.IsKnown {
			return possible{limit: t.unknown(k.local)}, nil
		}
		if len(st.Outcomes) > 0 {
			p.events = append(p.events, event)
		}
	}
	if !collects {
		return p, nil
	}
	return t.combinations(ctx, k.local, single[:alone], p)
}

// ask makes the steps of events in a local state known, unless enough was asked.
func (t *tables) ask(ctx context.Context, l model.LocalID, events []uint32) (ok bool, err error) {
	t.wanted = t.wanted[:0]
	for _, event := range events {
		if _, ok := t.steps.Step(l, event); !ok {
			t.wanted = append(t.wanted, model.StepID{Local: l, Event: event})
		}
	}
	if len(t.wanted) == 0 {
		return true, nil
	}
	if t.steps.Asked() > t.allowance {
		return false, nil
	}
	return true, t.steps.Ask(ctx, t.wanted)
}

// combinations adds the receptions of several messages.
func (t *tables) combinations(ctx context.Context, l model.LocalID, single []uint32, p possible) (possible, error) {
	var quorums []model.Quorum
	taken := map[model.Quorum][]model.MessageID{}
	for _, event := range single {
		st, _ := t.steps.Step(l, event)
		for _, q := range st.Quorums {
			if q.Size == 0 {
				return possible{limit: t.name(l) + ": " + q.Handler + " takes any number of messages"}, nil
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
			return possible{limit: fmt.Sprintf("%s: %s may take messages in more than %d ways", t.name(l), q.Handler, maxCombinations)}, nil
		}
		several = append(several, sets...)
	}
	slices.Sort(several)
	several = slices.Compact(several)
	if ok, err := t.ask(ctx, l, several); !ok || err != nil {
		return possible{limit: postponed}, err
	}
	for _, event := range several {
		st, _ := t.steps.Step(l, event)
		if !st.IsKnown {
			return possible{limit: t.unknown(l)}, nil
		}
		if len(st.Outcomes) > 0 {
			p.events = append(p.events, event)
		}
	}
	return p, nil
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
