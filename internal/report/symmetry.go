package report

import (
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"

	"harrier/internal/section"
	"harrier/symmetry"
)

// Symmetry says which actors a search took to be interchangeable, and what was compared to make sure that they are.
type Symmetry struct {
	Orbits       []symmetry.Orbit  `json:"orbits"`
	Permutations *big.Int          `json:"permutations"` // with the one that moves nobody
	Check        *symmetry.Checked `json:"check,omitempty"`
}

// String names the actors, and says what was compared.
func (s *Symmetry) String() string {
	var orbits []string
	for _, o := range s.Orbits {
		orbits = append(orbits, orbitText(o))
	}
	text := fmt.Sprintf("%s, %s permutations", strings.Join(orbits, ", "), s.Permutations)
	if s.Check != nil {
		text += "; " + checkedText(s.Check)
	}
	return text
}

// orbitText is short where the actors are numbered: acceptor1..3.
func orbitText(o symmetry.Orbit) string {
	first, err := strconv.Atoi(strings.TrimPrefix(o.Actors[0], o.Role))
	for i, name := range o.Actors {
		if err != nil || name != o.Role+strconv.Itoa(first+i) {
			return section.Few(o.Actors)
		}
	}
	return fmt.Sprintf("%s..%d", o.Actors[0], first+len(o.Actors)-1)
}

// checkedText is what was compared.
func checkedText(c *symmetry.Checked) string {
	text := fmt.Sprintf("%d of %s look at names; these and %s checked under renaming, %s",
		c.Steps, section.Plural(c.KnownSteps, "step"), section.Plural(c.Evaluations, "evaluation"), section.Seconds(c.Seconds))
	if !c.Complete {
		text += ", not all of them: " + c.Reason
	}
	return text
}

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

// Text writes it for people, role by role.
func (d Interchangeability) Text(w io.Writer, p Painter) {
	d = Escaped(d)
	for _, r := range d.Roles {
		fmt.Fprintln(w, p.strong.Sprint(r.Role))
		for _, o := range r.Orbits {
			fmt.Fprintf(w, "  %s %s\n", orbitText(o), p.good.Sprint("are symmetric"))
		}
		switch {
		case len(r.Actors) == 1:
			fmt.Fprintf(w, "  %s is alone\n", r.Actors[0])
		case r.Obstacle != "":
			fmt.Fprintf(w, "  %s are not all symmetric: %s\n", orbitText(symmetry.Orbit{Role: r.Role, Actors: r.Actors}), r.Obstacle)
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
