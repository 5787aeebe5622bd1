package report

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"harrier/internal/sample"
	"harrier/internal/testkit/must"
)

// FuzzTraces reads traces that anybody may have written: what is read can be printed.
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
		Verdict: Inconclusive, Reason: "r", Levels: []uint64{1, 2}, Multipliers: []Multiplier{{What: "m"}}, Properties: []string{"p"},
		NotReached: []NotReached{{Property: "p"}}, Sampling: &sample.Figures{}, Symmetry: &Symmetry{}, POR: &Reduction{}, Coverage: &Coverage{},
		Violation: &SummaryViolation{Violation: trace.Violation, Execution: trace.Execution}, Violated: []string{"p"},
	}))
	f.Add(whole)
	for _, name := range []string{"verdict", "violation", "steps", "sampling", "unseen", "levels", "search", "proof"} {
		f.Add(bytes.ReplaceAll(whole, []byte(`"`+name+`"`), []byte(`"other"`)))
	}
	f.Add(bytes.ReplaceAll(whole, []byte(Inconclusive), []byte(Violated)))
	f.Add([]byte(`{"proof": "local", "local": {}, "por": {}, "symmetry": {}, "demeter": {}, "reduction": "demeter"}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		known := &Summary{}
		if json.Unmarshal(content, known) != nil {
			return
		}
		var text bytes.Buffer
		known.Text(&text, NewPainter(false))
		if strings.ContainsAny(known.Progress()+text.String(), "\x00\x1b") {
			t.Errorf("%q prints controls: %q", content, text.String())
		}
	})
}
