package main

import (
	"harrier/internal/search"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// Completion offers the values that the help of the flag names.
func TestCompletedValuesAreThoseOfTheHelp(t *testing.T) {
	checkCommand().Flags().VisitAll(func(f *pflag.Flag) {
		for _, v := range slices.Concat(completions[f.Name], search.Values[f.Name]) {
			if !strings.Contains(f.Usage+f.DefValue, v) {
				t.Errorf("--%s: %q is not in %q", f.Name, v, f.Usage)
			}
		}
	})
}
