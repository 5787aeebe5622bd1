// Package verdicts keeps the verdicts of checks, for the same check of an unchanged program. They are found and kept by the supervisor, in a
// folder that the process that runs the program cannot write to.
package verdicts

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"harrier/bridge"
	"harrier/internal/liveness"
	"harrier/internal/process/files"
	"harrier/internal/process/launch/codebase"
	"harrier/internal/process/sandbox"
	"harrier/internal/report"
)

// Identity hashes all that decides verdicts beside programs and command lines: this build of harrier, Java, and the sandbox's limits of
// programs, with the value of --sandbox.
func Identity(jdk *bridge.JDK, mode string) (string, error) {
	identity, err := codebase.OwnIdentity(jdk.Version)
	if err != nil {
		return "", err
	}
	java, err := jdk.Identity()
	return codebase.HashOf([]string{identity, java, sandbox.Find().Missing(), mode}), err
}

// Disk digests the files of a program. It implements bridge.Disk.
type Disk struct {
	Identity  string // see the function
	Program   string
	ClassPath []string
}

// Digest implements bridge.Disk.
func (d Disk) Digest() (string, error) {
	content, err := codebase.Digest(d.Program, d.ClassPath)
	return codebase.HashOf([]string{d.Identity, content}), err
}

// Besides implements bridge.Disk.
func (d Disk) Besides(names []string) (string, error) {
	return codebase.BesidesDigest(d.Program, d.ClassPath, names)
}

// Check is a check whose verdict may be kept.
type Check struct {
	Disk
	Line    string // its command line, without flags that cannot change a verdict that is kept
	Results string // the folder for its traces and pages

	folder string
	before string // its key before it was made
}

// file is a verdict as it is kept.
type file struct {
	Key    string
	Beside string            // a digest of what there is of Summary.Beside
	Files  map[string]string // hashes of those that the summary names, by path
	// Summary is what the process that runs Java says of a check that comes to the same if it is made again.
	Summary *report.Summary
}

// mostKept is how many verdicts are kept, those used last.
const mostKept = 1000

// Find returns the summary of an earlier check that is kept in a folder, or nil. What cannot be read, or was changed, counts as not there.
func (c *Check) Find(folder string) *report.Summary {
	var err error
	c.folder = folder
	if c.before, err = c.key(); err != nil {
		return nil // the check reports the error
	}
	var f file
	if !files.ReadSealed(c.path(), nil, &f) || f.Key != c.before || f.Summary == nil {
		return nil
	}
	if beside, err := c.Besides(f.Summary.Beside); err != nil || beside != f.Beside {
		return nil
	}
	for path, hash := range f.Files {
		if content, err := files.ReadRegular(path); err != nil || codebase.HashOf(content) != hash {
			return nil
		}
	}
	now := time.Now()
	_ = os.Chtimes(c.path(), now, now) // those used last stay
	f.Summary.VerdictKept = true
	return f.Summary
}

// Keep keeps a summary, as JSON, where Find looked for it, if the program has not changed since then. A summary that cannot be written is
// not kept.
func (c *Check) Keep(summary []byte) {
	f := file{Key: c.before, Files: map[string]string{}}
	if json.Unmarshal(summary, &f.Summary) != nil || f.Summary == nil {
		return
	}
	var err error
	if f.Beside, err = c.Besides(f.Summary.Beside); err != nil {
		return
	}
	paths, err := filesOf(f.Summary)
	if err != nil {
		return
	}
	for _, path := range paths {
		if !codebase.IsIn(path, c.Results) { // it is no result, whatever the child says
			return
		}
		content, err := files.ReadRegular(path)
		if err != nil {
			return
		}
		f.Files[path] = codebase.HashOf(content)
	}
	if now, err := c.key(); err != nil || now != c.before {
		return
	}
	if files.WriteSealed(c.path(), nil, f) == nil {
		files.DropOldest(c.folder, ".json", mostKept)
	}
}

// key hashes all that decides the verdict and is known before the check.
func (c *Check) key() (string, error) {
	digest, err := c.Digest()
	return codebase.HashOf([]string{digest, c.Line}), err
}

func (c *Check) path() string { return filepath.Join(c.folder, c.before+".json") }

// filesOf are the files that a summary names: a trace that is violated must be there, even if it could not be written.
func filesOf(s *report.Summary) (paths []string, err error) {
	if v := s.Violation; v != nil && len(v.Steps)+len(v.Start.Creates) > 0 {
		paths = append(paths, v.Trace)
		if v.Picture != "" {
			paths = append(paths, v.Picture)
		}
	}
	if s.Tables != "" {
		paths = append(paths, s.Tables)
	}
	var runs struct{ Liveness []liveness.Figures }
	err = s.Figures(&runs)
	for _, l := range runs.Liveness {
		if l.Witness != "" {
			paths = append(paths, l.Witness)
		}
	}
	return paths, err
}
