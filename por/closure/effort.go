package closure

// What is spent on a state has to be worth it. Where nothing was found for long, only what is found at once is looked for, but in a
// state now and then. And how many steps the oracle is asked for depends on how large the search is by now.
const (
	maxSpeculative   = 50_000
	leastSpeculative = 8_000 // that a search of any size is worth
	statesPerStep    = 64

	patience   = 256 // states in which nothing was found
	leastPause = 64
	mostPause  = 1 << 16

	// How many places of local closures are explored: so many, and some for each state that was reduced, which is about what that saves.
	leastPlaces    = 100_000
	placesPerFound = 4
)

// effort says how much is spent.
type effort struct {
	failures, pause, idle int
	seen, found           uint64 // states, and those that were reduced by what was computed for them
	explored              uint64 // places
	startAllowance        uint64 // what might be asked for when the initial state was looked at
}

// isWorth says whether closures of the current state are to be computed.
func (e *effort) isWorth() bool {
	e.seen++
	if e.explored > leastPlaces+placesPerFound*e.found {
		return false
	}
	if e.idle > 0 {
		e.idle--
		return false
	}
	return true
}

func (e *effort) succeed() {
	if e.idle == 0 {
		e.failures, e.pause = 0, 0
		e.found++
	}
}

func (e *effort) fail() {
	if e.idle > 0 {
		return
	}
	if e.failures++; e.failures >= patience {
		e.pause = min(max(leastPause, 2*e.pause), mostPause)
		e.idle = e.pause
	}
}
