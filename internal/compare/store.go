package compare

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"

	"harrier/internal/model"
	"harrier/internal/process/files"
	"harrier/internal/process/launch/codebase"
)

// Store is a folder in which results are kept, each in a file of its own.
type Store struct{ Dir string }

// key is all that decides the result of a run.
type key struct {
	Content    string            `json:"content"` // digest of the program
	Scenario   string            `json:"scenario"`
	Parameters []model.Parameter `json:"parameters"`
	Flags      []string          `json:"flags"` // of check: the mode's and those common to all runs
	Seconds    float64           `json:"seconds"`
	Memory     uint64            `json:"memory"`
	Harrier    string            `json:"harrier"` // its build, and the Java it runs
	Machine    Machine           `json:"machine"`
	Round      int               `json:"round"` // which of several runs
}

// kept is the form of a file.
type kept struct {
	Version int      `json:"version"`
	Key     key      `json:"key"`
	Beside  []string `json:"beside"` // as in report.Summary
	Found   string   `json:"found"`  // a digest of what was found by these names
	Result  Result   `json:"result"`
	Sum     string   `json:"sum"` // a hash of the rest
}

// sum is what Sum is to be.
func (k kept) sum() (string, error) {
	k.Sum = ""
	text, err := json.Marshal(k)
	return codebase.Hash(string(text)), err
}

// keptVersion is the version of the form. Files of another version are not read.
const keptVersion = 4

// find gives the result that is kept under a key. What cannot be read, or was changed, is as good as not there: the run
// is made again and replaces it.
func (s Store) find(job Job, k key) (Result, bool) {
	content, err := files.ReadRegular(s.path(job, k))
	if err != nil {
		return Result{}, false
	}
	var found kept
	if err := json.Unmarshal(content, &found); err != nil || found.Version != keptVersion || !reflect.DeepEqual(found.Key, k) {
		return Result{}, false
	}
	if sum, err := found.sum(); err != nil || sum != found.Sum {
		return Result{}, false
	}
	if now, err := codebase.BesidesDigest(job.Program.Path, job.Program.ClassPath, found.Beside); err != nil || now != found.Found {
		return Result{}, false
	}
	return found.Result, true
}

// keep writes a result, whole or not at all.
func (s Store) keep(job Job, k key, r Result) error {
	whole := kept{Version: keptVersion, Key: k, Beside: r.beside, Result: r}
	var err error
	var content []byte
	if whole.Found, err = codebase.BesidesDigest(job.Program.Path, job.Program.ClassPath, r.beside); err == nil {
		whole.Sum, err = whole.sum()
	}
	if err == nil {
		content, err = json.MarshalIndent(whole, "", "  ")
	}
	if err == nil {
		err = files.WriteWhole(s.path(job, k), append(content, '\n'))
	}
	if err != nil {
		return fmt.Errorf("keeping the result of a run: %w; --out names another folder", err)
	}
	return nil
}

// path is where the result of a job is: a name for people, and the key.
func (s Store) path(job Job, k key) string {
	text, err := json.Marshal(k)
	if err != nil {
		panic(err) // strings and numbers always have a form
	}
	sum := sha256.Sum256(text)
	base := filepath.Base(job.Program.Path)
	base = strings.TrimSuffix(base, filepath.Ext(base))
	return filepath.Join(s.Dir, "runs", fmt.Sprintf("%s-%s-%s.json", base, job.Mode.Name, hex.EncodeToString(sum[:8])))
}

// traces is where runs put their traces.
func (s Store) traces() string { return filepath.Join(s.Dir, "traces") }
