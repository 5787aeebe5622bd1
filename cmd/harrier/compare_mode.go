package main

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"harrier/internal/plan"
)

// chooseModes are the modes that flags name or define: those of --modes first. Each is there once.
func (k *comparing) chooseModes(c *cobra.Command) (modes []plan.Mode, err error) {
	if len(k.mode) == 0 || c.Flags().Changed("modes") {
		if modes, err = plan.ParseModes(k.modes); err != nil {
			return nil, fmt.Errorf("--modes: %w", err)
		}
	}
	for _, text := range k.mode {
		name, flags, defined := strings.Cut(text, "=")
		mode, known := plan.FindMode(name)
		switch {
		case slices.Contains(plan.ModeNames(modes), name):
			return nil, fmt.Errorf("--mode: the mode %s is named twice", name)
		case defined && known:
			return nil, fmt.Errorf("--mode %s: there is a mode %s already: take another name", text, name)
		case defined:
			if mode, err = defineMode(name, flags); err != nil {
				return nil, fmt.Errorf("--mode %s: %w", cmp.Or(name, text), err)
			}
		case !known:
			return nil, fmt.Errorf("--mode %s: there is no such mode; a new one is written %s='FLAGS', with flags of check; see '%s --help'",
				name, name, c.CommandPath())
		}
		modes = append(modes, mode)
	}
	return modes, nil
}

var modeName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\pL\pN][\pL\pN_.-]*$`) })

// defineMode makes a mode of flags as check takes them, divided by spaces: those that say how to search.
func defineMode(name, text string) (plan.Mode, error) {
	if !modeName().MatchString(name) {
		return plan.Mode{}, errors.New("the name of a mode is letters, digits, '-', '_' and '.', and begins with one of the first two")
	}
	k, c := &checking{}, &cobra.Command{Use: "check"}
	(&cobra.Command{Use: "harrier"}).AddCommand(c)
	k.register(c)
	c.InitDefaultHelpFlag() // to refuse it
	if err := c.ParseFlags(strings.Fields(text)); err != nil {
		return plan.Mode{}, flagError(c, err)
	}
	if rest := c.Flags().Args(); len(rest) > 0 {
		return plan.Mode{}, fmt.Errorf("%q is no flag; a value stands behind its flag, and has no spaces", rest[0])
	}
	mode := plan.Mode{Name: name, Settings: []string{}, Meaning: strings.TrimSpace("harrier check " + strings.Join(strings.Fields(text), " "))}
	var refused error
	c.Flags().Visit(func(f *pflag.Flag) {
		if !saysHowToSearch(f.Name) {
			refused = fmt.Errorf("--%s does not say how to search: leave it out, or give it to compare for all modes", f.Name)
		}
		for _, value := range valuesOf(f) {
			mode.Settings = append(mode.Settings, f.Name+"="+value)
		}
	})
	if refused != nil {
		return mode, refused
	}
	if err := errors.Join(checkFlags(c), k.parseSearch(c)); err != nil {
		return mode, err
	}
	_, err := plan.Resolve(k.Options)
	return mode, errors.Join(err, checkRecheck(k.Source.Recheck))
}

// saysHowToSearch reports whether a flag of check may be part of a mode. Others say what is checked, within which limits, and what is
// printed.
func saysHowToSearch(flag string) bool {
	if flag == "max-depth" || flag == "max-states" {
		return true
	}
	return slices.ContainsFunc(flagGroups, func(g flagGroup) bool {
		return slices.Contains([]string{"Search", "Verdict", "Research"}, g.heading) && slices.Contains(g.flags, flag)
	})
}
