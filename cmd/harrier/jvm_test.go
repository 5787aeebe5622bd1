package main

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"harrier/internal/process/launch"
	"harrier/internal/report"
	"harrier/internal/testkit/must"
)

// TestOutcomesAreReportedOnce has a task end with a summary that is still to be printed, with one beside an error, with an exit code, and
// with an error.
func TestOutcomesAreReportedOnce(t *testing.T) {
	var known report.Summary
	must.Do(json.Unmarshal([]byte(`{"reduction": "macro", "sections": [{"name": "states", "value": {"states": 12}, "lines": [{"label": "states", "text": "12 macro states"}]}]}`), &known))
	var printed *report.Summary
	print := func(s *report.Summary) error { printed = s; return verdictError{report.Inconclusive} }
	rule := &launch.Failure{Document: report.Error{Kind: report.RuleKind, Text: "the program ended the Java virtual machine"}, Code: report.ExitRule}

	if err := resultOf(launch.Outcome{Answer: &known}, nil, print); !isVerdict(err, report.Inconclusive) || printed != &known {
		t.Errorf("%v, %+v", err, printed)
	}
	told, code := breakdown(resultOf(launch.Outcome{Known: &known}, rule, nil))
	if code != report.ExitRule || !slices.Contains(told.Detail, "until then: 12 macro states, 0 transitions, depth 0, 0 local steps, in 0.00 s") {
		t.Errorf("%+v, %d", told, code)
	}
	if told, code := breakdown(resultOf(launch.Outcome{}, rule, nil)); code != report.ExitRule || len(told.Detail) != 0 {
		t.Errorf("%+v, %d", told, code)
	}
	var reported reportedError
	if err := resultOf(launch.Outcome{Code: report.ExitViolated}, nil, nil); !errors.As(err, &reported) || reported.code != report.ExitViolated {
		t.Errorf("%v", err)
	}
	if err := resultOf(launch.Outcome{}, nil, nil); err != nil {
		t.Errorf("%v", err)
	}
}
