package symmetry

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"harrier/internal/model"
	"harrier/serializer"
)

// An Obstacle says why two actors of a role are not symmetric: the first field, message or declaration that
// distinguishes them.
type Obstacle struct {
	Role   string    `json:"role"`
	Actors [2]string `json:"actors"`
	Text   string    `json:"text"` // such as "Proposer.ballot: 1 in proposer1, 2 in proposer2"
}

// obstacles finds one for each role whose actors are in several orbits.
func obstacles(s *start, g *Group) ([]Obstacle, error) {
	var found []Obstacle
	for _, r := range s.actors.Program().Roles {
		orbit := orbitOf(r.Actors[0], g.Generators)
		i := slices.IndexFunc(r.Actors, func(name string) bool { return !slices.Contains(orbit, name) })
		if i < 0 {
			continue
		}
		c := comparison{start: s, x: r.Actors[0], y: r.Actors[i]}
		text, err := c.text()
		if err != nil {
			return nil, err
		}
		found = append(found, Obstacle{r.Name, [2]string{c.x, c.y}, text})
	}
	return found, nil
}

// A comparison is of the initial state after two renamings, of which one gives x the name that the other one gives y.
type comparison struct {
	*start
	x, y             string
	renameX, renameY func(name string) string
}

// itself stands for the actor that is compared.
const itself = "itself"

// text is the difference of the actors. A difference while all other names are hidden comes first: it remains whoever else
// is permuted with them.
func (c *comparison) text() (string, error) {
	c.renameX = c.placeholders(map[string]string{c.x: itself})
	c.renameY = c.placeholders(map[string]string{c.y: itself})
	if i, err := c.first(false); i != nil || err != nil {
		return c.describe(*i, err)
	}
	c.renameX = Permutation{c.x: c.y, c.y: c.x}.Of
	c.renameY = func(name string) string { return name }
	if i, err := c.first(true); i != nil || err != nil {
		return c.describe(*i, err)
	}
	return "what refers to them does so in different ways", nil
}

// first is the first fact whose image under the renaming of x is no image under that of y, or nil.
func (c *comparison) first(whole bool) (*fact, error) {
	left := map[string]int{}
	for _, i := range c.facts {
		image, err := i.image(c.renameY)
		if err != nil {
			return &i, err
		}
		left[image]++
	}
	for _, i := range c.facts {
		image, err := i.image(c.renameX)
		if err != nil {
			return &i, err
		}
		if left[image]--; left[image] < 0 && (whole || !i.ordered) {
			return &i, nil
		}
	}
	return nil, nil
}

func (c *comparison) describe(i fact, err error) (string, error) {
	if err != nil {
		return "", err
	}
	both := c.x + " and " + c.y
	switch {
	case i.tag == localTag:
		return c.field(i)
	case i.tag == historyTag:
		return "the operations that the set-up begins tell " + both + " apart", nil
	case strings.HasPrefix(i.tag, linkTag):
		return "who watches whom at the start tells " + both + " apart", nil
	case i.tag == absentTag:
		return "one of " + both + " is an adversary", nil
	case strings.HasPrefix(i.tag, channelTag):
		number, err := i.number(channelTag)
		if err != nil {
			return "", err
		}
		return "only one of " + both + " " + c.actors.Program().Channels[number].Effect(), nil
	case i.tag == groupTag:
		return "components (" + strings.Join(i.names, ", ") + " is one) tell " + both + " apart", nil
	case strings.HasPrefix(i.tag, byzantineTag):
		return "the messages that adversaries may send tell " + both + " apart", nil
	case strings.HasPrefix(i.tag, faultTag):
		number, err := i.number(faultTag)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("the fault %q affects only one of %s", c.actors.Program().FaultName(number), both), nil
	}
	return c.message(i)
}

// number returns the number that follows a tag in that of the fact.
func (i fact) number(tag string) (number int, err error) {
	_, err = fmt.Sscanf(i.tag, tag+"%d", &number)
	return number, err
}

// message says that a message has no counterpart.
func (c *comparison) message(i fact) (string, error) {
	v, err := serializer.Decode(i.bytes)
	if err != nil {
		return "", err
	}
	from := i.names[1]
	if from == "" {
		from = "the scenario"
	}
	return fmt.Sprintf("the first message %s from %s to %s has no counterpart when %s comes in the place of %s",
		serializer.Format(v), from, i.names[0], c.y, c.x), nil
}

var elementPath = regexp.MustCompile(`\[\d+\]$`)

// field compares the local state in a fact with its counterpart.
func (c *comparison) field(i fact) (string, error) {
	mine, err := c.decoded(i, c.renameX)
	if err != nil {
		return "", err
	}
	for _, other := range c.facts {
		if other.tag != localTag {
			continue
		}
		theirs, err := c.decoded(other, c.renameY)
		if err != nil {
			return "", err
		}
		if theirs.Name() == mine.Name() && c.corresponds(i, other) {
			return c.change(i, mine, theirs)
		}
	}
	me := c.owner(i)
	return fmt.Sprintf("%s is an adversary, and %s is not", Permutation{c.x: c.y, c.y: c.x}.Of(me), me), nil
}

// corresponds reports whether an actor is to come in the other one's place.
func (c *comparison) corresponds(i, other fact) bool {
	return Permutation{c.x: c.y, c.y: c.x}.Of(c.owner(i)) == c.owner(other)
}

func (c *comparison) decoded(i fact, rename func(name string) string) (serializer.Value, error) {
	b, err := renamed(rename, i.bytes)
	if err != nil {
		return serializer.Value{}, err
	}
	return serializer.Decode(b)
}

// change says how a local state differs from its counterpart.
func (c *comparison) change(i fact, mine, theirs serializer.Value) (string, error) {
	changes := serializer.Diff(mine, theirs)
	if len(changes) == 0 || changes[0].Path == "" {
		return fmt.Sprintf("%s is of the class %s and %s of the class %s", c.x, mine.Class(), c.y, theirs.Class()), nil
	}
	first := changes[0]
	if elementPath.MatchString(first.Path) && c.isName(first.Old) && c.isName(first.New) {
		list := elementPath.ReplaceAllString(first.Path, "")
		return fmt.Sprintf("%s.%s: its order tells %s and %s apart, which that of the list that create returned, and of a Set, does not",
			mine.Class(), list, c.x, c.y), nil
	}
	if base, _ := model.Origin(c.owner(i)); base != c.x && base != c.y {
		return c.mention(i)
	}
	return fmt.Sprintf("%s.%s: %s in %s, %s in %s", mine.Class(), first.Path, first.Old, c.x, first.New, c.y), nil
}

// mention says where another actor tells the two apart.
func (c *comparison) mention(i fact) (string, error) {
	asIs, err := c.decoded(i, func(name string) string { return name })
	if err != nil {
		return "", err
	}
	swapped, err := c.decoded(i, Permutation{c.x: c.y, c.y: c.x}.Of)
	if err != nil {
		return "", err
	}
	changes := serializer.Diff(asIs, swapped)
	if len(changes) == 0 {
		return fmt.Sprintf("%s refers to %s and %s in different ways", c.owner(i), c.x, c.y), nil
	}
	first := changes[0]
	return fmt.Sprintf("%s.%s: %s in %s, which tells %s and %s apart", asIs.Class(), first.Path, first.Old, c.owner(i), c.x, c.y), nil
}

// owner is the actor whose local state a fact has.
func (c *comparison) owner(i fact) string {
	v, _ := serializer.Decode(i.bytes)
	return v.Name()
}

func (c *comparison) isName(text string) bool {
	_, hasRole := c.role[text]
	return hasRole || text == itself || strings.HasPrefix(text, placeholder)
}
