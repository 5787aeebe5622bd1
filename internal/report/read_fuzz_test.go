package report

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"harrier/internal/section"
	"harrier/internal/testkit/must"
)

// FuzzTraces reads traces that anybody may have written: a trace that was read can be printed.
func FuzzTraces(f *testing.F) {
	whole := must.Get(json.Marshal(aTrace()))
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add(bytes.Replace(whole, []byte(`"changes"`), []byte(`"change"`), 1))
	f.Add(bytes.ReplaceAll(whole, []byte(`"payload":"`), []byte(`"payload":"AAAA`)))
	path := filepath.Join(f.TempDir(), TraceFile)
	f.Fuzz(func(t *testing.T, content []byte) {
		must.Do(os.WriteFile(path, content, 0o600))
		trace, err := ReadTrace(path)
		if err == nil {
			trace.Execution.Text(io.Discard, NewPainter(false))
			ViolationText(io.Discard, NewPainter(false), trace.Violation)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("the error has several lines: %v", err)
		}
	})
}

// FuzzSummaries prints what a process that ran the program said it knew, before it had to be killed.
func FuzzSummaries(f *testing.F) {
	trace := aTrace()
	whole := must.Get(json.Marshal(&Summary{
		Answer{Verdict: Inconclusive, Reason: "r", Properties: []string{"p"}, NotReached: []NotReached{{Property: "p"}}, Violated: []string{"p"}},
		[]section.Section{{Name: "states", Value: map[string]int{"states": 1}, Lines: []section.Line{{Label: "states", Text: "1"}}}},
		Details{Violation: &SummaryViolation{Violation: trace.Violation, Execution: trace.Execution}},
	}))
	f.Add(whole)
	for _, name := range []string{"verdict", "violation", "steps", "sections", "value", "lines", "search"} {
		f.Add(bytes.ReplaceAll(whole, []byte(`"`+name+`"`), []byte(`"other"`)))
	}
	f.Add(bytes.ReplaceAll(whole, []byte(Inconclusive), []byte(Violated)))
	f.Add([]byte(`{"sections": [{}, {"value": [1]}, {"value": null, "lines": null}]}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		known := &Summary{}
		if json.Unmarshal(content, known) != nil {
			return
		}
		var text bytes.Buffer
		known.Text(&text, NewPainter(false))
		if document, err := known.Document(); err == nil && !json.Valid(document) {
			t.Errorf("%q becomes %q", content, document)
		}
		if strings.ContainsAny(text.String(), "\x00\x1b") {
			t.Errorf("%q prints controls: %q", content, text.String())
		}
	})
}
