package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"harrier/model"
)

// componentsFlag says which actors are one component, in place of what the scenario says.
type componentsFlag string

// eachActor has every actor be a component by itself.
const eachActor = "actors"

func (f *componentsFlag) register(c *cobra.Command) {
	c.Flags().StringVar((*string)(f), "components", "", "components of actors, such as proposer+acceptor,learner; "+eachActor+" for each alone")
}

// apply puts the components into a program.
func (f componentsFlag) apply(p *model.Program) error {
	if f == "" {
		return nil
	}
	p.Components = nil
	if f == eachActor {
		return nil
	}
	for _, group := range strings.Split(string(f), ",") {
		var names []string
		for _, called := range strings.Split(group, "+") {
			actors := p.Called(called)
			if actors == nil {
				return usageError{fmt.Errorf("--components: there is no actor or role %q: there are %s", called, strings.Join(roleNames(p), ", "))}
			}
			for _, name := range actors {
				isTwice := slices.ContainsFunc(p.Components, func(other []string) bool { return slices.Contains(other, name) })
				if isTwice {
					return usageError{fmt.Errorf("--components: %s is in two components: name each actor in one only", name)}
				}
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
		p.Components = append(p.Components, names)
	}
	return nil
}

func roleNames(p *model.Program) []string {
	var names []string
	for _, r := range p.Roles {
		names = append(names, r.Name)
	}
	return names
}
