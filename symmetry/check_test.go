package symmetry_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
	"harrier/serializer"
	"harrier/symmetry"
)

// A changed program is one whose steps and judgements are changed, such that they tell actors apart.
type changed struct {
	*toy.Protocol
	step  func(who string, q model.Question, a *model.Answer)
	judge func(told []string, e model.Evaluation, j *model.Judgement)
}

const told = 2 // the first field of a voter who was told

// poll is a program in which voters vote once, by themselves. A box collects the names of those who did, and tells them when it has
// two.
func poll(voters int, invariants ...toy.Property) *changed {
	p := wired(nil, append(wire("v", voters, nil), toy.Actor{Name: "box"})...)
	p.Classes[0].Handlers = []toy.Handler{
		{Label: "v.vote", Kind: toy.Itself, Guard: start, Outcomes: [][]toy.Act{{
			ends, {Do: "record"}, {Do: "send", To: "role:box", From: -1, Hops: "none"},
		}}},
		{Label: "v.on(Told)", Kind: 1, Outcomes: [][]toy.Act{{{Do: "set", Value: told}}}},
	}
	hasTwo := []toy.Test{{Field: toy.OfKnown, Is: "==", Value: 2}}
	p.Classes[1].Handlers = []toy.Handler{
		{Label: "box.on(Vote)", Outcomes: [][]toy.Act{{
			{Do: "learn"}, {Do: "send", Kind: 1, To: "known", Carries: true, From: -1, Hops: "none", When: hasTwo},
		}}},
		{Label: "box.on(Set<Vote>)", Quorum: &toy.Quorum{Size: 2, Told: true}, Guard: []toy.Test{{Field: 1, Is: "==", Value: 1}}},
	}
	p.Invariants = invariants
	return &changed{Protocol: p}
}

func (p *changed) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	answers, err := p.Protocol.Steps(ctx, questions)
	for i := range answers {
		v, err := serializer.Decode(questions[i].Local)
		if err != nil {
			return nil, err
		}
		if p.step != nil {
			answers[i].Outcomes = slices.Clone(answers[i].Outcomes)
			p.step(v.Text, questions[i], &answers[i])
		}
	}
	return answers, err
}

func (p *changed) Evaluate(ctx context.Context, evaluations []model.Evaluation) ([]model.Judgement, error) {
	judgements, err := p.Protocol.Evaluate(ctx, evaluations)
	for i, e := range evaluations {
		var who []string
		for _, a := range e.Actors {
			if v, err := serializer.Decode(a.Local); err == nil && a.Name != "box" && v.Fields[0].Value.Int == told {
				who = append(who, a.Name)
			}
		}
		if p.judge != nil {
			p.judge(slices.Sorted(slices.Values(who)), e, &judgements[i])
		}
	}
	return judgements, err
}

// tells changes who is told of two votes, and in which order.
func (p *changed) tells(change func(sends []model.Message) []model.Message) *changed {
	p.step = func(_ string, _ model.Question, a *model.Answer) {
		for i, o := range a.Outcomes {
			if len(o.Sends) == 2 {
				a.Outcomes[i].Sends = change(slices.Clone(o.Sends))
			}
		}
	}
	return p
}

// reads has the property hold, and read some actors.
func (p *changed) reads(names func(told []string) []string) *changed {
	p.judge = func(told []string, e model.Evaluation, j *model.Judgement) {
		j.Holds, j.Reads = true, []int{model.ReadHistory}
		for _, name := range names(told) {
			j.Reads = append(j.Reads, slices.IndexFunc(e.Actors, func(a model.Actor) bool { return a.Name == name }))
		}
	}
	return p
}

// checked searches a poll and checks its steps.
func (p *changed) checked(t *testing.T, ctx context.Context) (symmetry.Checked, error) {
	t.Helper()
	return checked(t, ctx, p, func(*symmetry.Group, *space.Actors) {})
}

// checked searches a program and checks its steps.
func checked(t *testing.T, ctx context.Context, p model.Oracle, prepare func(g *symmetry.Group, actors *space.Actors)) (symmetry.Checked, error) {
	t.Helper()
	g, actors := find(t, p, space.Decomposition{})
	prepare(g, actors)
	checker := property.NewChecker(p, actors)
	checker.Permute(symmetry.Labels(g.Generators))
	r, err := dbss.Search(context.Background(), actors, checker, dbss.Options{KeepGoing: true}, &dbss.Progress{})
	if err != nil || !r.Complete {
		t.Fatalf("the search: %+v, %v", r, err)
	}
	return symmetry.Check(ctx, actors, checker, g.Generators)
}

// Properties of polls.
var (
	readsAll  = toy.Property{Facts: []toy.Fact{{Least: 1, Test: toy.Test{Is: ">=", Value: 0}}, {Least: 3, Test: toy.Test{Is: "==", Value: told}}}}
	ofHistory = toy.Property{Facts: readsAll.Facts[:1], History: true}
	ofOne     = toy.Property{Facts: []toy.Fact{{Actor: "v2", Test: toy.Test{Is: "==", Value: told}}}}
	someTold  = toy.Property{Facts: []toy.Fact{{Test: toy.Test{Is: "==", Value: told}}}}
)

func TestSymmetricStepsPass(t *testing.T) {
	reversed := func(sends []model.Message) []model.Message { return []model.Message{sends[1], sends[0]} }
	chosen := wired(&chooses, wire("server", 3, nil)...)
	chosen.Invariants = []toy.Property{readsAll}
	for name, p := range map[string]*changed{
		"all":                  poll(3, readsAll, ofHistory),
		"in any order chooses": {Protocol: chosen},
		"in any order sends":   poll(3, readsAll, ofHistory).tells(reversed),
	} {
		checked, err := p.checked(t, context.Background())
		if err != nil || !checked.Complete || checked.Steps != checked.KnownSteps || checked.Steps == 0 ||
			checked.Evaluations == 0 {
			t.Errorf("%s: %+v, %v", name, checked, err)
		}
	}
}

func TestAsymmetricStepsAreFound(t *testing.T) {
	for _, c := range []struct {
		name string
		poll *changed
		says string
	}{
		{"one votes twice", &changed{Protocol: poll(3).Protocol, step: func(who string, _ model.Question, a *model.Answer) {
			for i, o := range a.Outcomes {
				if who == "v3" {
					a.Outcomes[i].Sends = slices.Concat(o.Sends, o.Sends)
				}
			}
		}}, "does different things in v.vote with "},
		{"the first name of a set is picked", poll(3).tells(func(sends []model.Message) []model.Message { return sends[:1] }),
			"box does different things in box.on(Vote) with "},
		{"one is never told", poll(3).tells(func(sends []model.Message) []model.Message {
			return slices.DeleteFunc(sends, func(m model.Message) bool { return m.Receiver == "v2" })
		}), "box does different things in box.on(Vote) with "},
		{"a quorum where one voted", &changed{Protocol: poll(3).Protocol, step: func(_ string, q model.Question, a *model.Answer) {
			if len(q.Event.Messages) == 1 && q.Event.Messages[0].Sender == "v1" {
				a.Quorums = nil
			}
		}}, "box does different things in box.on(Vote) with "},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := c.poll.checked(t, context.Background())
			var rule *model.RuleError
			if !errors.As(err, &rule) || !strings.Contains(rule.Text, c.says) || !strings.Contains(rule.Text, "--symmetry off") {
				t.Fatalf("%v", err)
			}
			if text := strings.Join(rule.Detail, "\n"); !strings.Contains(text, "it should be:") {
				t.Errorf("the detail is\n%s", text)
			}
		})
	}
}

// A search that is ended early asks for one pair of votes. The check takes the steps of the whole orbit.
func TestOrbitsAreClosed(t *testing.T) {
	pairs := map[string]bool{}
	p := poll(3).tells(func(sends []model.Message) []model.Message {
		pairs[string(sends[0].Payload)] = true
		return sends
	})
	_, actors := find(t, p, space.Decomposition{})
	checker := property.NewChecker(p, actors)
	must.Get(dbss.Search(context.Background(), actors, checker, dbss.Options{MaxStates: 4}, &dbss.Progress{}))
	if len(pairs) != 1 {
		t.Fatalf("the search asked for %d pairs", len(pairs))
	}
	turn := []symmetry.Permutation{{"v1": "v2", "v2": "v3", "v3": "v1"}}
	checked, err := symmetry.Check(context.Background(), actors, checker, turn)
	if err != nil || !checked.Complete || len(pairs) != 3 {
		t.Errorf("%+v, %v, %d pairs", checked, err, len(pairs))
	}
}

// looks has all steps look at some names, and no others.
func (p *changed) looks(names ...string) *changed {
	step := p.step
	p.step = func(who string, q model.Question, a *model.Answer) {
		if step != nil {
			step(who, q, a)
		}
		a.Looks = model.Looks{Known: true, Names: names}
	}
	return p
}

// Steps that look at no name that is permuted are not compared, whatever they do: that they commute is known.
func TestStepsThatLookAreCompared(t *testing.T) {
	one := func(sends []model.Message) []model.Message { return sends[:1] }
	for _, names := range [][]string{nil, {"box"}, {"box", "w1"}} {
		checked, err := poll(3).tells(one).looks(names...).checked(t, context.Background())
		if err != nil || !checked.Complete || checked.Steps != 0 || checked.KnownSteps == 0 {
			t.Errorf("looks at %v: %+v, %v", names, checked, err)
		}
	}
	var d *symmetry.Difference
	for _, names := range [][]string{{"v1"}, {"box", "v3"}, {"v2/child"}} {
		if _, err := poll(3).tells(one).looks(names...).checked(t, context.Background()); !errors.As(err, &d) {
			t.Errorf("looks at %v: %v", names, err)
		}
	}
}

// Where a look is not noted, as a step tells names apart in an unforeseen way, its second execution shows it.
func TestLooksThatAreNotNotedAreFound(t *testing.T) {
	one := func(sends []model.Message) []model.Message { return sends[:1] }
	second := func(sends []model.Message) []model.Message { return sends[1:] }
	try := func(g *symmetry.Group, actors *space.Actors) { space.TryRenamings(actors.LocalSteps, g.Renaming) }
	for name, tell := range map[string]func(sends []model.Message) []model.Message{"the first": one, "the second": second} {
		var d *symmetry.Difference
		p := toy.Twice{Oracle: poll(3).tells(tell).looks()}
		if _, err := checked(t, context.Background(), p, try); !errors.As(err, &d) || !strings.Contains(d.Text, "box does different things in box.on(Vote)") {
			t.Errorf("%s is told: %v", name, err)
		}
	}
	var varied atomic.Uint64
	all, err := checked(t, context.Background(), toy.Twice{Oracle: poll(3).looks(), Varied: &varied}, try)
	if err != nil || !all.Complete || all.Steps != 0 || varied.Load() < all.KnownSteps/2 {
		t.Errorf("all are told: %+v, %v, %d steps taken with other names", all, err, varied.Load())
	}
}

// The steps of the box look at voters, others do not.
func TestLooksAreThoseOfTheirSteps(t *testing.T) {
	p := poll(3)
	p.step = func(who string, q model.Question, a *model.Answer) {
		a.Looks = model.Looks{Known: true, Names: []string{"box"}}
		if who == "box" {
			a.Looks.Names = []string{"v1", "v2", "v3"}
		}
	}
	checked, err := p.checked(t, context.Background())
	if err != nil || checked.Steps == 0 || checked.Steps == checked.KnownSteps {
		t.Errorf("%+v, %v", checked, err)
	}
}

// recorded are the voters whose operations a history has.
func recorded(e model.Evaluation) (who []string) {
	if v, err := serializer.Decode(e.History); err == nil {
		for _, operation := range v.Fields[0].Value.Elements {
			who = append(who, operation.Fields[0].Value.Text)
		}
	}
	return who
}

// One evaluation is compared with its image, and that with its own: the property tells the voter apart to whom two turns lead.
func TestOrbitsOfEvaluationsAreClosed(t *testing.T) {
	ctx, turn := context.Background(), symmetry.Permutation{"v1": "v2", "v2": "v3", "v3": "v1"}
	for name, reads := range map[string]func(told []string, e model.Evaluation, j *model.Judgement) []string{
		"of states": func(told []string, _ model.Evaluation, _ *model.Judgement) []string { return told },
		"of the history": func(_ []string, e model.Evaluation, j *model.Judgement) []string {
			j.Reads = []int{model.ReadHistory}
			return recorded(e)
		},
	} {
		p := poll(3, ofHistory)
		var who []string // that the last evaluation read
		apart := ""
		p.judge = func(told []string, e model.Evaluation, j *model.Judgement) {
			who = reads(told, e, j)
			j.Holds = !slices.Equal(who, []string{apart})
		}
		_, actors := find(t, p, space.Decomposition{})
		var checker *property.Checker
		for s := actors.Initial(); len(who) != 1; {
			enabled := must.Get(actors.Enabled(ctx, s, nil))
			next, _, err := actors.Apply(s, enabled[0], nil)
			s = must.Get(next, err)
			checker = property.NewChecker(p, actors)
			checker.Permute(symmetry.Labels([]symmetry.Permutation{turn}))
			must.Get(checker.Invariants(ctx, s))
		}
		apart = turn.Of(turn.Of(who[0]))
		var rule *model.RuleError
		if _, err := symmetry.Check(ctx, actors, checker, []symmetry.Permutation{turn}); !errors.As(err, &rule) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The images of an evaluation that looks at no name that is permuted are those of its generators, and theirs if it looks. The property
// tells apart whom one turn leads to, or two.
func TestEvaluationsThatLookAreClosed(t *testing.T) {
	ctx, turn := context.Background(), symmetry.Permutation{"v1": "v2", "v2": "v3", "v3": "v1"}
	swaps := []symmetry.Permutation{{"v1": "v2", "v2": "v1"}, {"v2": "v3", "v3": "v2"}}
	find := func(turns int, looks model.Looks, generators ...symmetry.Permutation) bool {
		p := poll(3, someTold)
		_, actors := find(t, p, space.Decomposition{})
		checker := property.NewChecker(p, actors)
		checker.Permute(symmetry.Labels(generators))
		apart := ""
		var first []string
		p.judge = func(told []string, _ model.Evaluation, j *model.Judgement) {
			j.Looks, j.Holds = looks, !slices.Equal(told, []string{apart})
			first = told
		}
		for s := actors.Initial(); len(first) != 1; {
			enabled := must.Get(actors.Enabled(ctx, s, nil))
			next, _, err := actors.Apply(s, enabled[0], nil)
			s = must.Get(next, err)
			checker = property.NewChecker(p, actors)
			checker.Permute(symmetry.Labels(generators))
			must.Get(checker.Invariants(ctx, s))
		}
		for apart = first[0]; turns > 0; turns-- {
			apart = turn.Of(apart)
		}
		_, err := symmetry.Check(ctx, actors, checker, generators)
		var d *symmetry.Difference
		return errors.As(err, &d)
	}
	if opaque := (model.Looks{Known: true, Names: []string{"box"}}); !find(1, opaque, turn) || find(2, opaque, turn) {
		t.Errorf("without looks: %v one turn away, %v two", find(1, opaque, turn), find(2, opaque, turn))
	}
	if find(1, model.Looks{Known: true}) {
		t.Error("a difference was found where nobody is permuted")
	}
	for _, generators := range [][]symmetry.Permutation{{turn}, swaps} {
		if at := (model.Looks{Known: true, Names: []string{"v2"}}); !find(1, at, generators...) || !find(2, at, generators...) {
			t.Errorf("with looks: %v one turn away, %v two", find(1, at, generators...), find(2, at, generators...))
		}
	}
}

func TestAsymmetricPropertiesAreFound(t *testing.T) {
	fails := poll(3, someTold)
	fails.judge = func(told []string, _ model.Evaluation, j *model.Judgement) {
		if slices.Equal(told, []string{"v2"}) {
			j.Failure = &model.Failure{Kind: model.Exception, Text: "no"}
		}
	}
	history := poll(3, ofHistory)
	history.judge = func(_ []string, e model.Evaluation, j *model.Judgement) {
		j.Reads = []int{model.ReadHistory}
		j.Holds = !slices.Equal(recorded(e), []string{"v2"})
	}
	for name, p := range map[string]*changed{"of one voter": poll(3, ofOne), "that fails for one voter": fails, "of the history": history} {
		t.Run(name, func(t *testing.T) {
			_, err := p.checked(t, context.Background())
			var rule *model.RuleError
			if !errors.As(err, &rule) || !strings.Contains(rule.Text, `the property "invariant 0" says different things with `) {
				t.Errorf("%v", err)
			}
		})
	}
}

// A property that reads one voter is evaluated with each state of that voter once. The states of the others, which
// it would read under other names, are gone through as well.
func TestPropertyThatReadsOneActorIsFound(t *testing.T) {
	evaluations := func(names ...string) uint64 {
		checked := must.Get(poll(3, readsAll).reads(func([]string) []string { return names }).checked(t, context.Background()))
		return checked.Evaluations
	}
	if one, all := evaluations("v1"), evaluations("v1", "v2", "v3"); one != all {
		t.Errorf("%d evaluations of a property that reads a voter, %d of one that reads all of them", one, all)
	}
}

// A check that a limit ends is not complete.
func TestUnfinishedChecksAreTold(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("time is up"))
	checked, err := poll(3).checked(t, ctx)
	if err != nil || checked.Complete || checked.Reason != "time is up" {
		t.Errorf("%+v, %v", checked, err)
	}
}

// A property that reads more under other names depends on local states that were not compared.
func TestPropertiesThatReadMoreUnderOtherNames(t *testing.T) {
	more := func(told []string) []string {
		if slices.Equal(told, []string{"v2"}) {
			return []string{"v1", "v2", "v3", "box"}
		}
		return []string{"v1", "v2", "v3"}
	}
	_, err := poll(3, readsAll).reads(more).checked(t, context.Background())
	var d *symmetry.Difference
	if !errors.As(err, &d) || !strings.Contains(d.Text, `the property "invariant 0" reads other actors with v`) || len(d.Moved) == 0 {
		t.Errorf("%v", err)
	}
}

func TestLabels(t *testing.T) {
	label := symmetry.Labels([]symmetry.Permutation{{"a": "b", "b": "a"}, {"c": "d", "d": "e", "e": "c"}, {"b": "c", "c": "b"}})
	for _, same := range [][2]string{{"a", "e"}, {"a/x", "d/x"}} {
		if label(same[0]) != label(same[1]) {
			t.Errorf("%s and %s have different labels", same[0], same[1])
		}
	}
	for _, other := range [][2]string{{"a", "f"}, {"a/x", "a/y"}, {"a/x", "a"}} {
		if label(other[0]) == label(other[1]) {
			t.Errorf("%s and %s have the same label", other[0], other[1])
		}
	}
}
