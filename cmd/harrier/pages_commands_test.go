package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"harrier/internal/testkit/must"
)

// inProse are commands that pages name: between backquotes, and on indented lines.
var inProse = regexp.MustCompile("`(?:bin/)?((?:harrier|make) [^`\n]*)`|(?m)^    (?:\\$ )?(?:bin/)?((?:harrier|make) [a-z-].*)$")

// TestCommandsOfPages has each command that a page names be one that there is, with flags that it takes, and each program that it is
// given as examples/NAME be there.
func TestCommandsOfPages(t *testing.T) {
	list := must.Get(exec.Command("git", "-C", "../..", "ls-files", "-z", "*.md").Output())
	targets := string(must.Get(os.ReadFile("../../Makefile")))
	commands := 0
	for page := range strings.SplitSeq(strings.Trim(string(list), "\x00"), "\x00") {
		text := string(must.Get(os.ReadFile(filepath.Join("../..", page))))
		for _, m := range inProse.FindAllStringSubmatch(text, -1) {
			command, _, _ := strings.Cut(m[1]+m[2], " #")
			words := strings.Fields(strings.ReplaceAll(command, "'", ""))
			commands++
			problem := ""
			if words[0] == "make" {
				problem = unknownTarget(targets, words[1:])
			} else {
				problem = unknownUse(words[1:])
			}
			if problem != "" {
				t.Errorf("%s: %s: %s", page, command, problem)
			}
		}
	}
	if commands < 100 {
		t.Errorf("the pages have %d commands", commands)
	}
}

// unknownTarget is what the Makefile has not of the arguments of make, "" if it has all.
func unknownTarget(makefile string, arguments []string) string {
	for _, a := range arguments {
		name, _, isVariable := strings.Cut(a, "=")
		switch {
		case strings.HasPrefix(a, "-"):
		case isVariable && strings.Contains(makefile, "$("+name+")"), isVariable && strings.Contains(makefile, "$(if $("+name+")"):
			return "" // its value may have several words
		case !isVariable && regexp.MustCompile(`(?m)^`+regexp.QuoteMeta(name)+`:`).MatchString(makefile):
		default:
			return "there is no " + a
		}
	}
	return ""
}

// unknownUse is what harrier does not take of some arguments, "" if it takes all.
func unknownUse(arguments []string) string {
	c, _, err := rootCommand().Find(arguments)
	if err != nil {
		return err.Error()
	}
	for _, a := range arguments {
		name, isFlag := strings.CutPrefix(a, "--")
		name, _, _ = strings.Cut(name, "=")
		switch {
		case strings.ContainsAny(a, "|>#;&"):
			return "" // the rest is the shell's
		case isFlag && !c.HasSubCommands() && name != "help" && c.Flags().Lookup(name) == nil && c.InheritedFlags().Lookup(name) == nil:
			return "there is no flag --" + name
		case strings.HasPrefix(a, "examples/"):
			fetched := strings.TrimSuffix(a, "/lib/*") // make libraries does
			if _, err := os.Stat(filepath.Join("../..", fetched)); err != nil {
				return err.Error()
			}
		}
	}
	return ""
}
