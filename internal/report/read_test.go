package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"harrier/internal/model"
	"harrier/internal/process/files"
	"harrier/internal/property"
	"harrier/internal/testkit/must"
	"harrier/serializer"
)

// aTrace has a value in every place.
func aTrace() *Trace {
	message := Message{Sender: "a", Receiver: "b", Text: "1", Payload: serializer.Encode(serializer.Value{Kind: serializer.Int, Int: 1})}
	failure := &model.Failure{Kind: model.Exception, Text: "E", Stack: []string{"A.on(A.java:1)"}}
	return &Trace{
		Version: traceVersion, Program: "p", Scenario: "S", Parameters: []model.Parameter{{Name: "n", Value: "1"}},
		Model: "M", Allow: []string{"time=real"},
		Violation: Violation{Kind: property.HandlerFailure, Property: "p", Message: "m", Failure: failure, Pending: []Message{message}},
		Execution: Execution{
			Start: Start{Creates: []string{"a"}, Adversaries: []string{"c"}, Sends: []Message{message}, Digest: "00"},
			Steps: []Step{{
				Actor: "a", Event: "receive", Fault: "f", Side: []string{"a"}, Timer: "t", Handler: "A.on", Receives: []Message{message},
				Choices: []int{1}, Changes: []serializer.Change{{Path: "x", Old: "1", New: "2"}}, Sends: []Message{message}, Creates: []string{"d"},
				Records: []Operation{{"a", "invokes", "x"}}, SetsAnew: []string{"timer t"}, Stopped: true, Failure: failure, Digest: "01",
			}},
		},
		Classes: map[string][]byte{"S": {1, 2, 3}},
	}
}

func readBytes(t *testing.T, content []byte) (*Trace, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), TraceFile)
	must.Do(os.WriteFile(path, content, 0o644))
	return ReadTrace(path)
}

func TestTracesAreReadAsTheyWereWritten(t *testing.T) {
	path := must.Get(aTrace().Keep(files.KeepIn(t.TempDir()), nil))
	got := must.Get(ReadTrace(path))
	again, err := json.Marshal(got)
	wanted, _ := json.Marshal(aTrace())
	if err != nil || !bytes.Equal(again, wanted) {
		t.Errorf("read %s, wrote %s", again, wanted)
	}
}

// Each part of a trace is taken away, or gets a value of each other kind in its place: the error names the part.
func TestChangedTracesAreRefusedWithTheirPlace(t *testing.T) {
	b, _ := json.Marshal(aTrace())
	var walk func(path string, was any, set func(any))
	document := func() (d map[string]any) {
		must.Do(json.Unmarshal(b, &d))
		return d
	}
	root := document()
	optional := []string{"allow", "failure", "pending", "adversaries", "fault", "side", "from", "timer", "handler", "choices", "changes", "sends", "creates",
		"records", "setsAnew", "stopped", "sender", "payload", "stack"}
	refused := 0
	demand := func(path string, may bool) {
		t.Helper()
		content, _ := json.Marshal(root)
		_, err := readBytes(t, content)
		if err == nil && !may {
			t.Errorf("%s: %.200s is accepted", path, content)
		} else if err != nil && !strings.Contains(err.Error(), path) && path != "version" {
			t.Errorf("%s: the error does not name it: %v", path, err)
		} else if err != nil {
			refused++
		}
	}
	walk = func(path string, was any, set func(any)) {
		for _, other := range []any{nil, true, -1, 1.5, 1e300, 7, "", "~", []any{}, []any{nil}, map[string]any{}} {
			// Of the same kind, any text will do, no list need have elements, and null is an empty list or nothing.
			_, list := was.([]any)
			sameKind := fmt.Sprintf("%T", was) == fmt.Sprintf("%T", other) || list || other == nil || other == 7
			set(other)
			demand(path, sameKind)
		}
		set(was)
		switch was := was.(type) {
		case map[string]any:
			for key := range was {
				place := strings.TrimPrefix(path+"."+key, ".")
				if path == "classes" {
					place = fmt.Sprintf("%s[%q]", path, key)
				}
				value := was[key]
				walk(place, value, func(v any) { was[key] = v })
				delete(was, key)
				demand(strings.Split(place, "[\"")[0], strings.Contains(strings.Join(optional, " "), key))
				was[key] = value
			}
		case []any:
			for i := range was {
				walk(fmt.Sprintf("%s[%d]", path, i), was[i], func(v any) { was[i] = v })
			}
		}
	}
	for key, value := range document() {
		walk(key, value, func(v any) { root[key] = v })
	}
	if refused < 400 {
		t.Errorf("only %d changes are refused", refused)
	}
}

func TestFilesThatAreNoTracesAreRefused(t *testing.T) {
	b, _ := json.MarshalIndent(aTrace(), "", "  ")
	version := strings.Replace(string(b), `"version": 4`, `"version": %s`, 1)
	for content, want := range map[string]string{
		"":                           "it is empty",
		"null":                       "it is no JSON object",
		"[]":                         "it is no JSON object",
		string(b[:len(b)/2]):         "it ends in the middle",
		string(b) + "{}":             "there is more behind the end of the document",
		"{\n\n\x00}":                 "line 3: invalid character",
		strings.Repeat("[", 100_000): "exceeded max depth",
		fmt.Sprintf(version, "2"):    "is a trace of version 2: this harrier replays version 4",
		fmt.Sprintf(version, "4.0"):  "is a trace of version 4.0: ",
		fmt.Sprintf(version, `"3"`):  "version is a string, and must be a whole number from 0",
		strings.Replace(string(b), `"M"`, `"X"`, 1):                             `model: the delivery models are M, MP and M-MP, not "X"`,
		strings.Replace(string(b), `"receive"`, `"r"`, 1):                       `steps[0].event: there is no kind of event "r"`,
		strings.Replace(string(b), `"failure",`, `"f",`, 1):                     `violation.kind: there is no kind of violation "f"`,
		strings.Replace(string(b), `"classes"`, `"loop": 1, "classes"`, 1):      "loop is 1, and violation.kind is failure: a run to a state has no loop",
		strings.Replace(string(b), `"classes"`, `"loop": 2, "classes"`, 1):      "loop is 2, and there are 1 steps",
		strings.Replace(string(b), `"AQID"`, `"#"`, 1):                          `classes["S"] is a string, and must be bytes in base64`,
		strings.Replace(string(b), `"steps"`, `"STEPS"`, 1):                     "steps is missing",
		strings.Replace(string(b), `"outcome": 0`, `"outcome": 99999999999`, 1): "steps[0].outcome is the number 99999999999, and must be",
	} {
		if _, err := readBytes(t, []byte(content)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: the error is %v, and should be %q", content, err, want)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("%.60q: the error has several lines: %v", content, err)
		}
	}
	if _, err := ReadTrace("/dev/zero"); err == nil || !strings.Contains(err.Error(), "/dev/zero is no regular file") {
		t.Errorf("/dev/zero: %v", err)
	}
}
