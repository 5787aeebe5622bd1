package main

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// What is completed is what the help of the flag names.
func TestCompletedValuesAreThoseOfTheHelp(t *testing.T) {
	check := checkCommand()
	check.Flags().VisitAll(func(f *pflag.Flag) {
		for _, v := range completions[f.Name] {
			if !strings.Contains(f.Usage+f.DefValue, v) {
				t.Errorf("--%s: %q is not in %q", f.Name, v, f.Usage)
			}
		}
	})
}
