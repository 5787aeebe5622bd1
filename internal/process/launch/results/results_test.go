package results

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"harrier/internal/report"
	"harrier/internal/testkit/must"
)

func TestOutFolderIsGoneUnlessSomethingIsInIt(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "b")
	first := must.Get(Open(folder))
	second := must.Get(Open(folder))
	first.Close()
	if _, err := os.Stat(folder); err != nil {
		t.Errorf("it was removed while another check uses it: %v", err)
	}
	second.Close()
	third := must.Get(Open(filepath.Join(folder, "c")))
	third.Close()
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 0 {
		t.Errorf("what was there before has %v, %v", entries, err)
	}
	must.Do(os.WriteFile(filepath.Join(folder, "file"), nil, 0o644))
	if _, err := Open(filepath.Join(folder, "file")); err == nil {
		t.Error("a file was taken for a folder")
	}
}

// TestProgramsKeepResultsAlone has a child ask for files that others read as something else, and for ones in other folders.
func TestProgramsKeepResultsAlone(t *testing.T) {
	folder := t.TempDir()
	o := must.Get(Open(filepath.Join(folder, "out")))
	defer o.Close()
	for _, r := range []request{
		{"ck", map[string][]byte{"command.json": nil}},
		{"runs", map[string][]byte{"Paxos-dbss-0123.json": nil}},
		{"A-1", map[string][]byte{report.TraceFile: nil, "snapshot.json": nil}},
		{"..", map[string][]byte{report.TraceFile: nil}},
		{"../ck", map[string][]byte{report.TraceFile: nil}},
		{filepath.Join(folder, "ck"), map[string][]byte{report.TraceFile: nil}},
	} {
		read, answers := io.Pipe()
		go o.Serve(bytes.NewReader(must.Get(json.Marshal(r))), answers)
		var k answer
		must.Do(json.NewDecoder(read).Decode(&k))
		if k.Error == "" || k.Folder != "" {
			t.Errorf("%+v is kept in %q", r, k.Folder)
		}
	}
	if made := must.Get(filepath.Glob(filepath.Join(folder, "*", "*"))); made != nil {
		t.Errorf("%q are there", made)
	}
}

// TestResultsAreKeptOverAConnection sends a trace, and bytes that are no trace.
func TestResultsAreKeptOverAConnection(t *testing.T) {
	o := must.Get(Open(filepath.Join(t.TempDir(), "out")))
	defer o.Close()
	requests, asks := io.Pipe()
	answers, answered := io.Pipe()
	go o.Serve(requests, answered)
	keep := Send(answers, asks)
	folder, err := keep("A-1", map[string][]byte{report.TraceFile: []byte("{}")})
	if content := must.Get(os.ReadFile(filepath.Join(folder, report.TraceFile))); err != nil || string(content) != "{}" || filepath.Dir(folder) != o.Path() {
		t.Errorf("%s has %q, %v", folder, content, err)
	}
	if _, err := keep("A-2", map[string][]byte{"command.json": nil}); err == nil || err.Error() != `"command.json" is no name of a result` {
		t.Errorf("error %v", err)
	}
	asks.Close()
	if _, err := answers.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("a child that has ended is answered: %v", err)
	}
}
