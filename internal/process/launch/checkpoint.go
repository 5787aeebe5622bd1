package launch

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"harrier/internal/checkpoint"
)

// Checkpoint is where a check writes a checkpoint, or goes on from one. The command is read and written by the supervisor, which hands it to
// the process that runs Java: no file that the program can write decides which command runs, or how it is confined.
type Checkpoint struct {
	New     string             // the folder of one that is to be written; "" for none
	Resumed string             // the folder of the checkpoint from which the search goes on; "" for none
	Command checkpoint.Command // that began the search
}

// perRun are the flags that may differ when a search goes on: they change no state and no figure. Those in limits may differ as well, and
// are not taken over, since one of them may have ended the search.
var (
	perRun = []string{"workers", "json", "html", "out", "strict", "every", "cache", "java-home", "java-heap", "step-timeout", "sandbox", "cluster", "answers", "metrics"}
	limits = []string{"timeout", "max-memory", "max-states"}
)

// Given is the folder of the checkpoint as the user gave it, or "".
func (k *Checkpoint) Given() string { return cmp.Or(k.New, k.Resumed) }

// Folder is the absolute path of the checkpoint, or "".
func (k *Checkpoint) Folder() (string, error) {
	if k.Given() == "" {
		return "", nil
	}
	path, err := filepath.Abs(k.Given())
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	return path, err
}

// Read reads the command that began the search with which a check by this version of harrier goes on.
func (k *Checkpoint) Read(version string) (err error) {
	if k.Command, err = checkpoint.Read(k.Resumed, version); err != nil {
		return fmt.Errorf("--resume: %w", err)
	}
	return nil
}

// TakeOver returns the flags that a search began with and that are not given as it goes on. It is an error to give one another value, unless
// it may differ.
func TakeOver(began, given []checkpoint.Flag) (rest []checkpoint.Flag, err error) {
	named := func(name string) func(checkpoint.Flag) bool {
		return func(f checkpoint.Flag) bool { return f.Name == name }
	}
	for _, f := range given {
		if f.Name == "resume" || slices.Contains(perRun, f.Name) || slices.Contains(limits, f.Name) {
			continue
		}
		i := slices.IndexFunc(began, named(f.Name))
		if i >= 0 && slices.Equal(began[i].Values, f.Values) {
			continue
		}
		how := "without it"
		if i >= 0 {
			how = fmt.Sprintf("with --%s %s", f.Name, strings.Join(began[i].Values, " "))
		}
		err = fmt.Errorf("--%s %s: the search began %s, and goes on as it began: leave it out", f.Name, strings.Join(f.Values, " "), how)
	}
	for _, f := range began {
		if !slices.ContainsFunc(given, named(f.Name)) {
			rest = append(rest, f)
		}
	}
	return rest, err
}

// Settle makes the folder of a new checkpoint for a check with some flags by a version of harrier, or holds the search that goes on to the
// libraries that it began with, given by a hash: they can write to the folder, so files that others left there must not count. isShared is whether
// workers explore states.
func (k *Checkpoint) Settle(version, program, libs string, given []checkpoint.Flag, isShared bool) error {
	if k.Resumed != "" && libs != k.Command.Libs {
		return usage(fmt.Errorf("--resume: the search of %s cannot go on: what is on the class path changed; --checkpoint with a new folder begins anew", k.Resumed))
	}
	if k.New == "" {
		return nil
	}
	k.Command = checkpoint.Command{Version: version, Program: program, Flags: []checkpoint.Flag{}, Libs: libs, Key: rand.Text()}
	if isShared {
		k.Command.Kept = rand.Text()
	}
	for _, f := range given {
		if f.Name != "checkpoint" && f.Name != "cluster" && !slices.Contains(limits, f.Name) {
			k.Command.Flags = append(k.Command.Flags, f)
		}
	}
	if err := checkpoint.Create(k.New, k.Command); err != nil {
		return usage(fmt.Errorf("--checkpoint: %w", err))
	}
	return nil
}

// Continue has the child of a task write the checkpoint; a command line goes on from it.
func (t *Task) Continue(k *Checkpoint, line string) error {
	t.Command = k.Command
	folder, err := k.Folder()
	if err != nil {
		return usage(err)
	}
	if folder != "" {
		t.Reach.Write = append(t.Reach.Write, checkpoint.Search(folder))
		t.Folder, t.GoOn = folder, line
	}
	return nil
}

// OpenCheckpoint opens the checkpoint that the child writes at most so often; nil if there is none.
func (c *Child) OpenCheckpoint(k *Checkpoint, every time.Duration) (*checkpoint.Folder, error) {
	folder, err := k.Folder()
	if err != nil || folder == "" {
		return nil, err
	}
	opened, err := checkpoint.Open(folder, cmp.Or(k.Command.Key, c.Setup.Command.Key)) // a new search begins in the supervisor, as its key does
	if err != nil {
		return nil, err
	}
	opened.Every, opened.Java = every, c.Setup.JDK.Version
	return opened, nil
}
