package space

import (
	"fmt"
	"slices"

	"harrier/internal/model"
)

// maxSubsets is in how many ways the messages of one node may be consumed together.
const maxSubsets = 1 << 16

// shares are, by places of an inbox, the quorums that may take the message there together with others. In a queue these
// are the quorums that take all before it too. So receptions behind a message that is taken alone are not asked for. Lacking are the
// receptions that are not known.
func (a *Moves) shares(l model.LocalID, inbox []model.MessageID) (shares [][]model.Quorum, lacking []uint32) {
	shares = make([][]model.Quorum, len(inbox))
	for i, m := range inbox {
		if a.values.messages.At(m).IsClosed() {
			continue // and nothing behind it is taken together with what is ahead
		}
		behind := a.messageLists.inboxOf(m).IsBehind(inbox, i)
		var ahead []model.Quorum
		if behind {
			ahead = slices.DeleteFunc(slices.Clone(shares[i-1]), func(q model.Quorum) bool { return q.Size > 0 })
			if len(ahead) == 0 {
				continue
			}
		}
		single := a.localSteps.event(event{kind: model.Receive, messages: []model.MessageID{m}})
		known, ok := a.localSteps.knownQuorums(l, single)
		switch {
		case !ok:
			lacking = append(lacking, single)
		case behind:
			shares[i] = slices.DeleteFunc(ahead, func(q model.Quorum) bool { return !slices.Contains(known, q) })
		default:
			shares[i] = a.values.program.Admitted(known, a.values.messages.At(m).Sender)
		}
	}
	return shares, lacking
}

// fits reports whether some quorum may take a whole inbox at once.
func (a *Moves) fits(inbox []model.MessageID, shares [][]model.Quorum) bool {
	senders := map[string]bool{}
	for _, m := range inbox {
		senders[a.values.messages.At(m).Sender] = true
	}
	return slices.ContainsFunc(shares[0], func(q model.Quorum) bool {
		hasSize := q.Size == 0 || q.Size == len(inbox) && q.Size == len(senders)
		return hasSize && !slices.ContainsFunc(shares, func(s []model.Quorum) bool { return !slices.Contains(s, q) })
	})
}

// several lists the receptions of more than one message. Equal ones that several handlers take are one.
func (a *Moves) several(l model.LocalID, inbox []model.MessageID, shares [][]model.Quorum) ([]move, error) {
	var moves []move
	var quorums []model.Quorum
	met := map[uint32]bool{}
	arranged := a.messageLists.arranged(inbox)
	for _, place := range arranged {
		for _, q := range shares[place] {
			if slices.Contains(quorums, q) {
				continue
			}
			quorums = append(quorums, q)
			hasRoom := combine(a.choices(inbox, arranged, shares, q), q.Size, func(places []int) bool {
				if m := a.receiveAt(inbox, places...); !met[m.event] {
					met[m.event] = true
					moves = append(moves, m)
				}
				return len(moves) <= maxSubsets
			})
			if !hasRoom {
				return nil, a.tooMany(l, q, len(inbox))
			}
		}
	}
	return moves, nil
}

func (a *Moves) tooMany(l model.LocalID, q model.Quorum, pending int) error {
	advice := "declare how many it takes, such as @Handler(quorum = \"majority\")"
	if q.Size > 0 {
		advice = "check a program in which fewer are pending at once"
	}
	return &model.LimitError{Text: fmt.Sprintf("%s may take the %d messages pending for %s in more than %d ways: %s",
		q.Handler, pending, *a.values.names.At(a.values.locals.At(l).position), maxSubsets, advice)}
}

// A choice is a list of alternatives, each a list of places of an inbox, of which an event has one or none.
type choice [][]int

// choices are what there is to choose for a quorum. If it has a size, that is one message of each sender. Otherwise it is how
// many of a number of equal messages, or of the messages in a queue, from its head.
func (a *Moves) choices(inbox []model.MessageID, arranged []int, shares [][]model.Quorum, q model.Quorum) []choice {
	var choices []choice
	before := -1
	for _, place := range arranged {
		if !slices.Contains(shares[place], q) {
			continue
		}
		equal := before >= 0 && inbox[before] == inbox[place]
		sameChoice := equal || before >= 0 && (q.Size > 0 || a.values.messages.At(inbox[place]).channel.KeepsOrder()) &&
			a.values.messages.At(inbox[before]).Sender == a.values.messages.At(inbox[place]).Sender
		if !sameChoice {
			choices = append(choices, nil)
		}
		last := &choices[len(choices)-1]
		switch {
		case !sameChoice || q.Size > 0 && !equal:
			*last = append(*last, []int{place})
		case q.Size == 0:
			longest := (*last)[len(*last)-1]
			*last = append(*last, append(slices.Clone(longest), place))
		}
		before = place
	}
	return choices
}

// combine calls take with the places of each combination of alternatives: of as many as size says, or, if it is 0, that
// have at least two places. It ends, with false, when take says so. What the size rules out is not enumerated.
func combine(choices []choice, size int, take func(places []int) bool) bool {
	var from func(next int, places []int) bool
	from = func(next int, places []int) bool {
		left := len(choices) - next
		switch {
		case size > 0 && len(places) == size:
			return take(places)
		case size > 0 && len(places)+left < size:
			return true
		case left == 0:
			return len(places) < 2 || take(places)
		}
		for _, alternative := range choices[next] {
			if !from(next+1, append(places[:len(places):len(places)], alternative...)) {
				return false
			}
		}
		return from(next+1, places)
	}
	return size == 1 || from(0, nil)
}

// Together returns the events that consume several of some messages in a local state, in whatever order they arrived. The step of each
// message alone was asked for.
func (a *Moves) Together(l model.LocalID, messages []model.MessageID) ([]uint32, error) {
	a.values.mu.Lock()
	defer a.values.mu.Unlock()
	inbox := slices.Sorted(slices.Values(messages))
	shares := make([][]model.Quorum, len(inbox))
	for i, m := range inbox {
		shares[i] = a.localSteps.Quorums(LocalStep{l, a.localSteps.event(event{kind: model.Receive, messages: []model.MessageID{m}})})
	}
	moves, err := a.several(l, inbox, shares)
	var events []uint32
	for _, m := range moves {
		events = append(events, m.asks)
	}
	return events, err
}
