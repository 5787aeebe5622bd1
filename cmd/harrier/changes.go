package main

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"harrier/report"
)

// glance is how often it is looked whether a program changed.
const glance = 100 * time.Millisecond

// verdicts are what exit codes of checks are called.
var verdicts = map[int]report.Verdict{
	report.ExitVerified: report.Verified, report.ExitViolated: report.Violated, report.ExitInconclusive: report.Inconclusive,
}

// onChanges checks, and again whenever the program or its libraries change, until it is interrupted. It says how verdicts differ.
func (k *checking) onChanges(c *cobra.Command) error {
	for last := report.Verdict(""); ; {
		before := k.files()
		err := k.once(c)
		if c.Context().Err() != nil {
			return err
		}
		now, ok := verdicts[exitCode(c.Context(), err, c.ErrOrStderr(), nil)]
		if !ok {
			now = "not checked"
		}
		change := ""
		switch last {
		case "":
		case now:
			change = ", as before"
		default:
			change = ", and was " + string(last) + " before"
		}
		complain(c.ErrOrStderr(), fmt.Sprintf("%s%s; waiting for changes of %s", now, change, k.program), nil)
		if last = now; !k.await(c, before) {
			return c.Context().Err()
		}
	}
}

// await waits for files to change, and for the changes to be whole. It reports whether they did before the command was interrupted.
func (k *checking) await(c *cobra.Command, before string) bool {
	for last := before; ; {
		select {
		case <-c.Context().Done():
			return false
		case <-time.After(glance):
		}
		now := k.files()
		if now != before && now == last {
			return true
		}
		last = now
	}
}

// files describes the files of the program and its libraries: their sizes, and when they were changed.
func (k *checking) files() string {
	var all strings.Builder
	libraries, _ := expandClassPath(k.classPath) // what is wrong with it the check says
	for _, path := range append([]string{k.program}, libraries...) {
		_ = filepath.WalkDir(path, func(file string, entry fs.DirEntry, err error) error {
			if err != nil {
				return nil // it may be about to be replaced
			}
			if info, err := entry.Info(); err == nil && !entry.IsDir() {
				fmt.Fprintln(&all, file, info.Size(), info.ModTime().UnixNano())
			}
			return nil
		})
	}
	return all.String()
}
