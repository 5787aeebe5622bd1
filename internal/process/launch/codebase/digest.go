// Package codebase finds the files of a program and of its class path, digests them, and says which of them a process that runs the
// program must be able to read.
package codebase

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"harrier/internal/process/files"
)

// Digest stands for the content of a program and of its class path: sources and classes, with all sources that the compiler may
// find for them beside and around the program (see Compiler.java). It may take in more than is compiled and loaded, never less:
// then a result is not found again, which costs time only.
func Digest(path string, classPath []string) (string, error) {
	program, home, err := locate(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s does not exist; parameters are written PROGRAM:name=value,name=value", path)
	}
	if err != nil {
		return "", err
	}
	sum, err := entryDigest(program, home, false)
	if err != nil {
		return "", fmt.Errorf("reading the program: %w", err)
	}
	libraries, err := LibrariesDigest(classPath)
	return Hash(sum + "\n" + libraries), err
}

// locate returns the absolute path of a program and the folder that it is in, or is.
func locate(path string) (program, home string, err error) {
	if program, err = filepath.Abs(path); err != nil {
		return "", "", err
	}
	info, err := os.Stat(program)
	if err == nil && !info.IsDir() {
		return program, filepath.Dir(program), nil
	}
	return program, program, err
}

// Files are the sources, classes and jars that Digest takes in: the program's, and those of each entry of its class path.
func Files(path string, classPath []string) (all [][]string, err error) {
	program, home, err := locate(path)
	if err != nil {
		return nil, err
	}
	c, err := entryFiles(program, home, false)
	for _, entry := range classPath {
		if err != nil {
			break
		}
		all = append(all, slices.Sorted(maps.Keys(c.sums)))
		if entry, err = filepath.Abs(entry); err == nil {
			c, err = entryFiles(entry, entry, true)
		}
	}
	return append(all, slices.Sorted(maps.Keys(c.sums))), err
}

// LibrariesDigest stands for the content of a class path, as Digest does.
func LibrariesDigest(classPath []string) (string, error) {
	var sums []string
	for _, entry := range classPath {
		sum, err := entryDigest(entry, entry, true)
		if err != nil {
			return "", fmt.Errorf("reading the class path: %w", err)
		}
		sums = append(sums, sum)
	}
	return Hash(strings.Join(sums, "\n")), nil
}

// BesidesDigest hashes the files that a program finds by some names beside its classes, in folders: where its packages may start, and in
// those of its class path. Digest has the content of jars.
func BesidesDigest(path string, classPath, names []string) (string, error) {
	program, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	below, err := filesBelow(program, false, map[string]bool{})
	if err != nil {
		return "", err
	}
	home := program
	if len(below) == 1 && below[0] == program {
		home = filepath.Dir(program)
	}
	var found []string
	for i, root := range append(SourceRoots(home, below), classPath...) {
		for _, name := range names {
			if !filepath.IsLocal(name) {
				continue
			}
			if content, err := files.ReadRegular(filepath.Join(root, name)); err == nil {
				found = append(found, fmt.Sprintf("%d %q %s", i, name, Hash(string(content))))
			}
		}
	}
	return Hash(strings.Join(found, "\n")), nil
}

// entryDigest hashes the files at a path, with the sources around if it has some. Files are named by where they are from home.
func entryDigest(path, home string, linked bool) (string, error) {
	c, err := entryFiles(path, home, linked)
	if err != nil {
		return "", err
	}
	var lines []string
	for file, sum := range c.sums {
		if relative, err := filepath.Rel(home, file); err == nil {
			file = relative
		}
		lines = append(lines, fmt.Sprintf("%q %s", file, sum))
	}
	slices.Sort(lines)
	return Hash(strings.Join(lines, "\n")), nil
}

// entryFiles returns the files at a path, with the sources around if it has some.
func entryFiles(path, home string, linked bool) (c closure, err error) {
	below, err := filesBelow(path, linked, map[string]bool{})
	if err != nil {
		return c, err
	}
	c = closure{roots: SourceRoots(home, below), tried: map[string]bool{}, sums: map[string]string{}}
	for _, file := range below {
		if err := c.addFile(file); err != nil {
			return c, err
		}
	}
	return c, nil
}

// Hash is the SHA-256 hash of a text, in hexadecimal digits.
func Hash(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

// HashOf is the hash of a document's JSON.
func HashOf(document any) string {
	text, err := json.Marshal(document)
	if err != nil {
		panic(err) // it has strings, numbers and bytes
	}
	return Hash(string(text))
}

// filesBelow are a file, or the sources and classes in a folder and in those below it, and if linked
// in those that are linked to as well.
func filesBelow(path string, linked bool, seen map[string]bool) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return []string{path}, err
	}
	folder, err := filepath.EvalSymlinks(path)
	if err != nil || seen[folder] {
		return nil, err
	}
	seen[folder] = true
	entries, err := os.ReadDir(path)
	var all []string
	for _, e := range entries {
		below := filepath.Join(path, e.Name())
		info, gone := os.Stat(below)
		code := filepath.Ext(below) == ".java" || filepath.Ext(below) == ".class"
		if gone != nil || !info.IsDir() && !(code && info.Mode().IsRegular()) || info.IsDir() && e.Type() == fs.ModeSymlink && !linked {
			continue
		}
		more, err := filesBelow(below, linked, seen)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return all, err
}

var (
	packageLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*package\s+([\pL\pN_$.]+)\s*;`) })
	dottedName  = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`[\pL_$][\pL\pN_$]*(?:\s*\.\s*(?:[\pL_$][\pL\pN_$]*|\*))+`)
	})
)

// packageOf is the package that a source says it is in.
func packageOf(source []byte) string {
	match := packageLine().FindSubmatch(source)
	if match == nil {
		return ""
	}
	return string(match[1])
}

// inFolders is a package as a path.
func inFolders(name string) string { return strings.ReplaceAll(name, ".", string(filepath.Separator)) }

// SourceRoots are the folders that packages may start from: the program's, the one around it, and where the package of each
// source starts. harrier.runtime.load.compile.Compiler looks into the same ones.
func SourceRoots(folder string, sources []string) []string {
	roots := []string{folder}
	if around := filepath.Dir(folder); around != string(filepath.Separator) {
		roots = append(roots, around)
	}
	for _, source := range sources {
		if filepath.Ext(source) != ".java" {
			continue
		}
		content, err := files.ReadRegular(source)
		if err != nil {
			continue
		}
		inside := inFolders(packageOf(content))
		root, ok := strings.CutSuffix(filepath.Dir(source), string(filepath.Separator)+inside)
		if ok && inside != "" && !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	return roots
}

// closure collects the sources that others refer to.
type closure struct {
	roots []string          // the folders that packages start from
	tried map[string]bool   // names of packages that were looked for
	sums  map[string]string // of the content, by path
}

// addFile adds a file and, of a source, the packages it is in or names.
func (c *closure) addFile(file string) error {
	if c.sums[file] != "" {
		return nil
	}
	content, err := files.ReadRegular(file)
	if err != nil {
		return err
	}
	c.sums[file] = Hash(string(content))
	if filepath.Ext(file) != ".java" {
		return nil
	}
	err = c.addPackage(packageOf(content))
	for _, name := range dottedName().FindAllString(string(content), -1) {
		name = strings.Join(strings.Fields(name), "")
		for i, r := range name {
			if r == '.' && err == nil {
				err = c.addPackage(name[:i])
			}
		}
	}
	return err
}

// addPackage adds the sources of a package, if the name is that of a package.
func (c *closure) addPackage(name string) error {
	if c.tried[name] {
		return nil
	}
	c.tried[name] = true
	for _, root := range c.roots {
		folder := filepath.Join(root, inFolders(name))
		entries, _ := os.ReadDir(folder)
		for _, e := range entries {
			if filepath.Ext(e.Name()) != ".java" {
				continue
			}
			if err := c.addFile(filepath.Join(folder, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}
