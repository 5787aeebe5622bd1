package main

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"harrier/bridge"
	"harrier/internal/compare"
	"harrier/internal/plan"
	"harrier/internal/process/files"
	"harrier/internal/property"
	"harrier/internal/search"
)

// completions are the values of flags that have few, by name, beside those of check's options.
var completions = map[string][]string{
	"model":   {"M", "MP", "M-MP"},
	"threads": {bridge.Blocking, bridge.Locks},
	"workers": {"1", "auto"},
	"recheck": {"all", "none", "10%"},
	"sandbox": {"auto", "on", "off"},
}

// formatsOf are the values of --format, by command.
var formatsOf = map[string][]string{
	"compare": {"text", "markdown", "latex", "csv", "json"}, "show": {"text", "html", "mermaid", "plantuml", "shiviz"},
}

var (
	scenarioClass  = regexp.MustCompile(`(?s)\bclass\s+(\w+)[^{]*\bextends\s+(?:harrier\.)?Scenario\b`)
	propertyText   = regexp.MustCompile(`@(?:` + strings.Join(property.Annotations(), "|") + `)\(\s*(?:value\s*=\s*)?"([^"\\]+)"`)
	parameterField = regexp.MustCompile(`@Parameter\b(?:\("[^"]*"\))?\s+(?:(?:public|protected|private)\s+)?[\w.]+\s+(\w+)`)
)

// completeFlags has shells complete the values of flags: those that a flag has, and the scenarios and parameters that the sources
// of the program declare. Classes are not read: Java would have to start.
func completeFlags(root *cobra.Command) {
	for _, c := range root.Commands() {
		for _, of := range []map[string][]string{completions, search.Values} {
			for name, values := range of {
				complete(c, name, func([]string) []string { return values })
			}
		}
		complete(c, "format", func([]string) []string { return formatsOf[c.Name()] })
		complete(c, "plot", func([]string) []string { return compare.PlotNames() })
		complete(c, "mode", modeNames)
		complete(c, "modes", modeNames)
		complete(c, "baseline", modeNames)
		complete(c, "scenario", func(args []string) []string { return declared(args, scenarioClass, "") })
		complete(c, "allow", func([]string) []string { return allowed })
		complete(c, "property", func(args []string) []string { return declared(args, propertyText, "") })
		complete(c, "set", func(args []string) []string { return declared(args, parameterField, "=") })
		completeFlags(c)
	}
}

func modeNames([]string) []string { return plan.ModeNames(plan.Modes) }

func complete(c *cobra.Command, flag string, values func(args []string) []string) {
	if c.Flags().Lookup(flag) == nil {
		return
	}
	directive := cobra.ShellCompDirectiveNoFileComp
	if flag == "set" || flag == "allow" || flag == "plot" {
		directive |= cobra.ShellCompDirectiveNoSpace
	}
	_ = c.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		fitting := slices.DeleteFunc(slices.Clone(values(args)), func(v string) bool { return !strings.HasPrefix(v, typed) })
		return fitting, directive
	})
}

// declared are the names that a pattern finds in the sources of a program, each with suffix.
func declared(program []string, pattern *regexp.Regexp, suffix string) []string {
	var names []string
	for _, path := range program {
		_ = filepath.WalkDir(path, func(file string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(file, ".java") {
				return nil
			}
			source, err := files.ReadRegular(file)
			for _, m := range pattern.FindAllSubmatch(source, -1) {
				names = append(names, string(m[1])+suffix)
			}
			return err
		})
	}
	slices.Sort(names)
	return slices.Compact(names)
}
