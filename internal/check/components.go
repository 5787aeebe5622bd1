package check

import (
	"slices"
	"strings"

	"harrier/internal/model"
)

// EachActor has every actor be a component by itself.
const EachActor = "actors"

// setComponents sets which actors of a program are one component, as in proposer+acceptor,learner; "" leaves what the scenario
// says.
func setComponents(p *model.Program, components string) error {
	if components == "" {
		return nil
	}
	p.Components = nil
	if components == EachActor {
		return nil
	}
	for _, group := range strings.Split(components, ",") {
		var names []string
		for _, called := range strings.Split(group, "+") {
			actors := p.Called(called)
			if actors == nil {
				return usage("--components: there is no actor or role %q: there are %s", called, strings.Join(roleNames(p.Roles), ", "))
			}
			for _, name := range actors {
				twice := slices.ContainsFunc(p.Components, func(other []string) bool { return slices.Contains(other, name) })
				if twice {
					return usage("--components: %s is in two components: name each actor in one only", name)
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

func roleNames(roles []model.Role) []string {
	var names []string
	for _, r := range roles {
		names = append(names, r.Name)
	}
	return names
}
