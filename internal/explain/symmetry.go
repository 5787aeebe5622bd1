package explain

import (
	"fmt"
	"io"
	"math/big"
	"slices"

	"harrier/internal/model"
	"harrier/internal/report"
	"harrier/symmetry"
)

// Interchangeability is which actors of a program are symmetric, and what distinguishes the others of a role. It is the JSON
// document too.
type Interchangeability struct {
	Heading
	Roles        []InterchangeableRole `json:"roles"`
	Permutations *big.Int              `json:"permutations"` // with the one that moves nobody
	Generators   []Generator           `json:"generators"`   // of which all others are made
	Remarks      []string              `json:"remarks"`
}

// InterchangeableRole is a role with the orbits of its actors.
type InterchangeableRole struct {
	Role   string           `json:"role"`
	Actors []string         `json:"actors"`
	Orbits []symmetry.Orbit `json:"orbits"` // those of several actors
	// Obstacle is what tells some of its actors apart: the first field or message; "" if nothing does.
	Obstacle string `json:"obstacle"`
}

// Generator is a permutation that generates others.
type Generator struct {
	Text  string            `json:"text"`
	Moves map[string]string `json:"moves"` // from each actor that is moved to the one in whose place it comes
}

// OfSymmetry describes the group of the program at a path.
func OfSymmetry(path string, program *model.Program, group *symmetry.Group) Interchangeability {
	d := Interchangeability{
		Heading: newHeading(path, program), Permutations: group.Order,
		Generators: []Generator{}, Roles: []InterchangeableRole{}, Remarks: []string{},
	}
	for _, r := range program.Roles {
		role := InterchangeableRole{Role: r.Name, Actors: r.Actors, Orbits: []symmetry.Orbit{}}
		for _, o := range group.Orbits {
			if o.Role == r.Name {
				role.Orbits = append(role.Orbits, o)
			}
		}
		if i := slices.IndexFunc(group.Obstacles, func(o symmetry.Obstacle) bool { return o.Role == r.Name }); i >= 0 {
			role.Obstacle = group.Obstacles[i].Text
		}
		d.Roles = append(d.Roles, role)
	}
	for _, g := range group.Generators {
		d.Generators = append(d.Generators, Generator{Text: g.String(), Moves: g})
	}
	if group.Remark != "" {
		d.Remarks = append(d.Remarks, group.Remark)
	}
	return d
}

// Text writes it for people, role by role.
func (d Interchangeability) Text(w io.Writer, p report.Painter) {
	d = report.Escaped(d)
	for _, r := range d.Roles {
		fmt.Fprintln(w, p.Strong.Sprint(r.Role))
		for _, o := range r.Orbits {
			fmt.Fprintf(w, "  %s %s\n", o, p.Good.Sprint("are symmetric"))
		}
		switch {
		case len(r.Actors) == 1:
			fmt.Fprintf(w, "  %s is alone\n", r.Actors[0])
		case r.Obstacle != "":
			fmt.Fprintf(w, "  %s are not all symmetric: %s\n", symmetry.Orbit{Role: r.Role, Actors: r.Actors}, r.Obstacle)
		}
	}
	if len(d.Generators) == 0 {
		fmt.Fprintf(w, "\nno actors of %s are symmetric\n", d.Scenario)
	} else {
		fmt.Fprintf(w, "\n%s permutations, made of\n", d.Permutations)
	}
	for _, g := range d.Generators {
		fmt.Fprintf(w, "  %s\n", g.Text)
	}
	for _, r := range d.Remarks {
		fmt.Fprintln(w, "remark:", r)
	}
}
