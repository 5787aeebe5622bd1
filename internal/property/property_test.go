package property_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
)

// path is a program of ann, who goes through states of two letters. The first invariant reads the first of them, the second the second.
func path(states ...string) *toy.Script {
	s := &toy.Script{Start: map[string]string{"ann": states[0]}, Rules: map[string][]toy.Then{}}
	for i, next := range states[1:] {
		s.Rules["ann "+states[i]+" itself"] = []toy.Then{{Become: next}}
	}
	for i := range 2 {
		s.Invariants = append(s.Invariants, func(at map[string]string) bool { return at["ann"][i] != 'x' })
	}
	return s
}

// visible is what a property reads of a local state, such as "ann=ab".
func visible(property int, _ map[int]bool) func([]byte) ([]byte, error) {
	return func(b []byte) ([]byte, error) { return b[len("ann=")+property:][:1], nil }
}

// blind is nothing that a property is said to read.
func blind(int, map[int]bool) func([]byte) ([]byte, error) {
	return func([]byte) ([]byte, error) { return nil, nil }
}

// Answers are given once more in states of which a property can read the same, so that one that reads more is found out.
func TestWhatAPropertyReadsBesideIsFoundOut(t *testing.T) {
	for _, c := range []struct {
		name     string
		program  model.Oracle
		visible  func(property int, read map[int]bool) func([]byte) ([]byte, error)
		compared int
		found    bool
	}{
		{"it reads what it can", path("aa", "ba", "bb"), visible, 2, false},
		{"it reads more", path("aa", "ba", "bb", "xx"), blind, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			program := toy.Twice{Oracle: c.program}
			actors := must.Get(space.NewActors(program, space.Decomposition{Visible: c.visible}))
			checker := property.NewChecker(program, actors)
			must.Get(dbss.Search(t.Context(), actors, checker, dbss.Options{}, &dbss.Progress{}))
			compared, err := checker.Retry(t.Context())
			var found *property.VariationError
			if compared != c.compared || errors.As(err, &found) != c.found || c.found && !found.IsOfObservation {
				t.Errorf("%d evaluations were compared, %v", compared, err)
			}
		})
	}
}

// Evaluations are made again with variants of the local states that they read.
func TestWhatAPropertyReadsOfVariantsIsFoundOut(t *testing.T) {
	program := toy.Twice{Oracle: toy.Read(`
		start: ann a/0
		mail: ann>ann x, ann>ann y
		ann a/0 x -> a/1
		ann a/1 x -> a/1
		ann a/0 y -> c/0
		ann a/1 y -> c/1
		never: ann c/1`)}
	actors := must.Get(space.NewActors(program, space.Decomposition{Relevant: toy.BeforeSlash}))
	checker := property.NewChecker(program, actors)
	must.Get(dbss.Search(t.Context(), actors, checker, dbss.Options{}, &dbss.Progress{}))
	if err := space.Retry(t.Context(), actors.LocalSteps); err != nil {
		t.Fatal(err)
	}
	_, err := checker.Retry(t.Context())
	var found *property.VariationError
	if !errors.As(err, &found) || found.IsOfObservation {
		t.Errorf("%v", err)
	}
}

// Answers are remembered by what the property can read: no more, so that few are asked for, and no less.
func TestAnswersAreRememberedByObservation(t *testing.T) {
	for _, c := range []struct {
		name             string
		program          *toy.Script
		hashing          space.Hashing
		violations, asks uint64
	}{
		{"each property by itself", path("aa", "ba", "bb", "ab"), space.Selective, 0, 4},
		{"one is violated, of which another reads nothing", path("aa", "ab", "ax", "ba"), space.Selective, 1, 5},
		{"with full hashing, which trusts no analysis", path("aa", "ba", "bb", "ab"), space.Full, 0, 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			actors := must.Get(space.NewActors(c.program, space.Decomposition{Visible: visible, Hashing: c.hashing}))
			checker := property.NewChecker(c.program, actors)
			r := must.Get(dbss.Search(t.Context(), actors, checker, dbss.Options{KeepGoing: true}, &dbss.Progress{}))
			asked, _ := checker.Evaluations(r.States, r.Terminal)
			if r.States != 4 || r.Violations != c.violations || asked != c.asks {
				t.Errorf("%d states, %d violations, %d evaluations, want 4, %d and %d", r.States, r.Violations, asked, c.violations, c.asks)
			}
		})
	}
}

// A letters program is one whose letters are fields, of which each invariant reads one, and may read those of mayRead.
type letters struct {
	*toy.Script
	mayRead []int
}

func (l letters) Program() *model.Program {
	p := *l.Script.Program()
	p.Properties = slices.Clone(p.Properties)
	for i := range p.Properties {
		p.Properties[i].MayRead = l.mayRead
		p.Objects = append(p.Objects, model.ObjectField{Class: "Ann", Name: []string{"first", "second"}[i], Number: i})
	}
	return &p
}

func (l letters) Evaluate(ctx context.Context, evaluations []model.Evaluation) ([]model.Judgement, error) {
	judgements, err := l.Script.Evaluate(ctx, evaluations)
	for i, e := range evaluations {
		judgements[i].Fields = []int{e.Property}
	}
	return judgements, err
}

// readOf leaves the letters that were read of "ann=ab".
func readOf(_ int, read map[int]bool) func([]byte) ([]byte, error) {
	return func(b []byte) ([]byte, error) {
		b = slices.Clone(b)
		for i := range 2 {
			if read != nil && !read[i] {
				b[len("ann=")+i] = '-'
			}
		}
		return b, nil
	}
}

// Answers are remembered by the fields read, whatever else the property can read; fields said not to be read must not be.
func TestAnswersAreRememberedByTheFieldsThatWereRead(t *testing.T) {
	for _, c := range []struct {
		mayRead []int
		err     string
	}{
		{[]int{0, 1}, ""},
		{[]int{model.AnyNumber}, ""},
		{[]int{0}, `the property "invariant" reads Ann.second, which the analysis of its bytecode overlooked: check with --hashing full`},
	} {
		program := letters{path("aa", "ba", "bb", "ab"), c.mayRead}
		actors := must.Get(space.NewActors(program, space.Decomposition{Visible: readOf}))
		checker := property.NewChecker(program, actors)
		r, err := dbss.Search(t.Context(), actors, checker, dbss.Options{}, &dbss.Progress{})
		if fmt.Sprint(err) != cmp.Or(c.err, "<nil>") {
			t.Errorf("%v: %v, want %q", c.mayRead, err, c.err)
		}
		if err != nil {
			continue
		}
		if asked, _ := checker.Evaluations(r.States, r.Terminal); r.States != 4 || asked != 4 {
			t.Errorf("%v: %d evaluations in %d states, want 4 in 4", c.mayRead, asked, r.States)
		}
	}
}
