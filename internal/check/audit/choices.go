package audit

import "harrier/internal/model"

// product yields all ways to choose one of so many at each place. The slice is reused.
func product(counts []int) func(yield func([]int) bool) {
	return func(yield func([]int) bool) {
		choice := make([]int, len(counts))
		for {
			if !yield(choice) {
				return
			}
			i := len(choice) - 1
			for ; i >= 0; i-- {
				if choice[i]++; choice[i] < counts[i] {
					break
				}
				choice[i] = 0
			}
			if i < 0 {
				return
			}
		}
	}
}

// choices are all ways to choose a variant for each of the messages of an event. The slice is reused. Where equal messages
// have no order, neither have their variants.
func (a *audit) choices(messages []model.MessageID) func(yield func([]int) bool) {
	counts := make([]int, len(messages))
	for i, m := range messages {
		counts[i] = a.messages.count(m)
	}
	ordered := len(messages) > 0 && a.actors.Program().InOrder(a.actors.Values.Message(messages[0]).Receiver)
	return func(yield func([]int) bool) {
		for choice := range product(counts) {
			if (ordered || !swaps(messages, choice)) && !yield(choice) {
				return
			}
		}
	}
}

// swaps reports whether a choice is another one with the variants of equal messages, which are next to each other, swapped.
func swaps(messages []model.MessageID, choice []int) bool {
	for i := 1; i < len(messages); i++ {
		if messages[i] == messages[i-1] && choice[i] < choice[i-1] {
			return true
		}
	}
	return false
}

// takesVariant reports whether a choice has that variant of a message.
func takesVariant(messages []model.MessageID, choice []int, m model.MessageID, variant int) bool {
	for i, id := range messages {
		if id == m && choice[i] == variant {
			return true
		}
	}
	return false
}
