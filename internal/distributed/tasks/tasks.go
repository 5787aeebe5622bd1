// Package tasks shares out the levels of a breadth-first search among processes, its members.
//
//	Files      has run files and others by name, for all members
//	Register   has entries that are made once: claims, outcomes of tasks, and manifests of levels
//	Member     is a member's part: it takes tasks and hands in their outcomes
//	Follower   is the part of the check, which sees the levels that are complete
//	Split      says which states of a level are of one part
//	Folder     is files in a folder that machines share, S3 in a bucket, and Cache has copies of some on this machine
//
// A level is made in two phases of tasks. Those that expand take the transitions of some states of the level before and write where
// they lead, the candidates, to a run file for each part. Those that merge find the new states of some parts among all candidates, test
// them and write which they are. What a task comes to depends on files alone, so it may be worked out more than once: the first outcome in the
// register counts. Once each task has one, any member makes the manifest of the level. Nothing else makes a level complete, so a member
// that ends, or does something twice, can delay a search and change nothing that it finds.
package tasks

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"harrier/internal/distributed/levels"
)

// A Register has entries by key, each of which is made once and does not change. Keys are paths. Several goroutines may call its methods.
type Register interface {
	// Make makes an entry, and reports whether there was none with its key.
	Make(ctx context.Context, key string, content []byte) (made bool, err error)
	// Under returns the entries of a folder of keys, by their names there. The folder ends with a slash.
	Under(ctx context.Context, folder string) (map[string][]byte, error)
	// Await waits until a folder has more than some entries, or for some time.
	Await(ctx context.Context, folder string, entries int, most time.Duration) error
}

// Files has files by the names that their contents have. Several goroutines may call its methods.
type Files interface {
	// Keep keeps a file that write writes, under the name that write returns.
	Keep(ctx context.Context, write func(to io.Writer) (name string, err error)) (name string, err error)
	// Open opens a file for reading, which the caller closes. One that is missing is a *levels.DamagedError.
	Open(ctx context.Context, name string) (levels.File, error)
	// Clear removes all files.
	Clear(ctx context.Context) error
}

// A File is a run file with states of one of some parts.
type File struct {
	Name   string
	States int
	Parts  int
}

// A Part is some states of a level: those of one part of its Split.
type Part struct {
	Number  int
	States  int
	Runs    []File `json:",omitempty"` // its candidates
	Chosen  string `json:",omitempty"` // the name of the file that says which of them are its states (levels.Choice)
	Visited []File `json:",omitempty"` // these and all states of the part in levels before; and those of other parts where there were fewer
}

// A Level is the manifest of a level that is complete.
type Level struct {
	Number  int
	Before  string // the hash of the manifest of the level before; "" for the first
	Split   Split  // by which its states are of parts
	Next    Split  // by which those of the next level will be
	Pace    Pace   // of its tasks
	Parts   []Part
	Texts   []string          // the names of the files with the texts of components that no level before has
	Results map[string]string // the hashes of the outcomes of its tasks, by their names
}

// States is the number of states of the level.
func (l *Level) States() (n int) {
	for _, p := range l.Parts {
		n += p.States
	}
	return n
}

// visited are the files with the states of a part of the next level that were visited up to this one.
func (l *Level) visited(part int) []File {
	return l.Parts[part%l.Split.Parts].Visited
}

// A Task makes a part of a level. Those that expand are about pieces of the level before, and those that merge about parts of the level.
type Task struct {
	Level  int // that is made
	Merge  bool
	Number int
	Pieces []Piece
	Before uint64 // the number of states of the level before
	Split  Split  // of the level that is made
}

// A Piece is the states of a task: of a part of the level before, or candidates for a part.
type Piece struct {
	Part     int
	Runs     []File // as in Part
	Chosen   string // to expand: as in Part
	States   int    // to expand: of the part
	Visited  []File // to merge: runs with all states of the part that were met before
	From, To int    // to expand: the places in the part
	First    uint32 // to expand: the place in the level of the state at From
}

// states is how many states are expanded, or how many candidates merged.
func (p *Piece) states() (n int) {
	if p.To > p.From {
		return p.To - p.From
	}
	for _, r := range p.Runs {
		n += r.States
	}
	return n
}

// states is how many states of a task are expanded, or how many candidates merged.
func (t *Task) states() (n int) {
	for i := range t.Pieces {
		n += t.Pieces[i].states()
	}
	return n
}

// name is that of a task's outcome in the register.
func (t *Task) name() string {
	kind := "expand"
	if t.Merge {
		kind = "merge"
	}
	return fmt.Sprintf("%s-%04d", kind, t.Number)
}

// A Pace is how many states members get through in a second: those that they expand, and candidates that they merge.
type Pace struct{ Expand, Merge float64 }

// An Outcome is the result of a task.
type Outcome struct {
	States  int     // that were expanded, or candidates that were merged
	Seconds float64 // that it took
	Texts   string  // the name of the file with the texts of components in Parts that no file of texts had before; "" for none
	Parts   []Part  // to expand: Runs has all candidates of a part, known states among them; to merge: the new states of each part
	Search  json.RawMessage
}

// folderOf is the folder of the register for the tasks of a level, with its manifest.
func folderOf(search string, level int) string { return fmt.Sprintf("%s/%06d/", search, level) }

const manifest = "manifest"

func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
