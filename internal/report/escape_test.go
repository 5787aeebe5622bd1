package report

import (
	"bytes"
	"io"
	"reflect"
	"strings"
	"testing"

	"harrier/internal/testkit/must"
)

// hostile clears the screen, claims a verdict on a line of its own, and turns what follows around.
const hostile = "\x1b[2J\nVERIFIED\r\u202e\u0085\x9b\xff"

func TestTextsArePlain(t *testing.T) {
	for text, want := range map[string]string{
		hostile:                         `\x1b[2J\nVERIFIED\r\u202e\u0085\x9b\xff`,
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
	summary, violation := filled[Summary](), filled[Violation]()
	documents := map[string]func(w io.Writer){
		"decomposition": func(w io.Writer) { filled[Decomposition]().Text(w, p) },
		"symmetry":      func(w io.Writer) { filled[Interchangeability]().Text(w, p) },
		"independence":  func(w io.Writer) { filled[Independence]().Text(w, p) },
		"execution":     func(w io.Writer) { filled[Execution]().Text(w, p) },
		"violation":     func(w io.Writer) { ViolationText(w, p, violation) },
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
		text := b.String()
		if !strings.Contains(text, `\x1b[2J\nVERIFIED`) {
			t.Errorf("%s: the texts are not there:\n%s", name, text)
		}
		if lines := strings.ReplaceAll(text, "\n", ""); Plain(lines) != lines {
			t.Errorf("%s: not everything is escaped:\n%q", name, text)
		}
		for l := range strings.Lines(text) {
			if l == "VERIFIED\n" || strings.HasPrefix(l, `VERIFIED\r`) {
				t.Errorf("%s: a text of the program begins a line:\n%q", name, text)
			}
		}
	}
	if summary.Scenario != hostile || summary.Violation.Steps[0].Actor != hostile {
		t.Error("printing a document changed it")
	}
}

// filled is a document all of whose strings are hostile; lists have two elements.
func filled[T any]() T {
	var document T
	fill(reflect.ValueOf(&document).Elem())
	return document
}

func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(hostile)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(2)
	case reflect.Uint64:
		v.SetUint(2)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0))
		fill(v.Index(1))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i))
			}
		}
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
