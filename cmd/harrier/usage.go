package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Usage errors of all commands, found before they do anything.

// refuseWrongUse has a command and its subcommands report cobra's errors as wrong use, and refuse unknown subcommands.
func refuseWrongUse(c *cobra.Command) {
	args := c.Args
	if !c.Runnable() { // as completion, which is there for the commands below it
		args, c.RunE = cobra.NoArgs, func(c *cobra.Command, _ []string) error { return c.Help() }
	}
	c.Args = func(c *cobra.Command, given []string) (err error) {
		if args != nil {
			err = args(c, given)
		}
		if err == nil && slices.Contains(given, "") {
			err = errors.New("an argument is empty")
		}
		if err == nil {
			err = checkFlags(c)
		}
		if usage := (usageError{}); err != nil && !errors.As(err, &usage) {
			return usageError{fmt.Errorf("%w; see '%s --help'", err, c.CommandPath())}
		}
		return err
	}
	for _, sub := range c.Commands() {
		refuseWrongUse(sub)
	}
}

// refuseUnknownTopics has "harrier help" refuse an unknown command, for which cobra prints the help of its parent.
func refuseUnknownTopics(root *cobra.Command) {
	help, _, _ := root.Find([]string{"help"})
	help.Args = func(c *cobra.Command, topic []string) error {
		if _, rest, err := c.Root().Find(topic); err != nil || len(rest) > 0 {
			name := strings.Join(topic, " ")
			return usageError{fmt.Errorf("there is no command %q%s; see 'harrier --help'", name, didYouMean(name, commandNames(c.Root())))}
		}
		return nil
	}
}

// didYouMean suggests the known names that are similar to an unknown one; "" if no name is.
func didYouMean(name string, names []string) string {
	c := &cobra.Command{SuggestionsMinimumDistance: 2} // which finds them among its commands
	for _, n := range names {
		c.AddCommand(&cobra.Command{Use: n, Run: func(*cobra.Command, []string) {}})
	}
	found := c.SuggestionsFor(name)
	if len(found) == 0 {
		return ""
	}
	return ": did you mean " + strings.Join(found, " or ") + "?"
}

func commandNames(c *cobra.Command) (names []string) {
	for _, sub := range c.Commands() {
		names = append(names, sub.Name())
	}
	return names
}

// flagNames are the flags of a command, with the dashes before their names.
func flagNames(c *cobra.Command) (names []string) {
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return names
}

// A flagGroup is flags that stand together in help.
type flagGroup struct {
	heading string
	flags   []string
}

// flagGroups are the flags of check and watch as their help has them, the first needed first.
var flagGroups = []flagGroup{
	{"Program", []string{"set", "scenario", "classpath", "allow", "from"}},
	{"Search", []string{"search", "seed", "pct", "model", "threads", "symmetry", "reduction", "components", "workers", "cluster", "answers", "share", "metrics"}},
	{"Limits", []string{"timeout", "max-memory", "max-states", "max-depth", "step-timeout", "every", "for"}},
	{"Verdict", []string{"property", "keep-going", "no-deadlock", "strict", "audit"}},
	{"Output", []string{"json", "out", "html", "witness", "profile", "show", "hide", "on-change", "cache", "checkpoint", "resume", "help"}},
	{"Java", []string{"java-home", "java-heap", "sandbox", "isolate"}},
	{"Research", []string{"por", "hashing", "store", "mode", "recheck"}},
}

// flagUsages lists the flags of a command for its help, in groups if it has the flags of check.
func flagUsages(c *cobra.Command) string {
	if c.Flag("por") == nil {
		return "Flags:\n" + c.LocalFlags().FlagUsages()
	}
	ordered, headings := pflag.NewFlagSet("", pflag.ContinueOnError), map[string]string{}
	ordered.SortFlags = false // and each is one line
	for _, g := range flagGroups {
		heading := "\n" + g.heading + ":\n"
		for _, name := range g.flags {
			if f := c.Flag(name); f != nil {
				ordered.AddFlag(f)
				headings[name], heading = heading, ""
			}
		}
	}
	lines := strings.SplitAfter(ordered.FlagUsages(), "\n")
	i := 0
	ordered.VisitAll(func(f *pflag.Flag) {
		lines[i] = headings[f.Name] + lines[i]
		i++
	})
	return strings.TrimLeft(strings.Join(lines, ""), "\n")
}

// groupFlags has the help of all commands list flags so.
func groupFlags(root *cobra.Command) {
	cobra.AddTemplateFunc("flagUsages", flagUsages)
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), "Flags:\n{{.LocalFlags.FlagUsages |", "{{flagUsages . |", 1))
}

// checkFlags refuses values that no flag of that type takes: empty ones, and times below zero.
func checkFlags(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		for _, v := range valuesOf(f) {
			if d, e := time.ParseDuration(v); f.Value.Type() == "duration" && (e != nil || d < 0) {
				err = fmt.Errorf("--%s must not be negative; 0 is no limit", f.Name)
			} else if v == "" {
				err = fmt.Errorf("--%s is empty: give it a value, or leave it out", f.Name)
			}
		}
	})
	return err
}

// valuesOf are the values of a flag, which may be repeated.
func valuesOf(f *pflag.Flag) []string {
	if several, ok := f.Value.(pflag.SliceValue); ok {
		return several.GetSlice()
	}
	return []string{f.Value.String()}
}

// flagError says what a flag takes whose value cannot be read.
func flagError(c *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		flag, dashes := unknown.GetSpecifiedName(), "--"
		if short := unknown.GetSpecifiedShortnames(); short != "" {
			flag, dashes = short, "-" // no flag but -h has a short name: it lacks a dash
		}
		flag, _, _ = strings.Cut(flag, "=")
		err = fmt.Errorf("unknown flag: %s%s%s", dashes, flag, didYouMean("--"+flag, flagNames(c)))
	}
	if !errors.As(err, &invalid) {
		return usageError{fmt.Errorf("%w; see '%s --help'", err, c.CommandPath())}
	}
	value, takes := invalid.GetValue(), ""
	switch f := invalid.GetFlag(); f.Value.Type() {
	case "duration":
		takes = "a time such as 90s or 10m"
		if _, err := strconv.ParseFloat(value, 64); err == nil {
			takes = fmt.Sprintf("a time with its unit, such as %ss or %sm", value, value)
		}
	case "bool":
		takes = "true or false"
	default:
		takes = "a whole number from 1"
	}
	return usageError{fmt.Errorf("--%s takes %s, not %q", invalid.GetFlag().Name, takes, value)}
}
