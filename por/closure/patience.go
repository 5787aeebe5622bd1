package closure

const (
	maxFailures = 1024 // tries in a row that found nothing
	leastPause  = 64   // states then
	mostPause   = 1 << 12
)

// patience says whether to try what may find nothing: not in each state if it found nothing for long. The zero value has lost none.
type patience struct{ failures, pause, idle int }

// tries says whether to try in one more state.
func (p *patience) tries() bool {
	if p.idle > 0 {
		p.idle--
		return false
	}
	return true
}

// found is to be told of each try.
func (p *patience) found(something bool) {
	if something {
		p.failures, p.pause = 0, 0
	} else if p.failures++; p.failures >= maxFailures {
		p.pause = min(max(leastPause, 2*p.pause), mostPause)
		p.idle = p.pause
	}
}
