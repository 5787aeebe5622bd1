// Package sandbox confines a process and all its threads: it reads and writes granted files only, starts no
// process and opens no socket. On Linux, Landlock restricts files and a seccomp filter the system calls.
//
// The process that starts another one makes a ruleset (Policy.Ruleset) and hands it down; the child is confined
// before Go's runtime starts (confine_linux.c), and filters its system calls itself (Filter). Elsewhere, and where the
// kernel has neither, nothing is confined, and Missing says so.
package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Policy says what a process may reach in the file system, beside what any Java needs.
type Policy struct {
	Read  []string // files, and folders with all below
	List  []string // folders whose names may be read, with those below, but no content of files
	Write []string // folders, in which files may be made, read, changed and removed
	Port  int      // the TCP port at which it may wait for a debugger; 0 for none
}

// A Grant is a file that a ruleset names: another file that comes to be at its path is not granted.
type Grant struct {
	Path string
	File os.FileInfo // nil if there was none
}

// Grants returns the present grants of a policy. Files below a folder that may be read are granted with it.
func (p Policy) Grants() (grants []Grant) {
	for _, path := range slices.Concat(p.Read, p.List) {
		if !slices.ContainsFunc(p.Read, func(folder string) bool { return strings.HasPrefix(path, folder+string(filepath.Separator)) }) {
			info, _ := os.Stat(path)
			grants = append(grants, Grant{path, info})
		}
	}
	return grants
}

// Same reports whether two grants are of the same file.
func (g Grant) Same(o Grant) bool { return g.Path == o.Path && os.SameFile(g.File, o.File) }

// RulesetVariable names the environment variable with the descriptor of its ruleset. It is gone
// once the process is confined.
const RulesetVariable = "HARRIER_RULESET"

// Support is what the kernel has for a sandbox.
type Support struct {
	Landlock int // the version of its interface; 0 without Landlock
	Seccomp  bool
}

// String names what there is.
func (s Support) String() string {
	var parts []string
	if s.Landlock > 0 {
		parts = append(parts, fmt.Sprintf("Landlock (version %d)", s.Landlock))
	}
	if s.Seccomp {
		parts = append(parts, "seccomp")
	}
	return strings.Join(parts, " and ")
}

// Missing describes the accesses that programs keep for want of support, or "".
func (s Support) Missing() string {
	var can []string
	if s.Landlock == 0 {
		can = append(can, "read and write files (the kernel has no Landlock)")
	} else if s.Landlock < 3 {
		can = append(can, "truncate files (the kernel's Landlock is older than version 3)")
	}
	if !s.Seccomp {
		can = append(can, "start processes and open sockets (there are no seccomp filters)")
	}
	return strings.Join(can, ", and ")
}
