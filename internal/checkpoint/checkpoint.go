// Package checkpoint stores a search in a folder, so that it can go on after it was killed.
//
//	command.json   the version of harrier, the program and the flags (Create, Command)
//	program.json   what the program was when the search began (Folder.Demand)
//	levels-…       how the states of each level of a breadth-first search were met (Log)
//	numbers        in which order actors and handlers came to be known (Log)
//	reports-…      what the members of a search of several workers reported; the states that they met are with them (Journal)
//	answers/…      what Java answered (package bridge/answers)
//
// Transitions are stored, not states. A search that goes on takes those that led to new states again, with Java's answers, and so
// computes again what systems and reductions know. Whatever prefix of each file is there, it comes to the states and figures of a search that
// was never interrupted (dbss.Log).
package checkpoint

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"harrier/internal/model"
	"harrier/internal/process/files"
)

const (
	commandFile = "command.json"
	programFile = "program.json"
	scratchName = "scratch-" // begins the names of scratch files, as long as they have one
)

// A Command is what began a search.
type Command struct {
	Version string // of harrier
	Program string // the path as it was given
	Flags   []Flag // that were set
	Kept    string // under which name workers keep states; "" if they explore none
}

// A Flag is one of the command line, with each of its values.
type Flag struct {
	Name   string
	Values []string
}

// Create makes the folder of a checkpoint, for a search that begins. A folder that holds anything else is refused, and so is the
// checkpoint of a search that has begun.
func Create(path string, c Command) error {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return err
	}
	if err := checkOwned(path); err != nil {
		return err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	has := func(name string) bool {
		return slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == name })
	}
	switch {
	case has(commandFile) && has(programFile):
		return fmt.Errorf("%s has a checkpoint: --resume %s goes on from it; remove the folder to begin anew", path, path)
	case len(entries) > 1 || len(entries) == 1 && !has(commandFile): // else the search did not begin
		return fmt.Errorf("%s is not empty: name a new folder", path)
	}
	return write(filepath.Join(path, commandFile), c)
}

// Read reads what began the search of a checkpoint.
func Read(path string) (c Command, err error) {
	content, err := files.ReadRegular(filepath.Join(path, commandFile))
	if errors.Is(err, fs.ErrNotExist) {
		return c, fmt.Errorf("there is no checkpoint in %s: --checkpoint %s makes one", path, path)
	}
	if err == nil {
		err = checkOwned(path)
	}
	if err == nil {
		err = json.Unmarshal(content, &c)
	}
	if err != nil {
		return c, fmt.Errorf("the checkpoint in %s cannot be read: %w", path, err)
	}
	return c, nil
}

// checkOwned returns an error if somebody else can write to a folder: who can decides about verdicts.
func checkOwned(path string) error {
	path, err := filepath.Abs(path)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err == nil {
		err = files.CheckOwned(path)
	}
	if err != nil {
		return fmt.Errorf("%w: name a folder that only you can write to", err)
	}
	return nil
}

func write(path string, content any) error {
	b, err := json.MarshalIndent(content, "", "  ")
	if err != nil {
		return err
	}
	return files.WriteWhole(path, append(b, '\n'))
}

// A Program is what a search depends on beside its command line.
type Program struct {
	Java    string            // the version, which Demand sets
	Facts   string            // a hash of what is known of the program when it is set up
	Classes map[string]string // hashes of its classes and libraries, by name
	Rest    string            // a hash of what else steps depend on
}

// Folder is a checkpoint in use.
type Folder struct {
	// Every is how much time is at least between two levels that are written; 0 for no least time.
	Every time.Duration
	// Java is the version that runs the program.
	Java string
	// Flush is called before levels are written; nil for nothing.
	Flush func()

	path string
	lock *os.File

	numbers  records
	numbered model.Numbering // what numbers has; only the log in use changes it

	mu     sync.Mutex
	failed error
}

// lockTime is how long a process that was killed may take to end.
const lockTime = 2 * time.Second

// Open takes a checkpoint into use, until the process ends. Another process that has it in use is an error.
func Open(path string) (*Folder, error) {
	lock, err := files.OpenRegular(filepath.Join(path, commandFile))
	if err != nil {
		return nil, err
	}
	take := func() error { return syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
	err = take()
	for end := time.Now().Add(lockTime); err != nil && time.Now().Before(end); err = take() {
		time.Sleep(lockTime / 20)
	}
	if err != nil {
		lock.Close()
		return nil, &model.UsageError{Text: fmt.Sprintf("another check uses the checkpoint in %s: wait until it has ended", path)}
	}
	left, _ := filepath.Glob(filepath.Join(path, scratchName+"*"))
	for _, file := range left {
		_ = os.Remove(file) // of a process that was killed when it had just made it
	}
	return &Folder{path: path, lock: lock}, nil
}

// Path is that of the folder.
func (f *Folder) Path() string { return f.path }

// Close lets others use the checkpoint.
func (f *Folder) Close() error { return f.lock.Close() }

// Demand notes what a search depends on when it begins, and demands the same when it goes on. The error names what changed.
func (f *Folder) Demand(now Program) error {
	now.Java = f.Java
	path := filepath.Join(f.path, programFile)
	content, err := files.ReadRegular(path)
	if errors.Is(err, fs.ErrNotExist) {
		if levels, _ := filepath.Glob(filepath.Join(f.path, "levels-*")); len(levels) > 0 {
			return refused(f.path, "its "+programFile+" is missing")
		}
		if err := write(path, now); err != nil {
			f.fail(err)
		}
		return nil
	}
	var before Program
	if err == nil {
		err = json.Unmarshal(content, &before)
	}
	if err != nil {
		return refused(f.path, "its "+programFile+" cannot be read")
	}
	switch changed := changed(before.Classes, now.Classes); {
	case before.Java != now.Java:
		return refused(f.path, fmt.Sprintf("it was made with Java %s, and this is %s", before.Java, now.Java))
	case len(changed) > 0:
		return refused(f.path, "the program changed: "+strings.Join(changed, ", "))
	case before.Rest != now.Rest:
		return refused(f.path, "a resource of the program changed, or a setting of Java, such as its encoding (LANG)")
	case before.Facts != now.Facts:
		return refused(f.path, "the initial state or the faults of the program changed")
	}
	return nil
}

func refused(path, reason string) error {
	return &model.UsageError{Text: fmt.Sprintf("the search of %s cannot go on: %s; --checkpoint with a new folder begins anew", path, reason)}
}

// mostNamed is how many classes an error names.
const mostNamed = 3

// changed names the classes that differ.
func changed(before, now map[string]string) (names []string) {
	all := maps.Clone(before)
	maps.Copy(all, now)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		was, had := before[name]
		is, has := now[name]
		switch {
		case had && !has:
			names = append(names, "class "+name+" is gone")
		case !had && has:
			names = append(names, "class "+name+" is new")
		case was != is:
			names = append(names, "class "+name)
		}
	}
	if more := len(names) - mostNamed; more > 0 {
		names = append(names[:mostNamed], fmt.Sprintf("and %d more", more))
	}
	return names
}

// fail notes why something could not be written.
func (f *Folder) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.failed == nil {
		f.failed = err
	}
}

// Failed returns why something could not be written, nil if all was.
func (f *Folder) Failed() error {
	if _, err := os.Stat(filepath.Join(f.path, commandFile)); err != nil {
		f.fail(err) // somebody removed it
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.failed
}
