package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"harrier/internal/sandbox"
)

// A program's sources may refer to neighbours: harrier.runtime.load.Compiler has the folders that it looks into, and here are
// the same, since nothing else can be read in the sandbox.

// reachOf is what is read of the program at a path: itself, its class path, and the neighbours of its sources.
func reachOf(path string, classPath []string) (sandbox.Policy, error) {
	p := sandbox.Policy{Read: append([]string{path}, classPath...)}
	if err := demandFiles(p.Read...); err != nil {
		return p, err
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return p, err
	}
	sources, links := sourcesOf(absolute)
	p.Read = append(p.Read, links...)
	if len(sources) == 0 {
		return p, nil
	}
	folder := absolute
	if sources[0] == absolute {
		folder = filepath.Dir(absolute)
	}
	for _, root := range roots(folder, sources) {
		if isBroad(root) {
			p.List = append(p.List, root)
			p.Read = append(p.Read, neighbours(root)...)
		} else {
			p.Read = append(p.Read, root)
		}
	}
	return p, nil
}

// demandFiles returns an error if something that is to be read is there and has no end that can be reached, such as a pipe.
func demandFiles(paths ...string) error {
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
			return fmt.Errorf("%s is neither a file nor a folder", path)
		}
	}
	return nil
}

// sourcesOf are the sources of the program at a path, and the files that symbolic links among its files lead to.
func sourcesOf(path string) (sources, links []string) {
	walk(path, func(file string) bool {
		extension := filepath.Ext(file)
		if extension != ".java" && extension != ".class" {
			return true
		}
		if target := targetOf(file); target != file && target != "" {
			links = append(links, target)
		}
		if extension == ".java" {
			sources = append(sources, file)
		}
		return true
	})
	return sources, links
}

// targetOf is where a file is, symbolic links followed; "" if that is a file of another kind: a link may lead to anything.
func targetOf(file string) string {
	target, err := filepath.EvalSymlinks(file)
	if err != nil || filepath.Ext(target) != filepath.Ext(file) {
		return ""
	}
	return target
}

var packageLine = regexp.MustCompile(`(?m)^\s*package\s+([\w.]+)\s*;`)

// roots are the folders that packages may start from: the program's, the one around it, and where the package of each
// source starts.
func roots(folder string, sources []string) []string {
	roots := []string{folder}
	if around := filepath.Dir(folder); around != string(filepath.Separator) {
		roots = append(roots, around)
	}
	for _, source := range sources {
		if info, err := os.Stat(source); err != nil || !info.Mode().IsRegular() {
			continue
		}
		content, _ := os.ReadFile(source)
		if line := packageLine.FindSubmatch(content); line != nil {
			inside := string(filepath.Separator) + strings.ReplaceAll(string(line[1]), ".", string(filepath.Separator))
			if root, ok := strings.CutSuffix(filepath.Dir(source), inside); ok && !slices.Contains(roots, root) {
				roots = append(roots, root)
			}
		}
	}
	return roots
}

// isBroad reports whether a folder holds more than programs, such as the user's home.
func isBroad(folder string) bool {
	home, err := os.UserHomeDir()
	return strings.Count(folder, string(filepath.Separator)) < 2 || err == nil && isIn(home, folder)
}

// isIn reports whether a path is a folder or below it.
func isIn(path, folder string) bool {
	relative, err := filepath.Rel(folder, path)
	return err == nil && relative != ".." && !strings.HasPrefix(relative, ".."+string(filepath.Separator))
}

// mostEntries is how many files and folders are looked at below a broad folder.
const mostEntries = 2000

// neighbours are the sources below a broad folder that a program may need, one by one. What is hidden is left out, and so
// are folders that would take too long to look through.
func neighbours(root string) []string {
	var found []string
	entries := 0
	walk(root, func(file string) bool {
		if filepath.Ext(file) == ".java" && targetOf(file) != "" {
			found = append(found, file)
		}
		entries++
		return entries < mostEntries && !strings.HasPrefix(filepath.Base(file), ".")
	})
	return found
}

// walk visits what is at a path and, breadth first, below it, without following symbolic links to folders. It goes into the
// folders for which visit returns true.
func walk(path string, visit func(path string) bool) {
	info, err := os.Stat(path)
	if err != nil {
		return
	}
	type entry struct {
		path     string
		isFolder bool
	}
	for queue := []entry{{path, info.IsDir()}}; len(queue) > 0; queue = queue[1:] {
		if goIn := visit(queue[0].path); !goIn || !queue[0].isFolder {
			continue
		}
		entries, _ := os.ReadDir(queue[0].path)
		for _, e := range entries {
			queue = append(queue, entry{filepath.Join(queue[0].path, e.Name()), e.IsDir()})
		}
	}
}
