package network

import (
	"fmt"
	"slices"
	"time"
)

// Clocks say how time goes on for the actors of a program: in rounds, as long as there are some left. In a round each clock goes on by one
// tick, or by none or two as long as its drift stays within a bound.
type Clocks struct {
	Tick   time.Duration // the length of a round
	Drift  int           // by how many ticks a clock may be ahead of the rounds, or behind
	Rounds int           // how many there may be: the horizon. 0 if time does not go on
	// Delay is how many rounds may begin before a message is received that its receiver takes; less than 0 for any number.
	Delay int
}

// Run reports whether time goes on.
func (c Clocks) Run() bool { return c.Rounds > 0 }

// BoundsDelays reports whether messages have ages. The age of a message is how many rounds began since it was sent.
func (c Clocks) BoundsDelays() bool { return c.Run() && c.Delay >= 0 }

// MayTick reports whether a clock that is ahead of the rounds by some number of ticks may go on by ticks in the next round.
func (c Clocks) MayTick(ticks, ahead int) bool {
	after := ahead + ticks - 1
	return ticks >= 0 && ticks <= 2 && -c.Drift <= after && after <= c.Drift
}

// Ticks lists the numbers of ticks by which a clock may go on in the next round.
func (c Clocks) Ticks(ahead int) []int {
	return slices.DeleteFunc([]int{1, 0, 2}, func(ticks int) bool { return !c.MayTick(ticks, ahead) })
}

// Older is the age of a message in flight after a round. There is no age above the bound.
func (c Clocks) Older(age int) int {
	if !c.BoundsDelays() {
		return 0
	}
	return min(age+1, c.Delay)
}

// IsOverdue reports whether a message with some age has to arrive before the next round.
func (c Clocks) IsOverdue(age int) bool { return c.BoundsDelays() && age >= c.Delay }

// maxTicking is how many clocks may drift: a state has up to 3 to their number rounds, 59,049 with this many.
const maxTicking = 10

// MostRounds is how many rounds a state may have.
func (c Clocks) MostRounds() uint64 { return 59_049 }

// EncodeRound gives the ticks of all clocks in a round a number. It is 0 if clocks do not drift: then all go on by one tick.
func (c Clocks) EncodeRound(ticks []int) uint32 {
	code := uint32(0)
	for _, n := range slices.Backward(ticks) {
		if c.Drift > 0 {
			code = code*3 + uint32(n)
		}
	}
	return code
}

// DecodeRound returns the ticks of each of a number of clocks, as EncodeRound was given them.
func (c Clocks) DecodeRound(code uint32, clocks int) []int {
	ticks := make([]int, clocks)
	for i := range ticks {
		if ticks[i] = 1; c.Drift > 0 {
			ticks[i], code = int(code%3), code/3
		}
	}
	return ticks
}

// CheckChoices refuses more clocks that drift than a state can list the rounds of.
func (c Clocks) CheckChoices(clocks int) error {
	if c.Drift > 0 && clocks > maxTicking {
		return fmt.Errorf("clocks().within: %d actors have clocks that drift, which are too many for a check: take at most %d", clocks, maxTicking)
	}
	return nil
}
