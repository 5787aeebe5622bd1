package main

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// TestFlagsAreInTheReference demands a row of docs/reference.md for each flag of check.
func TestFlagsAreInTheReference(t *testing.T) {
	page := read(t, "../../docs/reference.md")
	checkCommand().Flags().VisitAll(func(f *pflag.Flag) {
		if !strings.Contains(page, "`--"+f.Name) {
			t.Errorf("docs/reference.md has no --%s", f.Name)
		}
	})
}
