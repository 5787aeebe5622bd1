package dbss

// Handlers are those of a program, by their numbers, from 1. The numbers are those of one process.
type Handlers interface {
	Handlers() int
	HandlerLabel(number int) string
	HandlerNumber(label string) uint32
}

// A Tally is Counts, with the labels of handlers in place of their numbers, which differ from process to process.
type Tally struct {
	Counts
	Leftover, Reduced, Frames uint64
	Handlers                  map[string]uint64
	Faults                    []uint64
	NoHandler                 uint64
}

// TallyOf returns counts with the labels of handlers.
func TallyOf(c Counts, h Handlers) Tally {
	t := Tally{Counts: c, Leftover: c.Leftover, Reduced: c.Reduced, Frames: c.Frames, Handlers: map[string]uint64{}, Faults: c.FaultsTaken}
	for number, runs := range c.HandlerRuns {
		switch {
		case number == 0:
			t.NoHandler = runs
		case runs > 0:
			t.Handlers[h.HandlerLabel(number)] = runs
		}
	}
	return t
}

// In is the inverse of TallyOf in this process.
func (t Tally) In(h Handlers) Counts {
	c := t.Counts
	c.Leftover, c.Reduced, c.Frames, c.FaultsTaken = t.Leftover, t.Reduced, t.Frames, t.Faults
	runs := map[uint32]uint64{0: t.NoHandler}
	for label, n := range t.Handlers {
		runs[h.HandlerNumber(label)] = n
	}
	c.HandlerRuns = make([]uint64, h.Handlers()+1)
	for number, n := range runs {
		c.HandlerRuns[number] = n
	}
	return c
}
