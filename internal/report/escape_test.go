package report

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"harrier/internal/testkit/hostile"
	"harrier/internal/testkit/must"
)

func TestTextsArePlain(t *testing.T) {
	for text, want := range map[string]string{
		hostile.Text:                    `\x1b[2J\nVERIFIED\r\u202e\u0085\x9b\xff`,
		"naïve → 値\t'x' \\n \"\ufffd\"": "naïve → 値\t'x' \\n \"\ufffd\"",
		"a\u2028b\u200b\ufeff\u00a0c":   `a\u2028b\u200b\ufeff\u00a0c`,
		"":                              "",
	} {
		if got := Plain(text); got != want {
			t.Errorf("Plain(%q) = %s, want %s", text, got, want)
		}
	}
	if got, want := CommandLine("check", "a'\n\\b"), `check $'a\'\n\\b'`; got != want {
		t.Errorf("CommandLine gives %s, want %s", got, want)
	}
}

// Every string of every document is hostile, and none gets through to a terminal.
func TestDocumentsForPeopleAreEscaped(t *testing.T) {
	p := NewPainter(false)
	summary, violation := hostile.Filled[Summary](), hostile.Filled[Violation]()
	documents := map[string]func(w io.Writer){
		"execution": func(w io.Writer) { hostile.Filled[Execution]().Text(w, p) },
		"violation": func(w io.Writer) { ViolationText(w, p, violation) },
	}
	for _, v := range []Verdict{Verified, Violated, Inconclusive} {
		documents["summary, "+string(v)] = func(w io.Writer) {
			summary.Verdict = v
			summary.Text(w, p)
		}
	}
	for name, write := range documents {
		var b bytes.Buffer
		write(&b)
		hostile.Hold(t, name, b.String(), Plain)
	}
	if summary.Scenario != hostile.Text || summary.Violation.Steps[0].Actor != hostile.Text {
		t.Error("printing a document changed it")
	}
}

func TestWhatProgramsPrintIsEscapedByLines(t *testing.T) {
	var out strings.Builder
	w := PlainWriter{To: &out}
	for _, part := range []string{"one\r\ntw", "o \x1b[31m", "red\n", "rest"} {
		must.Get(w.Write([]byte(part)))
	}
	w.Flush()
	if want := "one\ntwo \\x1b[31mred\nrest\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}
