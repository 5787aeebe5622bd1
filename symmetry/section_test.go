package symmetry

import "testing"

func TestTheSectionHasHowMuchWasCompared(t *testing.T) {
	for want, check := range map[string]Checked{
		"2 of 3 steps look at names; these and 1 evaluation checked under renaming, 0.50 s": {
			Steps: 2, KnownSteps: 3, Evaluations: 1, Complete: true, Seconds: 0.5},
		"2 of 3 steps look at names; these and 1 evaluation checked under renaming, 0.50 s, not all of them: the time is used up": {
			Steps: 2, KnownSteps: 3, Evaluations: 1, Reason: "the time is used up", Seconds: 0.5},
	} {
		if got := check.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
