package macro_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/reach"
	"harrier/internal/testkit/toy"
	"harrier/symmetry"
)

// A forbidding program has one property, which does not hold where actors are in some states. It reads actors as long as they may be.
type forbidding struct {
	*named
	kind   model.PropertyKind
	order  []string // in which it reads
	states []map[string]string
}

func (f *forbidding) Program() *model.Program {
	p := *f.program
	p.Properties = []model.Property{{Name: "not so", Kind: f.kind}}
	return &p
}

func (f *forbidding) Evaluate(_ context.Context, evaluations []model.Evaluation) ([]model.Judgement, error) {
	var judgements []model.Judgement
	for _, e := range evaluations {
		var j model.Judgement
		may := slices.Clone(f.states)
		for _, name := range f.order {
			i := slices.IndexFunc(e.Actors, func(a model.Actor) bool { return a.Name == name })
			state := "gone"
			if name == operations && len(may) > 0 {
				j.Reads = append(j.Reads, model.ReadHistory)
				state = historyText(e.History)
			}
			if i >= 0 && len(may) > 0 {
				j.Reads = append(j.Reads, i)
				state = stateOf(e.Actors[i].Local)
			}
			may = slices.DeleteFunc(may, func(states map[string]string) bool { return states[name] != state })
		}
		j.Holds = len(may) == 0
		judgements = append(judgements, j)
	}
	return judgements, nil
}

// operations stands for the history among the names of actors.
const operations = "operations"

func stateOf(local []byte) string {
	_, state, _ := bytes.Cut(decodeNamed(local), []byte("="))
	return string(state)
}

// statesOf are the states of the actors in a state, by their names.
func (s subject) statesOf(at model.State, names []string) map[string]string {
	states := map[string]string{}
	for _, name := range names {
		states[name] = "gone"
	}
	states[operations] = historyText(s.actors.Globals.History(at))
	for position := 1; position < len(at); position++ {
		if l := s.actors.Nodes.Local(at[position]); l != 0 {
			states[s.actors.Values.PositionName(position)] = stateOf(s.actors.Values.Actor(l).Local)
		}
	}
	return states
}

// images are the states after all permutations.
func (s subject) images(states map[string]string) (images []map[string]string) {
	for _, p := range s.symmetries.Elements() {
		of := func(name string) string {
			base, rest := model.Origin(name)
			return p.Of(base) + rest
		}
		image := map[string]string{}
		for name, state := range states {
			if word, who, ok := strings.Cut(state, ":"); ok {
				state = word + ":" + of(who)
			}
			image[of(name)] = state
		}
		images = append(images, image)
	}
	return images
}

// violated searches macro states for a violation, evaluating the property in one combination of each orbit. Far has it be evaluated in
// members first that are many internal steps away.
func (s subject) violated(ctx context.Context, combines, far bool) (violated bool, asked uint64) {
	s.actors = must.Get(space.NewActors(s.Oracle, s.d))
	s.symmetries = must.Get(symmetry.Find(s.actors))
	checker := property.NewChecker(s.Oracle, s.actors)
	checker.Permute(symmetry.Labels(s.symmetries.Generators))
	if combines {
		checker.Combine(s.symmetries)
	}
	system := s.newSystem(checker)
	if far {
		must.Do(system.SeeFarFirst(ctx))
	}
	r := must.Get(system.Search(ctx, dbss.Options{Canonical: s.symmetries.Canonicalizer}, &dbss.Progress{}))
	return r.Violation != nil, checker.Asked()
}

// TestOneCombinationOfEachOrbitIsEvaluated forbids, one after another, each combination of states that a program comes to with its images, and
// such that it does not come to.
func TestOneCombinationOfEachOrbitIsEvaluated(t *testing.T) {
	for _, c := range toy.ReadCases(t, "testdata/orbits.txt") {
		t.Run(c.Name, func(t *testing.T) {
			f := &forbidding{named: newNamed(toy.Read(c.Text))}
			s := subject{Oracle: f}
			for _, group := range strings.Split(c.Want, ", ") {
				if c.Want != "" {
					f.program.Components = append(f.program.Components, strings.Fields(group))
				}
			}
			s.group(t, f.program.Components, true)
			all := must.Get(s.reach(t.Context(), reach.Exact))
			names := []string{}
			for position := 1; position <= s.actors.Values.Positions(); position++ {
				names = append(names, s.actors.Values.PositionName(position))
			}
			names = append(names, operations)
			slices.Sort(names)
			reached, ends := map[string]map[string]string{}, map[string]bool{}
			for _, at := range all.States {
				states := s.statesOf(at, names)
				reached[fmt.Sprint(states)] = states
				if must.Get(reach.IsTerminal(t.Context(), s.actors, at)) {
					ends[fmt.Sprint(states)] = true
				}
			}
			var n struct{ reached, ends, not, one, each uint64 }
			for _, kind := range []model.PropertyKind{model.Invariant, model.Final} {
				f.kind = kind
				done := map[string]bool{}
				try := func(states map[string]string, want bool, count *uint64) {
					f.states = s.images(states)
					for _, image := range f.states {
						done[fmt.Sprint(image)] = true
					}
					*count++
					for i, order := range [][]string{names, reversed(names)} {
						f.order = order
						one, asked := s.violated(t.Context(), true, i == 0)
						each, askedOfEach := s.violated(t.Context(), false, i == 0)
						if one != want || each != want {
							t.Errorf("%v, kind %v: found %v, with each combination %v, want %v", states, kind, one, each, want)
						}
						if !want {
							n.one, n.each = n.one+asked, n.each+askedOfEach
						}
					}
				}
				keys := slices.Sorted(maps.Keys(reached))
				for _, key := range keys {
					if !done[key] && kind == model.Invariant {
						try(reached[key], true, &n.reached)
					} else if !done[key] {
						try(reached[key], ends[key], &n.ends)
					}
				}
				for i, key := range keys {
					mixed := maps.Clone(reached[key])
					mixed[names[i%len(names)]] = reached[keys[(7*i+3)%len(keys)]][names[i%len(names)]]
					if _, ok := reached[fmt.Sprint(mixed)]; !ok && !done[fmt.Sprint(mixed)] {
						try(mixed, false, &n.not)
					}
				}
			}
			if t.Logf("%+v", n); n.reached < 5 || n.one >= n.each {
				t.Error("the program proves too little")
			}
		})
	}
}

func reversed(names []string) []string {
	names = slices.Clone(names)
	slices.Reverse(names)
	return names
}
