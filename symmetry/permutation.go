package symmetry

import (
	"maps"
	"slices"
	"strings"

	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/serializer"
)

// A Permutation maps the names of the actors that it moves. What an actor created moves with it.
type Permutation map[string]string

// Of is the name of the actor in whose place the actor of a name comes.
func (p Permutation) Of(name string) string {
	base, rest := model.Origin(name)
	if to, ok := p[base]; ok {
		return to + rest
	}
	return name
}

// renaming is what p does to states and messages.
func (p Permutation) renaming() space.Renaming {
	return space.Renaming{Of: p.Of, Bytes: serializer.NewRenaming(p.Of).Rename}
}

// Then is the permutation that does what p does, and after it what q does.
func (p Permutation) Then(q Permutation) Permutation {
	both := Permutation{}
	for _, from := range slices.Concat(slices.Collect(maps.Keys(p)), slices.Collect(maps.Keys(q))) {
		if to := q.Of(p.Of(from)); to != from {
			both[from] = to
		}
	}
	return both
}

// Inverse is the permutation that undoes p.
func (p Permutation) Inverse() Permutation {
	back := Permutation{}
	for from, to := range p {
		back[to] = from
	}
	return back
}

// String says what p does, such as "a1 and a2 swapped", or "a1 -> a2 -> a3 -> a1" for a cycle.
func (p Permutation) String() string {
	var parts []string
	done := map[string]bool{}
	for _, first := range slices.Sorted(maps.Keys(p)) {
		if done[first] {
			continue
		}
		var cycle []string
		for name := first; !done[name]; name = p.Of(name) {
			done[name] = true
			cycle = append(cycle, name)
		}
		if len(cycle) == 2 {
			parts = append(parts, cycle[0]+" and "+cycle[1]+" swapped")
		} else {
			parts = append(parts, strings.Join(append(cycle, first), " -> "))
		}
	}
	return strings.Join(parts, ", ")
}
