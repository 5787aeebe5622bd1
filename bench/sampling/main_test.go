package main

import (
	"slices"
	"testing"
	"time"

	"harrier/bench/frame"
	"harrier/dbss"
	"harrier/internal/check"
	"harrier/internal/report"
)

func TestMediansCountRunsWithoutViolationAsTheLongest(t *testing.T) {
	after := func(seconds float64, verdict report.Verdict) measured {
		return measured{
			&frame.Summary{Answer: report.Answer{Verdict: verdict}, Times: check.Times{Seconds: seconds}, Counts: dbss.Counts{Transitions: uint64(1000 * seconds)}},
			time.Duration(2 * seconds * float64(time.Second)),
		}
	}
	s := &settings{timeout: 20 * time.Second}
	found, none := report.Violated, report.Inconclusive
	for _, c := range []struct {
		runs runs
		want []string
	}{
		{runs{after(3, found), after(1, found), after(2, found)}, []string{"2.00", "4.00", "2,000"}},
		{runs{after(1, none), after(2, found), after(3, found)}, []string{"3.00", "6.00", "3,000"}},
		{runs{after(1, none), after(1, none), after(3, found)}, []string{"> 20", "", ""}},
	} {
		if got := c.runs.cells(s); !slices.Equal(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
