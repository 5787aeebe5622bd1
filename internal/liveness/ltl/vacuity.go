package ltl

// Known has two sets of atoms, by the labels of all states of some runs: the atoms that hold in every state, and in no state.
type Known struct{ Always, Never Label }

// Irrelevant returns the atoms of a formula that make no difference in runs of which so much is known: the formula holds in all of them
// whatever these atoms are. So it is satisfied vacuously (Kupferman and Vardi, "Vacuity detection in temporal model checking", 2003),
// such as [](p -> <>q) where p never holds.
func (f *Formula) Irrelevant(k Known) Label {
	var irrelevant Label
	for bit := range MaxAtoms {
		one := Label(1) << bit
		if f.atoms()&one != 0 && f.holds(Known{k.Always &^ one, k.Never &^ one}, true) {
			irrelevant |= one
		}
	}
	return irrelevant
}

// SatisfiedAt reports whether each run that begins in a state with a label satisfies the formula, whatever comes later.
func (f *Formula) SatisfiedAt(label Label) bool {
	return f.holds(Known{label, ^label}, false)
}

// holds reports whether the formula holds in each state of which k is known. If everywhere is true, k is
// known of all states of a run, else of this state alone.
func (f *Formula) holds(k Known, everywhere bool) bool {
	switch f.op {
	case yes:
		return true
	case atom:
		return k.Always>>f.atom&1 == 1
	case not:
		return f.left.fails(k, everywhere)
	case and:
		return f.left.holds(k, everywhere) && f.right.holds(k, everywhere)
	case or:
		return f.left.holds(k, everywhere) || f.right.holds(k, everywhere)
	case until:
		return f.right.holds(k, everywhere)
	}
	return f.right.holds(k, everywhere) && (everywhere || f.left.holds(k, everywhere)) // release
}

// fails reports whether the formula does not hold, likewise.
func (f *Formula) fails(k Known, everywhere bool) bool {
	switch f.op {
	case yes:
		return false
	case atom:
		return k.Never>>f.atom&1 == 1
	case not:
		return f.left.holds(k, everywhere)
	case and:
		return f.left.fails(k, everywhere) || f.right.fails(k, everywhere)
	case or:
		return f.left.fails(k, everywhere) && f.right.fails(k, everywhere)
	case until:
		return f.right.fails(k, everywhere) && (everywhere || f.left.fails(k, everywhere))
	}
	return f.right.fails(k, everywhere) // release
}

// atoms are the bits of the atoms in a formula.
func (f *Formula) atoms() Label {
	switch {
	case f == nil:
		return 0
	case f.op == atom:
		return 1 << f.atom
	}
	return f.left.atoms() | f.right.atoms()
}
