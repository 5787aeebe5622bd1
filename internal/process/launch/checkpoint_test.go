package launch

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"harrier/internal/checkpoint"
	"harrier/internal/testkit/must"
)

func TestFlagsOfASearchThatGoesOn(t *testing.T) {
	began := []checkpoint.Flag{{Name: "search", Values: []string{"bfs"}}, {Name: "set", Values: []string{"n=3", "m=2"}}, {Name: "workers", Values: []string{"2"}}}
	for _, c := range []struct {
		given []checkpoint.Flag
		rest  []string // that are taken over
		err   string
	}{
		{nil, []string{"search", "set", "workers"}, ""},
		{[]checkpoint.Flag{{Name: "resume", Values: []string{"kept"}}, {Name: "workers", Values: []string{"1"}}}, []string{"search", "set"}, ""},
		{[]checkpoint.Flag{{Name: "timeout", Values: []string{"1m"}}, {Name: "search", Values: []string{"bfs"}}}, []string{"set", "workers"}, ""},
		{[]checkpoint.Flag{{Name: "search", Values: []string{"dfs"}}}, []string{"set", "workers"},
			"--search dfs: the search began with --search bfs, and goes on as it began: leave it out"},
		{[]checkpoint.Flag{{Name: "por", Values: []string{"static"}}}, []string{"search", "set", "workers"},
			"--por static: the search began without it, and goes on as it began: leave it out"},
	} {
		rest, err := TakeOver(began, c.given)
		var names []string
		for _, f := range rest {
			names = append(names, f.Name)
		}
		text := ""
		if err != nil {
			text = err.Error()
		}
		if text != c.err || !slices.Equal(names, c.rest) {
			t.Errorf("%v: %v, %q", c.given, names, text)
		}
	}
}

// TestCheckpointsGoOn makes a checkpoint and goes on from it, with the libraries that the search began with and with others.
func TestCheckpointsGoOn(t *testing.T) {
	k := Checkpoint{New: filepath.Join(t.TempDir(), "kept")}
	given := []checkpoint.Flag{{Name: "checkpoint", Values: []string{k.New}}, {Name: "search", Values: []string{"bfs"}}, {Name: "timeout", Values: []string{"1m"}}}
	must.Do(k.Settle("1.0", "P.java", "libraries", given, false))
	again := Checkpoint{Resumed: k.New}
	must.Do(again.Read("1.0"))
	if c := again.Command; c.Program != "P.java" || c.Key != k.Command.Key || c.Kept != "" || len(c.Flags) != 1 || c.Flags[0].Name != "search" {
		t.Errorf("the search began with %+v", c)
	}
	must.Do(again.Settle("1.0", "P.java", "libraries", nil, false))
	if err := again.Settle("1.0", "P.java", "others", nil, false); err == nil || !strings.Contains(err.Error(), "what is on the class path changed") {
		t.Errorf("with other libraries: %v", err)
	}
	if err := (&Checkpoint{Resumed: k.New}).Read("2.0"); err == nil || !strings.HasPrefix(err.Error(), "--resume: ") {
		t.Errorf("by another version: %v", err)
	}
	var task Task
	must.Do(task.Continue(&again, "harrier check --resume kept"))
	if task.Folder == "" || !slices.Equal(task.Reach.Write, []string{checkpoint.Search(task.Folder)}) || task.Command.Key != k.Command.Key {
		t.Errorf("%+v", task)
	}
}
