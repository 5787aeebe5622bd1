package plan

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"harrier/internal/model"
)

// values are those that a check is to give a parameter, one after another.
type values struct {
	name   string
	texts  []string // as --set takes one of them
	sweeps bool     // several are written, even if that comes to one
}

// mostSettings is how many settings a sweep may have.
const mostSettings = 1000

var (
	numbers  = regexp.MustCompile(`^[-0-9.,]*$`)
	constant = regexp.MustCompile(`^(-?[0-9]+(\.[0-9]+)?|true|false|[A-Z][A-Z0-9_]*)$`)
	interval = regexp.MustCompile(`^(-?[0-9]+)\.\.(-?[0-9]+)$`)
)

// Set is the values of --set: a name=value for each of some parameters.
type Set []string

// ParseSet makes a set of the values of --set, and refuses those without a name, and two of the same name.
func ParseSet(values []string) (Set, error) {
	seen := map[string]bool{}
	for _, s := range values {
		name, _, ok := strings.Cut(s, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("--set takes name=value, not %q", s)
		}
		if seen[name] {
			return nil, fmt.Errorf("--set names %s twice", name)
		}
		seen[name] = true
	}
	return values, nil
}

// Parameters returns the values by the names of the parameters, where each has one value.
func (s Set) Parameters() map[string]string {
	parameters := map[string]string{}
	for _, p := range s {
		name, value, _ := strings.Cut(p, "=")
		parameters[name], _ = unquoted(value)
	}
	return parameters
}

// Settings returns the sets that have one value for each parameter, in place of several, smallest first; nil if no parameter has several
// values. The smallest are those whose positions among the values of their parameters, as they are written, have the smallest sum; of equal
// ones, those first in which the parameters written first are smaller.
func (s Set) Settings() ([]Set, error) {
	var parameters []values
	sweeps, count := false, 1
	for _, p := range s {
		v, err := parseValues(p)
		if err != nil {
			return nil, err
		}
		if count *= len(v.texts); count > mostSettings {
			return nil, fmt.Errorf("--set %s: that makes more than %d settings: take fewer values", p, mostSettings)
		}
		sweeps = sweeps || v.sweeps
		parameters = append(parameters, v)
	}
	if !sweeps {
		return nil, nil
	}
	type setting struct {
		sum int
		set Set
	}
	settings := []setting{{}}
	for _, p := range parameters {
		var longer []setting
		for _, s := range settings {
			for i, text := range p.texts {
				longer = append(longer, setting{s.sum + i, append(slices.Clone(s.set), p.name+"="+text)})
			}
		}
		settings = longer
	}
	slices.SortStableFunc(settings, func(a, b setting) int { return a.sum - b.sum })
	var sets []Set
	for _, s := range settings {
		sets = append(sets, s.set)
	}
	return sets, nil
}

// parseValues reads name=value: a value in double quotes is one text, N..M whole numbers, and a value with commas a list if all its
// elements are numbers, such ranges, true, false, or constants in capital letters. Anything else is one text.
func parseValues(set string) (values, error) {
	name, value, _ := strings.Cut(set, "=")
	v := values{name: name, texts: []string{value}, sweeps: name == model.FirstState && value == model.AllFirstStates}
	isSweep := strings.Contains(value, ",") || strings.Contains(value, "..")
	if _, quoted := unquoted(value); quoted || !isSweep {
		return v, nil
	}
	v.texts, v.sweeps = nil, true
	for element := range strings.SplitSeq(value, ",") {
		ends := interval.FindStringSubmatch(element)
		switch {
		case ends != nil:
			texts, err := rangeOf(ends[1], ends[2])
			if err != nil {
				return v, fmt.Errorf("--set %s: %w", set, err)
			}
			v.texts = append(v.texts, texts...)
		case constant.MatchString(element):
			v.texts = append(v.texts, element)
		case numbers.MatchString(value) && strings.ContainsAny(value, "0123456789"):
			return v, fmt.Errorf("--set %s: write several values as 1..4 or 1,2,4, and a text as %s=%s", set, name, quoted(value))
		default:
			return values{name: name, texts: []string{value}}, nil
		}
	}
	for i, text := range v.texts {
		if slices.Contains(v.texts[:i], text) {
			return v, fmt.Errorf("--set %s: it has the value %s twice", set, text)
		}
	}
	return v, nil
}

// rangeOf gives whole numbers from one to another.
func rangeOf(first, last string) ([]string, error) {
	from, err := strconv.ParseInt(first, 10, 64)
	to, wrong := strconv.ParseInt(last, 10, 64)
	switch {
	case err != nil || wrong != nil || from == math.MinInt64:
		return nil, fmt.Errorf("%s..%s is beyond what a whole number of Java can be", first, last)
	case from > to:
		return nil, fmt.Errorf("a range goes from the smaller number to the larger one: write %s..%s", last, first)
	case uint64(to)-uint64(from) >= mostSettings:
		return nil, fmt.Errorf("that makes more than %d settings: take fewer values", mostSettings)
	}
	var texts []string
	for n := from; ; n++ {
		if texts = append(texts, strconv.FormatInt(n, 10)); n == to {
			return texts, nil
		}
	}
}

// unquoted returns the value of a text: without its double quotes, if it has some.
func unquoted(value string) (text string, wasQuoted bool) {
	if len(value) < 2 || !strings.HasPrefix(value, `"`) || !strings.HasSuffix(value, `"`) {
		return value, false
	}
	return value[1 : len(value)-1], true
}

func quoted(value string) string { return `"` + value + `"` }

// Value returns a text as --set takes it: in double quotes where it would stand for something else.
func Value(text string) string {
	if _, isQuoted := unquoted(text); isQuoted || strings.Contains(text, ",") || strings.Contains(text, "..") {
		return quoted(text)
	}
	return text
}
