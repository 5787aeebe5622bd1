package ltl

// Violates reports whether a run violates the formula that reads the labels of its states, the last ones again and again: those from
// loop on. Loop is less than the number of labels. It evaluates each part of the formula in each state, and shares nothing with
// automata.
func (f *Formula) Violates(labels []Label, loop int) bool { return !f.values(labels, loop)[0] }

// values are whether the formula holds from each state on.
func (f *Formula) values(labels []Label, loop int) []bool {
	n := len(labels)
	at := make([]bool, n)
	var left, right []bool
	if f.left != nil {
		left = f.left.values(labels, loop)
	}
	if f.right != nil {
		right = f.right.values(labels, loop)
	}
	switch f.op {
	case until, release:
		// The least solution for until, the greatest for release: twice backwards round the loop reaches it.
		for i := range at {
			at[i] = f.op == release
		}
		for range 2 {
			for i := n - 1; i >= 0; i-- {
				next := loop
				if i+1 < n {
					next = i + 1
				}
				if f.op == until {
					at[i] = right[i] || left[i] && at[next]
				} else {
					at[i] = right[i] && (left[i] || at[next])
				}
			}
		}
		return at
	}
	for i, l := range labels {
		switch f.op {
		case yes:
			at[i] = true
		case atom:
			at[i] = l>>f.atom&1 == 1
		case not:
			at[i] = !left[i]
		case and:
			at[i] = left[i] && right[i]
		case or:
			at[i] = left[i] || right[i]
		}
	}
	return at
}

// HoldsIn reports whether a formula holds in a run that stays in a state with a label for ever.
func (f *Formula) HoldsIn(l Label) bool { return !f.Violates([]Label{l}, 0) }
