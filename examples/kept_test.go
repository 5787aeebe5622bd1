package examples

import (
	"context"
	"testing"

	"harrier/check"
	"harrier/model"
	"harrier/report"
)

// TestKeptAnswersChangeNothing checks small examples of all kinds twice, so that the second check has the answers of the first one.
func TestKeptAnswersChangeNothing(t *testing.T) {
	for _, e := range []example{
		{"abp", "-"}, {"backup", "-"}, {"byzantine-generals", "-"}, {"one-paxos-faulty", "-"}, {"paxos", "crashes=1"}, {"paxos-faulty", "-"},
		{"paxos-quorum", "-"}, {"randtree-faulty", "-"}, {"register", "-"}, {"register-wrong", "-"}, {"retry", "-"}, {"two-phase-commit", "-"},
		{"zab-faulty", "-"},
	} {
		o := check.Default()
		o.Source = source(t, model.M, e.program, e.parameters)
		o.Source.Answers, o.Out = t.TempDir(), t.TempDir()
		first, second := summary(t, o), summary(t, o)
		if first.Kept != 0 || second.Kept == 0 || second.Kept < second.LocalSteps/2 {
			t.Errorf("%v: of %d local steps, %d and then %d are kept", e, second.LocalSteps, first.Kept, second.Kept)
		}
		if second.Kept == second.LocalSteps && second.Executions+second.Evaluations != 0 {
			t.Errorf("%v: %d executions and %d evaluations, though all is kept", e, second.Executions, second.Evaluations)
		}
		if first.Verdict != second.Verdict || first.Counts.States != second.Counts.States || first.Transitions != second.Transitions ||
			first.LocalSteps != second.LocalSteps || first.Evaluations+first.Remembered != second.Evaluations+second.Remembered {
			t.Errorf("%v: first %+v\nthen %+v", e, first.Counts, second.Counts)
		}
		if first.Violation != nil && first.Violation.Message != second.Violation.Message {
			t.Errorf("%v: first %v\nthen %v", e, first.Violation.Message, second.Violation.Message)
		}
	}
}

// summary is of a whole check, for which the program is loaded anew.
func summary(t *testing.T, o check.Options) *report.Summary {
	t.Helper()
	loaded.Lock()
	defer loaded.Unlock()
	loaded.program = nil
	if err := o.Validate(); err != nil {
		t.Fatal(err)
	}
	c := check.New(o)
	c.JVM = jvm
	s, err := c.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return s
}
