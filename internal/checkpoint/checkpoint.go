// Package checkpoint stores a search in a folder, so that it can go on after it was killed.
//
//	command.json          the version of harrier, the program, the flags (Create, Read)
//	search/program.json   what the program was when the search began (Folder.Demand)
//	search/levels-…/      the levels of a breadth-first search that are complete (levels.Chain)
//	search/reports-…      what the members of a search of several workers reported; the states that they met are with them (Journal)
//	search/answers/…      what Java answered (package bridge/answers)
//
// The supervisor writes command.json, which decides what is run and what confines it. The process that runs the program can write in
// search only. The program may do so too: the files there decide about the search alone, are read as untrusted input, and are authenticated
// with a key of command.json, which the program cannot read.
//
// A search that goes on takes no transition of a level that is complete again (dbss.Options.Levels). It comes to the states and figures of a
// search that was never interrupted.
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
	commandFile  = "command.json"
	searchFolder = "search"
	programFile  = "program.json"
	scratchName  = "scratch-" // begins the names of scratch files, as long as they have one
)

// A Command is what began a search.
type Command struct {
	Version string // of harrier
	Program string // the path as it was given
	Flags   []Flag // that were set
	Libs    string // a hash of what is on the class path
	Kept    string // under which name workers keep states; "" if they explore none
	Key     string // of the codes in the search folder
}

// A Flag is one of the command line, with each of its values.
type Flag struct {
	Name   string
	Values []string
}

// Search is the folder within a checkpoint that the process that runs the program can write to.
func Search(path string) string { return filepath.Join(path, searchFolder) }

// Begun reports whether the search of a checkpoint has begun. Before, there is nothing to go on with.
func Begun(path string) bool {
	_, err := os.Lstat(filepath.Join(Search(path), programFile))
	return err == nil
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
	isOther := func(e os.DirEntry) bool { return e.Name() != commandFile && !(e.Name() == searchFolder && e.IsDir()) }
	_, noCommand := os.Lstat(filepath.Join(path, commandFile))
	searched, err := os.ReadDir(Search(path))
	switch isMade := !slices.ContainsFunc(entries, isOther); {
	case isMade && noCommand == nil && Begun(path):
		return fmt.Errorf("%s has a checkpoint: --resume %s goes on from it; remove the folder to begin anew", path, path)
	case !isMade || len(searched) > 0 || err != nil && !errors.Is(err, fs.ErrNotExist): // else the search did not begin
		return fmt.Errorf("%s is not empty: name a new folder", path)
	}
	if err := os.MkdirAll(Search(path), 0o700); err != nil {
		return err
	}
	return files.WriteSealed(filepath.Join(path, commandFile), nil, c)
}

// Read reads what began the search of a checkpoint of this version of harrier.
func Read(path, version string) (c Command, err error) {
	if folder := within(path); folder != "" {
		return c, fmt.Errorf("the program of %s can write to %s: name the folder of the checkpoint", folder, path)
	}
	file := filepath.Join(path, commandFile)
	content, err := files.ReadRegular(file)
	if errors.Is(err, fs.ErrNotExist) {
		return c, fmt.Errorf("there is no checkpoint in %s: --checkpoint %s makes one", path, path)
	}
	if err == nil {
		err = checkOwned(path)
	}
	if err != nil {
		return c, fmt.Errorf("the checkpoint in %s cannot be read: %w", path, err)
	}
	const anew = "--checkpoint with a new folder begins anew"
	var made struct{ Document struct{ Version string } }
	_ = json.Unmarshal(content, &made) // the seal is of all that is wrong
	if was := made.Document.Version; was != "" && was != version {
		return c, fmt.Errorf("the checkpoint in %s was made by harrier %s, and this is %s: %s", path, was, version, anew)
	}
	if !files.ReadSealed(file, nil, &c) {
		return c, fmt.Errorf("%s was changed or is damaged: %s", file, anew)
	}
	if info, err := os.Lstat(Search(path)); err != nil || !info.IsDir() {
		return c, fmt.Errorf("%s is no folder: %s", Search(path), anew)
	}
	return c, nil
}

// within returns the checkpoint to whose search folder a path leads; "" for none.
func within(path string) string {
	path, _ = filepath.Abs(path) // what is wrong with it, reading it shows
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	for ; path != filepath.Dir(path); path = filepath.Dir(path) {
		checkpoint := filepath.Dir(path)
		if _, err := os.Lstat(filepath.Join(checkpoint, commandFile)); err == nil && filepath.Base(path) == searchFolder {
			return checkpoint
		}
	}
	return ""
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

	path string   // of the search folder
	key  string   // as in Command
	lock *os.File // the folder

	mu     sync.Mutex
	failed error
}

// lockTime is how long a process that was killed may take to end.
const lockTime = 2 * time.Second

// Open takes the search of a checkpoint into use, with the key of its command, until the process ends. Another process that has it in use
// is an error.
func Open(path, key string) (*Folder, error) {
	path = Search(path)
	lock, err := os.Open(path)
	if err != nil {
		return nil, opening(err)
	}
	take := func() error { return syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
	err = take()
	for end := time.Now().Add(lockTime); err != nil && time.Now().Before(end); err = take() {
		time.Sleep(lockTime / 20)
	}
	if err != nil {
		lock.Close()
		return nil, &model.UsageError{Text: fmt.Sprintf("another check uses the checkpoint in %s: wait until it has ended", filepath.Dir(path))}
	}
	left, _ := filepath.Glob(filepath.Join(path, scratchName+"*"))
	for _, file := range left {
		_ = os.Remove(file) // of a process that was killed when it had just made it
	}
	return &Folder{path: path, key: key, lock: lock}, nil
}

// Path is that of the folder in which the search is kept.
func (f *Folder) Path() string { return f.path }

// Close lets others use the checkpoint.
func (f *Folder) Close() error { return f.lock.Close() }

// Demand notes what a search depends on when it begins, and demands the same when it goes on. The error names what changed.
func (f *Folder) Demand(now Program) error {
	now.Java = f.Java
	before, err := f.program()
	if errors.Is(err, fs.ErrNotExist) {
		if levels, _ := filepath.Glob(filepath.Join(f.path, "levels-*")); len(levels) > 0 {
			return f.refused("its " + programFile + " is missing")
		}
		if err := files.WriteSealed(filepath.Join(f.path, programFile), []byte(f.key), now); err != nil {
			f.fail(err)
		}
		return nil
	}
	if err != nil {
		return f.refused(err.Error())
	}
	switch changed := changed(before.Classes, now.Classes); {
	case before.Java != now.Java:
		return f.refused(fmt.Sprintf("it was made with Java %s, and this is %s", before.Java, now.Java))
	case len(changed) > 0:
		return f.refused("the program changed: " + strings.Join(changed, ", "))
	case before.Rest != now.Rest:
		return f.refused("a resource of the program changed, or a setting of Java, such as its encoding (LANG)")
	case before.Facts != now.Facts:
		return f.refused("the initial state or the faults of the program changed")
	}
	return nil
}

// program reads what Demand noted. The error names the file, and the field if one is wrong.
func (f *Folder) program() (p Program, err error) {
	path := filepath.Join(f.path, programFile)
	content, err := files.ReadRegular(path)
	if err != nil {
		return p, err
	}
	var noted struct{ Document map[string]json.RawMessage }
	if err = json.Unmarshal(content, &noted); err != nil {
		return p, fmt.Errorf("%s is damaged: %w", path, err)
	}
	for _, f := range []struct {
		name string
		into any
	}{{"Java", &p.Java}, {"Facts", &p.Facts}, {"Classes", &p.Classes}, {"Rest", &p.Rest}} {
		text, ok := noted.Document[f.name]
		if !ok {
			return p, fmt.Errorf("%s has no Document.%s", path, f.name)
		}
		if err := json.Unmarshal(text, f.into); err != nil {
			return p, fmt.Errorf("%s: Document.%s is damaged: %w", path, f.name, err)
		}
	}
	if !files.ReadSealed(path, []byte(f.key), &p) {
		return p, fmt.Errorf("%s was changed", path)
	}
	return p, nil
}

func (f *Folder) refused(reason string) error {
	return &model.UsageError{Text: fmt.Sprintf("the search of %s cannot go on: %s; --checkpoint with a new folder begins anew", filepath.Dir(f.path), reason)}
}

// mostNamed is how many classes an error names.
const mostNamed = 3

// changed names the classes that differ.
func changed(before, now map[string]string) (names []string) {
	all := map[string]string{}
	maps.Copy(all, before)
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
	if _, err := os.Stat(f.path); err != nil {
		f.fail(err) // somebody removed it
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.failed
}
