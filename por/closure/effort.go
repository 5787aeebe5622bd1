package closure

// What is spent on a state has to be worth it.
const (
	// How many steps the oracle is asked for: so many, and some for each state that was met or reduced by now. Where the initial state can
	// lead to is worth more than what is found out in other states if that is not known.
	leastSpeculative = 6_000
	leastElsewhere   = 1_000
	seenPerStep      = 512
	foundPerStep     = 16
	maxSpeculative   = 50_000

	// How many places are explored: so many, and some for each state that was reduced, which is about what that saves.
	leastPlaces    = 20_000
	placesPerFound = 1
)

// effort says how much is spent.
type effort struct {
	seen, found    uint64 // states, and those that were reduced
	explored       uint64 // places
	allowance      uint64 // how many steps the oracle may be asked for by now
	startAllowance uint64 // how many that were when the initial state was looked at
}

// isWorth says whether more is to be computed for a state.
func (e *effort) isWorth() bool { return e.explored <= leastPlaces+placesPerFound*e.found }

// allow finds how many steps the oracle may be asked for by now.
func (t *tables) allow() {
	least := uint64(leastSpeculative)
	if t.start != nil && t.start.limit != "" && t.start.limit != postponed {
		least = leastElsewhere
	}
	t.allowance = min(maxSpeculative, least+t.seen/seenPerStep+t.found/foundPerStep)
}
