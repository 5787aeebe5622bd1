package closure

import (
	"slices"

	"harrier/model"
)

// Messages to an actor, from different senders, that all do the same wherever it may be are of one kind. It need not be known which of
// them were consumed, only how many. So each of them is there as often as all of them together, and each that is consumed is taken from all.
// Were they not to do the same, that would allow more than can be, never less.

// A contentKey is a content of messages to the actor at a position.
type contentKey struct{ position, content uint32 }

// forgetKinds is for when contents turned out to differ. What was made with the kinds that there were is not met again.
func (t *tables) forgetKinds() {
	t.groups.Clear()
	t.takings.Clear()
	clear(t.several)
}

// isOne says whether two messages to the actor at a position, which are counted, are of one kind.
func (t *tables) isOne(position uint32, a, b entry) bool {
	if a.item == b.item {
		return true
	}
	if !a.isMessage() || !b.isMessage() || a.copies == many || b.copies == many {
		return false
	}
	content := t.message(a.id()).content
	return content == t.message(b.id()).content && !t.tellsApart[contentKey{position, content}]
}

// grouped is what is left at first of what is available to the actor at a position.
func (t *tables) grouped(position uint32, available setID) setID {
	if id, ok := t.groups.Get(available, 0); ok {
		return id
	}
	var list []entry
	for _, x := range t.entries[available] {
		if !x.isMessage() && x.item != restartItem {
			continue
		}
		all := 0
		for _, y := range t.entries[available] {
			if t.isOne(position, x, y) {
				all += int(y.copies)
			}
		}
		list = append(list, entry{x.item, copies(min(all, int(many)))})
	}
	id := t.intern(list)
	t.groups.Put(available, 0, id)
	return id
}

// take takes an item from what is left.
func (t *tables) take(position uint32, left setID, x item) setID {
	if id, ok := t.takings.Get(left, uint32(x)); ok {
		return id
	}
	list := t.entries[left]
	i, _ := slices.BinarySearchFunc(list, x, byItem)
	var kept []entry
	for _, y := range list {
		if y.copies != many && t.isOne(position, list[i], y) {
			y.copies--
		}
		if y.copies > 0 {
			kept = append(kept, y)
		}
	}
	id := t.intern(kept)
	t.takings.Put(left, uint32(x), id)
	return id
}

// takeAll takes messages, if there are enough of them.
func (t *tables) takeAll(position uint32, left setID, messages []model.MessageID) (after setID, ok bool) {
	for _, m := range messages {
		if t.copiesOf(left, messageItem(m)) == 0 {
			return 0, false
		}
		left = t.take(position, left, messageItem(m))
	}
	return left, true
}

// tellApart notes which messages of one kind do different things at a place. They are of different kinds from now on.
func (t *tables) tellApart(position uint32, at place) {
	for _, messages := range t.severalIn(position, at.left) {
		same := t.occasions[t.occasion(at.local, t.message(messages[0]).reception)].same
		for _, m := range messages[1:] {
			if t.occasions[t.occasion(at.local, t.message(m).reception)].same != same {
				t.tellsApart[contentKey{position, t.message(m).content}] = true
			}
		}
	}
}

// severalIn are the kinds of several messages in what is left.
func (t *tables) severalIn(position uint32, left setID) [][]model.MessageID {
	kinds, ok := t.several[left]
	if ok {
		return kinds
	}
	list := t.entries[left]
	for i, x := range list {
		isFirst := !slices.ContainsFunc(list[:i], func(y entry) bool { return t.isOne(position, x, y) })
		var messages []model.MessageID
		for _, y := range list[i:] {
			if isFirst && y.isMessage() && t.isOne(position, x, y) {
				messages = append(messages, y.id())
			}
		}
		if len(messages) > 1 {
			kinds = append(kinds, messages)
		}
	}
	t.several[left] = kinds
	return kinds
}
