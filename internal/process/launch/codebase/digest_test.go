package codebase

import (
	"os"
	"path/filepath"
	"testing"

	"harrier/internal/testkit/must"
)

// TestDigestFollowsTheCompiler changes one file at a time around a program and reports whether the compiler
// may read it.
func TestDigestFollowsTheCompiler(t *testing.T) {
	const main = "src/app/main/Main.java"
	files := map[string]string{
		main:                       "package app.main;\nimport app.lib . Helper;\nclass Main extends other.Base { }",
		"src/app/main/deep/D.java": "package app.main.deep; class D { Object o = new far.Far(); }",
		"src/app/lib/Helper.java":  "package app.lib;",
		"src/app/lib/Second.java":  "package app.lib; import all.*; import all.of.*; class Second { third.T t; }",
		"src/all/A.java":           "package all;",
		"src/all/of/B.java":        "package all.of;",
		"src/third/T.java":         "package third;",
		"src/app/other/Base.java":  "package other;",
		"src/far/Far.java":         "package far;",
		"src/unused/Unused.java":   "package unused;",
		"src/app/lib/notes.txt":    "nothing",
	}
	folder := t.TempDir()
	for name, text := range files {
		write(t, filepath.Join(folder, name), text)
	}
	sum := func() string {
		t.Helper()
		return must.Get(Digest(filepath.Join(folder, "src/app/main"), nil))
	}
	before := sum()
	for name, text := range files {
		write(t, filepath.Join(folder, name), text+"\n//")
		matters := name != "src/unused/Unused.java" && name != "src/app/lib/notes.txt"
		if changed := sum() != before; changed != matters {
			t.Errorf("%s: changed %v, want %v", name, changed, matters)
		}
		write(t, filepath.Join(folder, name), text)
	}
	if sum() != before {
		t.Error("the same content has another digest")
	}
	moved := t.TempDir()
	must.Do(os.Rename(filepath.Join(folder, "src"), filepath.Join(moved, "src")))
	folder = moved
	if sum() != before {
		t.Error("the digest depends on where the program is")
	}
	must.Do(os.Rename(filepath.Join(folder, main), filepath.Join(folder, "src/app/main/Man.java")))
	if sum() == before {
		t.Error("the digest does not depend on the names of files")
	}
}

func TestDigestOfClassesAndJars(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"classes/p/A.class", "a.jar"} {
		path := filepath.Join(folder, name)
		program := filepath.Join(folder, filepath.SplitList(filepath.Dir(name))[0])
		if filepath.Ext(name) == ".jar" {
			program = path
		}
		write(t, path, "1")
		before := must.Get(Digest(program, nil))
		write(t, path, "2")
		if must.Get(Digest(program, nil)) == before {
			t.Errorf("%s: another content has the same digest", name)
		}
	}
}

func TestDigestTakesInTheClassPath(t *testing.T) {
	folder := t.TempDir()
	program := filepath.Join(folder, "program.jar")
	write(t, program, "program")
	entries := []string{filepath.Join(folder, "lib.jar"), filepath.Join(folder, "classes")}
	write(t, entries[0], "jar")
	write(t, filepath.Join(entries[1], "p/A.class"), "class")
	write(t, filepath.Join(folder, "linked/B.class"), "class")
	must.Do(os.Symlink(filepath.Join(folder, "linked"), filepath.Join(entries[1], "q")))
	sum := func() string { return must.Get(Digest(program, entries)) }
	before := sum()
	if before == must.Get(Digest(program, nil)) || before == must.Get(Digest(program, []string{entries[1], entries[0]})) {
		t.Error("the entries, or their order, do not count")
	}
	for _, file := range []string{entries[0], filepath.Join(entries[1], "p/A.class"), filepath.Join(folder, "linked/B.class")} {
		was := must.Get(os.ReadFile(file))
		write(t, file, "changed")
		if sum() == before {
			t.Errorf("%s: another content has the same digest", file)
		}
		write(t, file, string(was))
	}
	write(t, filepath.Join(entries[1], "notes.txt"), "no class")
	if sum() != before {
		t.Error("files that are no classes count")
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	must.Do(os.MkdirAll(filepath.Dir(path), 0o755))
	must.Do(os.WriteFile(path, []byte(text), 0o644))
}
