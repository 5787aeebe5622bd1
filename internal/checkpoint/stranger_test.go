package checkpoint_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"harrier/internal/checkpoint"
	"harrier/internal/model"
	"harrier/internal/testkit/must"
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
