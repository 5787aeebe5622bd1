package codebase

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"harrier/internal/process/sandbox"
)

// A program's sources may refer to neighbours: harrier.runtime.load.compile.Compiler has the folders that it looks into, and here are
// the same, since nothing else can be read in the sandbox.

// Policy lets a process read the program at a path: itself, its class path, and the neighbours of its sources.
func Policy(path string, classPath []string) (sandbox.Policy, error) {
	var p sandbox.Policy
	for _, given := range append([]string{path}, classPath...) {
		if err := DemandFiles(given); err != nil {
			return p, err
		}
		absolute, err := filepath.Abs(given)
		if err != nil {
			return p, err
		}
		sources := addFiles(&p, absolute)
		if given != path && isJar(given) {
			p.List = append(p.List, filepath.Dir(absolute)) // the child looks again for what folder/* stands for
		}
		if given != path || len(sources) == 0 {
			continue
		}
		folder := absolute
		if sources[0] == absolute {
			folder = filepath.Dir(absolute)
		}
		for _, root := range SourceRoots(folder, sources) {
			addRoot(&p, root)
		}
	}
	return p, nil
}

// addFiles adds the files at a path, with the files that symbolic links among its sources and classes lead to, and returns the
// sources. Below a broad folder nothing but sources and classes is read.
func addFiles(p *sandbox.Policy, path string) (sources []string) {
	broad := isBroad(path)
	if broad {
		p.List = append(p.List, path)
	} else {
		p.Read = append(p.Read, path)
	}
	walk(path, func(file string) bool {
		extension := filepath.Ext(file)
		if extension != ".java" && extension != ".class" {
			return true
		}
		if target := targetOf(file); target != "" && (broad || target != file) {
			p.Read = append(p.Read, target)
		}
		if extension == ".java" {
			sources = append(sources, file)
		}
		return true
	})
	return sources
}

// addRoot adds a folder that packages start from. Below a broad one, sources are read that a program may need: hidden folders
// are left out, and those that would take too long to look through.
func addRoot(p *sandbox.Policy, root string) {
	if !isBroad(root) {
		p.Read = append(p.Read, root)
		return
	}
	p.List = append(p.List, root)
	entries := 0
	walk(root, func(file string) bool {
		if filepath.Ext(file) == ".java" && targetOf(file) != "" {
			p.Read = append(p.Read, file)
		}
		entries++
		return entries < mostEntries && !strings.HasPrefix(filepath.Base(file), ".")
	})
}

// Readable returns the files that a policy lets a process read, of some: a link must lead to a file of the same kind that it may read.
func Readable(p sandbox.Policy, files []string) (some []string) {
	var within []string
	for _, path := range p.Read {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			within = append(within, real)
		}
	}
	for _, file := range files {
		target := targetOf(file)
		if target != "" && slices.ContainsFunc(within, func(path string) bool { return IsIn(target, path) }) {
			some = append(some, file)
		}
	}
	return some
}

// DemandFiles returns an error if one of some paths leads to neither a file nor a folder, but to something such as a pipe, whose end may
// never be reached. A path that leads nowhere is no error.
func DemandFiles(paths ...string) error {
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case !utf8.ValidString(path):
			return fmt.Errorf("the name of %s is not UTF-8, so Java does not find it: rename it", path)
		case err != nil && !errors.Is(err, os.ErrNotExist):
			return err
		case err == nil && !info.IsDir() && !info.Mode().IsRegular():
			return fmt.Errorf("%s is neither a file nor a folder", path)
		}
	}
	return nil
}

// targetOf is where a file is, symbolic links followed; "" if that is a file of another kind: a link may lead to anything.
func targetOf(file string) string {
	target, err := filepath.EvalSymlinks(file)
	if err != nil || filepath.Ext(target) != filepath.Ext(file) {
		return ""
	}
	return target
}

// isBroad reports whether a folder holds more than programs: it is, or has in it, the home of a user, or it is one of
// those at the top.
func isBroad(folder string) bool {
	if strings.Count(folder, string(filepath.Separator)) < 2 {
		return true
	}
	users, _ := os.ReadFile("/etc/passwd")
	homes := []string{os.Getenv("HOME")}
	for line := range strings.Lines(string(users)) {
		if field := strings.Split(line, ":"); len(field) > 5 {
			homes = append(homes, field[5])
		}
	}
	return slices.ContainsFunc(homes, func(home string) bool { return filepath.IsAbs(home) && IsIn(home, folder) })
}

// IsIn reports whether a path is a folder or below it.
func IsIn(path, folder string) bool {
	relative, err := filepath.Rel(folder, path)
	return err == nil && relative != ".." && !strings.HasPrefix(relative, ".."+string(filepath.Separator))
}

// mostEntries is how many files and folders are looked at below a broad folder.
const mostEntries = 2000

// walk visits the file at a path and, breadth first, below it, without following symbolic links to folders. It goes into the
// folders for which visit returns true.
func walk(path string, visit func(path string) bool) {
	info, err := os.Stat(path)
	if err != nil {
		return
	}
	type entry struct {
		path   string
		folder bool
	}
	for queue := []entry{{path, info.IsDir()}}; len(queue) > 0; queue = queue[1:] {
		if goIn := visit(queue[0].path); !goIn || !queue[0].folder {
			continue
		}
		entries, _ := os.ReadDir(queue[0].path)
		for _, e := range entries {
			queue = append(queue, entry{filepath.Join(queue[0].path, e.Name()), e.IsDir()})
		}
	}
}
