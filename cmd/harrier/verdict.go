package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"harrier/bridge"
	"harrier/internal/liveness"
	"harrier/internal/process/files"
	"harrier/internal/process/launch/codebase"
	"harrier/internal/process/sandbox"
	"harrier/internal/report"
)

// keptVerdict finds what an earlier check came to, and keeps what this one comes to. That is done by the process that does not run the
// program, in a folder that the one that does cannot write to.
type keptVerdict struct {
	*checking
	disk
	folder string
	key    func() (string, error) // hashes what decides the verdict and is known before the check
	found  string                 // the key before the check
}

// disk is a bridge.Disk.
type disk struct {
	identity  string // a hash of harrier, Java and what the sandbox keeps from the program
	program   string
	classPath []string
}

func (d disk) Digest() (string, error) {
	content, err := codebase.Digest(d.program, d.classPath)
	return codebase.HashOf([]string{d.identity, content}), err
}

func (d disk) Besides(names []string) (string, error) {
	return codebase.BesidesDigest(d.program, d.classPath, names)
}

// verdictFile is the document of a file.
type verdictFile struct {
	Key    string
	Beside string            // a digest of what there is of Summary.Beside
	Files  map[string]string // hashes of those that the summary names, by path
	// Summary is what the process that runs Java says of a check that comes to the same if it is made again.
	Summary *report.Summary
}

// keptVerdicts is how many are kept, those used last.
const keptVerdicts = 1000

// find looks for the verdict of an earlier check and prints it. What cannot be read, or was changed, is as good as not there.
func (v *keptVerdict) find(c *cobra.Command, jdk *bridge.JDK, home *bridge.Home) (found bool, err error) {
	executable, err := os.Executable()
	if err != nil {
		return false, err
	}
	identity, err := codebase.Identity(executable, jdk.Version)
	if err != nil {
		return false, err
	}
	java, err := jdk.Identity()
	if err != nil {
		return false, err
	}
	// --timeout is not in the key: only verdicts that it cannot change are kept.
	line := commandLine(c, []string{"check", v.checking.program}, "timeout", "json")
	v.folder = home.Verdicts
	v.disk = disk{codebase.HashOf([]string{identity, java, sandbox.Find().Missing(), v.sandbox}), v.checking.program, v.Source.ClassPath}
	v.key = func() (string, error) {
		digest, err := v.Digest()
		return codebase.HashOf([]string{digest, line}), err
	}
	if v.found, err = v.key(); err != nil {
		return false, nil // the check says what is wrong
	}
	var f verdictFile
	if !files.ReadSealed(v.path(), nil, &f) || f.Key != v.found || f.Summary == nil {
		return false, nil
	}
	if beside, err := v.Besides(f.Summary.Beside); err != nil || beside != f.Beside {
		return false, nil
	}
	for path, hash := range f.Files {
		if content, err := files.ReadRegular(path); err != nil || codebase.HashOf(content) != hash {
			return false, nil
		}
	}
	now := time.Now()
	_ = os.Chtimes(v.path(), now, now) // those used last stay
	f.Summary.VerdictKept, f.Summary.Reproduce = true, v.again(c)
	return true, v.answer(c, f.Summary)
}

// keep keeps what the check came to, if the program is still what it was before. What cannot be written is not kept.
func (v *keptVerdict) keep(summary []byte) {
	f := verdictFile{Key: v.found, Files: map[string]string{}}
	if json.Unmarshal(summary, &f.Summary) != nil || f.Summary == nil {
		return
	}
	var err error
	if f.Beside, err = v.Besides(f.Summary.Beside); err != nil {
		return
	}
	paths, err := filesOf(f.Summary)
	if err != nil {
		return
	}
	for _, path := range paths {
		if !codebase.IsIn(path, v.out) { // it is no result, whatever the child says
			return
		}
		content, err := files.ReadRegular(path)
		if err != nil {
			return
		}
		f.Files[path] = codebase.HashOf(content)
	}
	if now, err := v.key(); err != nil || now != v.found {
		return
	}
	if files.WriteSealed(v.path(), nil, f) == nil {
		files.DropOldest(v.folder, ".json", keptVerdicts)
	}
}

func (v *keptVerdict) path() string { return filepath.Join(v.folder, v.found+".json") }

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

// keepVerdict has the supervisor keep what a check came to.
func (c *child) keepVerdict(summary *report.Summary) error {
	document, err := json.Marshal(summary)
	if err == nil && c.setup.Keeps {
		c.link.Keep(document)
	}
	return err
}
