package symmetry

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"

	"harrier/internal/ds/slab"
	"harrier/internal/model"
	"harrier/internal/model/space"
)

// An action is a permutation, applied to states and messages, interned or not. It remembers images of bytes, as local
// states are in many evaluations.
type action struct {
	Permutation
	space.Renaming
	by      *space.Permutation
	program *model.Program
}

func newAction(actors *space.Actors, p Permutation) action {
	by, images := p.renaming(), map[string][]byte{}
	return action{p, space.Renaming{Of: by.Of, Bytes: func(b []byte) ([]byte, error) {
		if image, known := images[string(b)]; known {
			return image, nil
		}
		image, err := by.Bytes(b)
		if err == nil {
			images[string(b)] = image
		}
		return image, err
	}}, space.NewPermutation(actors, by), actors.Program()}
}

// digest identifies a list of texts.
func digest(parts ...string) identity {
	return sha256.Sum256([]byte(slab.Join(parts...)))
}

// An evaluation is a question about a property.
type evaluation struct {
	model.Evaluation
	reads map[string]bool // the labels of the actors that may decide the answer, and historyLabel
	by    Permutation     // the generator that it is an image by; nil of one that the search asked for
}

// historyLabel is no actor's.
const historyLabel = ""

// property is the image of a property: a predicate that is asked of one actor is asked of another one.
func (g action) property(number int) int {
	of := g.program.Properties[number]
	if of.Actor == "" {
		return number
	}
	return slices.IndexFunc(g.program.Properties, func(p model.Property) bool {
		return p.Kind == of.Kind && p.Name == of.Name && p.Actor == g.Permutation.Of(of.Actor)
	})
}

// evaluation is the image of an evaluation. The same labels decide it.
func (g action) evaluation(e evaluation) (evaluation, error) {
	image := evaluation{model.Evaluation{Property: g.property(e.Property)}, e.reads, g.Permutation}
	var err error
	if image.History, err = g.Bytes(e.History); err != nil {
		return image, err
	}
	image.Actors, err = space.Images(e.Actors, g.Actor)
	slices.SortFunc(image.Actors, func(a, b model.Actor) int { return cmp.Compare(a.Name, b.Name) })
	return image, err
}

// identityOfEvaluation leaves out parts that do not decide the answer.
func (c *Checking) identityOfEvaluation(e evaluation) identity {
	parts := []string{fmt.Sprint(e.Property)}
	if e.reads[historyLabel] {
		parts = append(parts, string(e.History))
	}
	for _, a := range slices.SortedFunc(slices.Values(e.Actors), func(a, b model.Actor) int { return cmp.Compare(a.Name, b.Name) }) {
		parts = append(parts, a.Name, a.Class, fmt.Sprint(a.Stopped))
		if e.reads[c.label(a.Name)] {
			parts = append(parts, string(a.Local))
		}
	}
	return digest(parts...)
}

// Labels gives the names that permutations map to one another the same label, and others different ones. What actors create
// has a label by who created it.
func Labels(generators []Permutation) func(name string) string {
	least := map[string]string{}
	find := func(name string) string {
		for least[name] != "" {
			name = least[name]
		}
		return name
	}
	for _, g := range generators {
		for from, to := range g {
			if a, b := find(from), find(to); a != b {
				least[max(a, b)] = min(a, b)
			}
		}
	}
	return func(name string) string {
		base, rest := model.Origin(name)
		return find(base) + "/" + rest
	}
}
