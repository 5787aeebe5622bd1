package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// TestFlagsAreInTheReference demands a row of docs/reference.md for each flag of check, and a line of help, which is in a group.
func TestFlagsAreInTheReference(t *testing.T) {
	page := read(t, "../../docs/reference.md")
	checkCommand().Flags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		if !strings.Contains(page, "`--"+f.Name) {
			t.Errorf("docs/reference.md has no --%s", f.Name)
		}
		if !slices.ContainsFunc(flagGroups, func(g flagGroup) bool { return slices.Contains(g.flags, f.Name) }) {
			t.Errorf("--%s is in no group of the help", f.Name)
		}
		if len(f.Usage) > 80 {
			t.Errorf("--%s has more than a line of help: docs/reference.md is the place for it", f.Name)
		}
	})
}
