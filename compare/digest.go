package compare

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// digest stands for the content of the program at a path and of its class path.
func digest(path string, classPath []string) (string, error) {
	sum, err := programDigest(path)
	if err != nil || classPath == nil {
		return sum, err
	}
	all := sha256.New()
	fmt.Fprintln(all, sum)
	for _, entry := range classPath {
		sum, err := entryDigest(entry)
		if err != nil {
			return "", fmt.Errorf("reading the class path: %w", err)
		}
		fmt.Fprintln(all, sum)
	}
	return hex.EncodeToString(all.Sum(nil)), nil
}

// entryDigest stands for the content of a jar, or of the classes in a folder.
func entryDigest(entry string) (string, error) {
	c := closure{tried: map[string]bool{}, sums: map[string]string{}}
	err := c.addEntry(entry)
	return c.sum(entry), err
}

// addEntry adds a jar, or the classes in a folder and in those below it, however they are linked to.
func (c *closure) addEntry(path string) error {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return c.addFile(path)
	}
	folder, err := filepath.EvalSymlinks(path)
	if err != nil || c.tried[folder] {
		return err
	}
	c.tried[folder] = true
	files, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	for _, f := range files {
		below := filepath.Join(path, f.Name())
		if info, err := os.Stat(below); err != nil || !info.IsDir() && filepath.Ext(below) != ".class" {
			continue
		}
		if err := c.addEntry(below); err != nil {
			return err
		}
	}
	return nil
}

// readRegular reads a file that has an end: others could keep it waiting.
func readRegular(file string) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file that can be read to its end: take it away, or give another program", file)
	}
	return os.ReadFile(file)
}

// programDigest stands for the content of the program at a path: its classes, or its sources with all that the
// compiler may find for them beside and around the program (see Compiler.java). It may take in more
// than the compiler does, never less: then a result is not found again, which costs time only.
func programDigest(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("%s does not exist; parameters are written PROGRAM:name=value,name=value", path)
	}
	files, home := []string{path}, filepath.Dir(path)
	if info.IsDir() {
		home = path
		if files, err = programFiles(path); err != nil {
			return "", fmt.Errorf("reading the program: %w", err)
		}
	}
	if home, err = filepath.Abs(home); err != nil {
		return "", fmt.Errorf("reading the program: %w", err)
	}
	for i := range files {
		if files[i], err = filepath.Abs(files[i]); err != nil {
			return "", fmt.Errorf("reading the program: %w", err)
		}
	}
	c := closure{roots: SourceRoots(home, files), tried: map[string]bool{}, sums: map[string]string{}}
	for _, file := range files {
		if err := c.addFile(file); err != nil {
			return "", fmt.Errorf("reading the program: %w", err)
		}
	}
	return c.sum(home), nil
}

// programFiles are the files of the program in a folder: sources, or classes where there are none.
func programFiles(folder string) ([]string, error) {
	found := map[string][]string{}
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if info, e := os.Stat(path); e == nil && info.Mode().IsRegular() {
			found[filepath.Ext(path)] = append(found[filepath.Ext(path)], path)
		}
		return err
	})
	if sources := found[".java"]; sources != nil {
		return sources, err
	}
	return found[".class"], err
}

// closure collects the sources that others refer to.
type closure struct {
	roots []string          // the folders that packages start from
	tried map[string]bool   // names of packages that were looked for, or folders of a class path
	sums  map[string]string // of the content, by absolute path
}

var (
	packageLine = regexp.MustCompile(`(?m)^\s*package\s+([\pL\pN_$.]+)\s*;`)
	dottedName  = regexp.MustCompile(`[\pL_$][\pL\pN_$]*(?:\s*\.\s*[\pL_$][\pL\pN_$]*)+`)
	spaces      = regexp.MustCompile(`\s+`)
	wildcards   = regexp.MustCompile(`[*?[\\]`)
)

// SourceRoots are the folders that packages may start from: the program's, the one around it, and where the package of each
// source starts. harrier.runtime.load.Compiler looks into the same ones.
func SourceRoots(folder string, sources []string) []string {
	roots := []string{folder}
	if around := filepath.Dir(folder); around != string(filepath.Separator) {
		roots = append(roots, around)
	}
	for _, source := range sources {
		content, err := readRegular(source)
		if err != nil {
			continue
		}
		inside := strings.ReplaceAll(packageOf(content), ".", string(filepath.Separator))
		root, ok := strings.CutSuffix(filepath.Dir(source), string(filepath.Separator)+inside)
		if ok && inside != "" && !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	return roots
}

// packageOf is the package that a source says it is in.
func packageOf(source []byte) string {
	match := packageLine.FindSubmatch(source)
	if match == nil {
		return ""
	}
	return string(match[1])
}

// addFile adds a file, and the packages it is in or names.
func (c *closure) addFile(file string) error {
	content, err := readRegular(file)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(content)
	c.sums[file] = hex.EncodeToString(sum[:])
	if filepath.Ext(file) != ".java" {
		return nil
	}
	if err := c.addPackage(packageOf(content)); err != nil {
		return err
	}
	for _, name := range dottedName.FindAllString(string(content), -1) {
		name = spaces.ReplaceAllString(name, "")
		for i, r := range name {
			if r != '.' {
				continue
			}
			if err := c.addPackage(name[:i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// addPackage adds the sources of a package, if what has the name is one.
func (c *closure) addPackage(name string) error {
	if c.tried[name] {
		return nil
	}
	c.tried[name] = true
	for _, root := range c.roots {
		sources, err := filepath.Glob(filepath.Join(escape(root), filepath.FromSlash(strings.ReplaceAll(name, ".", "/")), "*.java"))
		if err != nil {
			return err
		}
		for _, source := range sources {
			if c.sums[source] != "" {
				continue
			}
			if err := c.addFile(source); err != nil {
				return err
			}
		}
	}
	return nil
}

// escape keeps a path from being read as a pattern.
func escape(path string) string {
	return wildcards.ReplaceAllString(path, `\$0`)
}

// sum is one digest of all files, by where they are from the program's folder.
func (c *closure) sum(home string) string {
	var lines []string
	for file, sum := range c.sums {
		if relative, err := filepath.Rel(home, file); err == nil {
			file = relative
		}
		lines = append(lines, fmt.Sprintf("%q %s", file, sum))
	}
	slices.Sort(lines)
	all := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return hex.EncodeToString(all[:])
}
