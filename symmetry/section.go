package symmetry

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"harrier/internal/section"
)

// Figures say which actors a search permuted, and the comparisons that checked that they are symmetric.
type Figures struct {
	Orbits       []Orbit  `json:"orbits"`       // actors that can come in each other's place
	Permutations *big.Int `json:"permutations"` // how many there are, the identity included
	Check        *Checked `json:"check,omitempty"`
}

// Section is the part of a summary on symmetry. f is nil where no actors were permuted.
func Section(f *Figures) section.Section {
	s := section.Section{Name: "symmetry", Value: struct {
		// Symmetry says which actors were permuted; missing with --symmetry off and where none are symmetric. States, transitions, terminal
		// states and violations are counted once an orbit.
		Symmetry *Figures `json:"symmetry,omitempty"`
	}{f}}
	if f == nil {
		return s
	}
	var orbits []string
	for _, o := range f.Orbits {
		orbits = append(orbits, o.String())
	}
	text := fmt.Sprintf("%s, %s permutations", strings.Join(orbits, ", "), f.Permutations)
	if f.Check != nil {
		text += "; " + f.Check.String()
	}
	s.Add("symmetry", "%s", text)
	return s
}

// String is short where the actors are numbered: acceptor1..3.
func (o Orbit) String() string {
	first, err := strconv.Atoi(strings.TrimPrefix(o.Actors[0], o.Role))
	for i, name := range o.Actors {
		if err != nil || name != o.Role+strconv.Itoa(first+i) {
			return section.Few(o.Actors)
		}
	}
	return fmt.Sprintf("%s..%d", o.Actors[0], first+len(o.Actors)-1)
}

// String says how much was compared.
func (c *Checked) String() string {
	text := fmt.Sprintf("%d of %s look at names; these and %s checked under renaming, %s",
		c.Steps, section.Plural(c.KnownSteps, "step"), section.Plural(c.Evaluations, "evaluation"), section.Seconds(c.Seconds))
	if !c.Complete {
		text += ", not all of them: " + c.Reason
	}
	return text
}
