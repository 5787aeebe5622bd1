package check

import (
	"fmt"
	"time"

	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/section"
)

// clocks are the figures of time that goes on. Times are in nanoseconds.
type clocks struct {
	Tick    time.Duration `json:"tick"`
	Drift   time.Duration `json:"drift"`           // by how much a clock may be ahead, or behind
	Horizon time.Duration `json:"horizon"`         // the verdict is about runs up to then
	Reached time.Duration `json:"reached"`         // the longest time of a run
	Delay   *int64        `json:"delay,omitempty"` // how long messages are in flight at most
}

func newClocks(c model.Clocks, rounds int) *clocks {
	if !c.Run() {
		return nil
	}
	out := &clocks{Tick: c.Tick, Drift: ticks(c, c.Drift), Horizon: ticks(c, c.Rounds), Reached: ticks(c, rounds)}
	if c.BoundsDelays() {
		delay := int64(ticks(c, c.Delay))
		out.Delay = &delay
	}
	return out
}

func ticks(c model.Clocks, n int) time.Duration { return time.Duration(n) * c.Tick }

// section says what the clocks do.
func (c *clocks) section() section.Section {
	s := section.Section{Name: "clocks", Value: struct {
		Clocks *clocks `json:"clocks,omitempty"`
	}{c}}
	if c == nil {
		return s
	}
	how := "all tick together"
	if c.Drift > 0 {
		how = fmt.Sprintf("each is at most %s ahead or behind", c.Drift)
	}
	if c.Delay != nil {
		how += fmt.Sprintf("; messages take at most %s", time.Duration(*c.Delay))
	}
	s.Add("clocks", "up to %s, in rounds of %s; %s", c.Horizon, c.Tick, how)
	return s
}

// remarks says of what was verified whether time stops before the horizon in all runs.
func (c *clocks) remarks() []string {
	if c == nil || c.Reached == c.Horizon {
		return nil
	}
	return []string{fmt.Sprintf("no run comes to the horizon, %s: time goes on to %s at most, as something that takes no time happens again and again",
		c.Horizon, c.Reached)}
}

// rounds is how often time went on in some run.
func (c *Check) rounds() int { return space.Rounds(c.Actors().Globals) }
