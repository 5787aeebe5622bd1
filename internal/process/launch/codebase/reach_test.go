package codebase

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"harrier/internal/testkit/must"
)

// writeSources makes files with a content, and gives the folder that they are in without symbolic links.
func writeSources(t *testing.T, sources map[string]string) string {
	t.Helper()
	folder := must.Get(filepath.EvalSymlinks(t.TempDir()))
	for path, content := range sources {
		write(t, filepath.Join(folder, path), content)
	}
	return folder
}

func TestProgramsReachTheirNeighboursAndNotTheHome(t *testing.T) {
	home := writeSources(t, map[string]string{
		"paxos/Paxos.java": "", "util/Quorum.java": "package util;", "Other.java": "", ".ssh/key": "", "notes/secret": "", ".hidden/No.java": "",
		"work/src/a/b/App.java": "package a.b;", "work/src/c/Lib.java": "package c;", "work/classes/A.class": "",
	})
	t.Setenv("HOME", home)
	must.Do(os.Symlink(filepath.Join(home, "notes", "secret"), filepath.Join(home, "paxos", "Secret.java")))
	must.Do(os.Symlink(filepath.Join(home, "util", "Quorum.java"), filepath.Join(home, "paxos", "Quorum.java")))
	all := []string{"Other.java", "paxos/Paxos.java", "paxos/Quorum.java", "util/Quorum.java", "work/src/a/b/App.java", "work/src/c/Lib.java"}
	for _, c := range []struct {
		program    string
		read, list []string
	}{
		{"paxos", append([]string{"paxos"}, all...), []string{"."}},
		{"work/src/a/b/App.java", []string{"work/src/a/b/App.java", "work/src/a/b", "work/src/a", "work/src"}, nil},
		{"work/classes", []string{"work/classes"}, nil},
		{"Other.java", all, []string{"."}},
	} {
		p := must.Get(Policy(filepath.Join(home, c.program), nil))
		relative := func(paths []string) []string {
			var names []string
			for _, path := range paths {
				name := must.Get(filepath.Rel(home, path))
				names = append(names, name)
			}
			slices.Sort(names)
			return slices.Compact(names)
		}
		slices.Sort(c.read)
		p.List = slices.DeleteFunc(p.List, func(folder string) bool { return !IsIn(folder, home) })
		if read, list := relative(p.Read), relative(p.List); !slices.Equal(read, c.read) || !slices.Equal(list, c.list) {
			t.Errorf("%s: reads %q and lists %q, want %q and %q", c.program, read, list, c.read, c.list)
		}
	}
}

func TestPipesAreNoPrograms(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "F.java")
	must.Do(syscall.Mkfifo(pipe, 0o644))
	if _, err := Policy(pipe, nil); err == nil || !strings.HasSuffix(err.Error(), "F.java is neither a file nor a folder") {
		t.Errorf("error %v", err)
	}
}
