package compare

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"harrier/internal/model"
	"harrier/internal/plan"
)

// Program is what to check: where it is, and the scenario with its parameters.
type Program struct {
	Path       string
	ClassPath  []string          // folders and jars
	Scenario   string            // "" for the only one
	Parameters []model.Parameter // by name
}

// Expressions with classes of letters are compiled when they are needed: each would make every command start a quarter of a millisecond later.
var withParameters = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(.+?):([\pL_$][\pL\pN_$.]*=.*)$`) })

// ParseProgram reads a program as it is named on the command line: a path, or a path with parameters
// of its own, as in examples/paxos:acceptors=4,proposers=2. The common parameters are those of all
// programs; a program's own come first.
func ParseProgram(argument, scenario string, common map[string]string) (Program, error) {
	p := Program{Path: argument, Scenario: scenario}
	values := maps.Clone(common)
	if values == nil {
		values = map[string]string{}
	}
	if match := withParameters().FindStringSubmatch(argument); match != nil {
		p.Path = match[1]
		own := map[string]string{}
		for pair := range strings.SplitSeq(match[2], ",") {
			name, value, ok := strings.Cut(pair, "=")
			if !ok || name == "" {
				return p, fmt.Errorf("%s: parameters are written PROGRAM:name=value,name=value, not %q", argument, pair)
			}
			if _, ok := own[name]; ok {
				return p, fmt.Errorf("%s names %s twice", argument, name)
			}
			own[name] = value
		}
		maps.Copy(values, own)
	}
	if values[model.FirstState] == model.AllFirstStates {
		return p, fmt.Errorf("%s: %s=%s is for harrier check: name one first state, such as %s=0", argument, model.FirstState, model.AllFirstStates, model.FirstState)
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		p.Parameters = append(p.Parameters, model.Parameter{Name: name, Value: values[name]})
	}
	return p, nil
}

// String names a program as ParseProgram reads it.
func (p Program) String() string {
	var pairs []string
	for _, v := range p.Parameters {
		pairs = append(pairs, v.Name+"="+v.Value)
	}
	if pairs == nil {
		return p.Path
	}
	return p.Path + ":" + strings.Join(pairs, ",")
}

// flags are the flags of check that choose the scenario and its parameters.
func (p Program) flags() []string {
	var flags []string
	for _, entry := range p.ClassPath {
		flags = append(flags, "--classpath", entry)
	}
	if p.Scenario != "" {
		flags = append(flags, "--scenario", p.Scenario)
	}
	for _, v := range p.Parameters {
		flags = append(flags, "--set", v.Name+"="+plan.Value(v.Value))
	}
	return flags
}
