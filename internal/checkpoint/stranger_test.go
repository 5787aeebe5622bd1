package checkpoint_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"harrier/internal/checkpoint"
	"harrier/internal/model"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
)

// isUsage reports whether an error is of a checkpoint that cannot be used, in one line.
func isUsage(err error) bool {
	var usage *model.UsageError
	return errors.As(err, &usage) && !strings.Contains(err.Error(), "\n")
}

// FuzzPrograms demands a program of a checkpoint whose note of it has another content.
func FuzzPrograms(f *testing.F) {
	folder := must.Get(os.MkdirTemp("", "checkpoint-"))
	f.Cleanup(func() { os.RemoveAll(folder) })
	must.Do(checkpoint.Create(folder, checkpoint.Command{Key: "k"}))
	path := filepath.Join(checkpoint.Search(folder), "program.json")
	demand := func() error {
		kept := must.Get(checkpoint.Open(folder, "k"))
		defer kept.Close()
		return kept.Demand(checkpoint.Program{Facts: "f", Classes: map[string]string{"A": "1"}, Rest: "r"})
	}
	must.Do(demand())
	whole := must.Get(os.ReadFile(path))
	for _, field := range []string{"Document", "Sum", "Java", "Facts", "Classes", "Rest"} {
		f.Add([]byte(strings.Replace(string(whole), `"`+field+`"`, `"Other"`, 1)))
		for _, value := range []string{"3", "null", "[]", `{"A":1}`} {
			f.Add([]byte(strings.Replace(string(whole), `"`+field+`":`, fmt.Sprintf(`"%s":%s,"Other":`, field, value), 1)))
		}
	}
	for _, cut := range []int{0, 1, len(whole) / 2, len(whole) - 1} {
		f.Add(whole[:cut])
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		must.Do(os.WriteFile(path, content, 0o600))
		if err := demand(); string(content) != string(whole) && !(isUsage(err) && strings.Contains(err.Error(), path)) {
			t.Errorf("%s: %v", content, err)
		}
	})
}

// FuzzCommands reads commands with another content.
func FuzzCommands(f *testing.F) {
	folder := must.Get(os.MkdirTemp("", "checkpoint-"))
	f.Cleanup(func() { os.RemoveAll(folder) })
	must.Do(checkpoint.Create(folder, checkpoint.Command{Version: "1", Flags: []checkpoint.Flag{{Name: "sandbox", Values: []string{"on"}}}}))
	path := filepath.Join(folder, "command.json")
	whole := must.Get(os.ReadFile(path))
	f.Add([]byte(strings.Replace(string(whole), `"on"`, `"off"`, 1)))
	f.Add([]byte(strings.Replace(string(whole), `"Version":"1"`, `"Version":1`, 1)))
	f.Add([]byte(strings.Replace(string(whole), `"Version":"1"`, `"Version":"2"`, 1)))
	f.Add(whole[:len(whole)-1])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, content []byte) {
		must.Do(os.WriteFile(path, content, 0o600))
		if c, err := checkpoint.Read(folder, "1"); err == nil && c.Flags[0].Values[0] != "on" {
			t.Errorf("%s is read", content)
		}
	})
}

// FuzzLogs goes on with searches of whose records one was changed, dropped, doubled or cut off by somebody who knows the key: they refuse
// it, or come to the states and the verdict of a search that was never interrupted.
func FuzzLogs(f *testing.F) {
	s := subject{toy.Conversations(2), true, 1}
	folder := must.Get(os.MkdirTemp("", "checkpoint-"))
	f.Cleanup(func() { os.RemoveAll(folder) })
	must.Do(checkpoint.Create(folder, checkpoint.Command{}))
	want := must.Get(s.search(folder, mostStates))
	if want.states < 20 {
		f.Fatalf("there are %d states", want.states)
	}
	whole := logs(folder)
	for seed := range uint64(150) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		random := rand.New(rand.NewPCG(seed, 0))
		restore(folder, whole)
		for name := range whole {
			if strings.HasPrefix(name, "levels-") == (seed%4 > 0) {
				records := must.Get(checkpoint.Records(folder, name))
				must.Do(checkpoint.Rewrite(folder, name, changed(records, random)))
			}
		}
		got, err := s.search(folder, mostStates)
		if err != nil {
			if !isUsage(err) {
				t.Errorf("the error is %v", err)
			}
			return
		}
		if got.verdict != want.verdict || got.complete != want.complete || got.states != want.states || got.violations != want.violations {
			t.Errorf("it found\n%+v, want\n%+v", got, want)
		}
	})
}

// changed returns records of which one is another.
func changed(records [][]byte, random *rand.Rand) [][]byte {
	at := random.IntN(len(records))
	record := records[at]
	switch random.IntN(5) {
	case 0:
		return append(records[:at:at], records[at+1:]...)
	case 1:
		return append(records[:at+1:at+1], records[at:]...)
	case 2:
		record = record[:random.IntN(len(record)+1)]
	case 3:
		record = append(record, byte(random.Uint32()))
	default:
		if len(record) > 0 {
			record[random.IntN(len(record))] ^= 1 << random.IntN(8)
		}
	}
	return append(append(records[:at:at], record), records[at+1:]...)
}
