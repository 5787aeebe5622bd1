package audit_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"harrier/audit"
	"harrier/dbss"
	"harrier/internal/toy"
	"harrier/model"
	"harrier/property"
)

// follow is a reduction, right or wrong, that follows those transitions of a state that it is to, where there are others.
func follow(actors *model.Actors, isFollowed func(actor, does string, p model.NodeStep) bool) func() model.Reduction {
	return func() model.Reduction {
		return func(ctx context.Context, s model.State, into []model.Transition) ([]model.Transition, bool, error) {
			enabled, err := actors.Enabled(ctx, s, nil)
			for _, t := range enabled {
				p := actors.StepOf(s, t)
				does := p.Kind.String()
				if p.Handler != 0 {
					does = actors.HandlerLabel(int(p.Handler))
				}
				if isFollowed(actors.PositionName(int(t.Slot)+1), does, p) {
					into = append(into, t)
				}
			}
			return into, len(into) > 0 && len(into) < len(enabled), err
		}
	}
}

// auditedReduction searches a script with an audited reduction that follows what is named, such as "ann on x".
func auditedReduction(t *testing.T, s model.Oracle, d model.Decomposition, bound uint64, followed ...string) (audit.ReductionReport, error) {
	t.Helper()
	actors, err := model.NewActors(s, d)
	if err != nil {
		t.Fatal(err)
	}
	audited := audit.NewReduction(actors, bound)
	reduction := audited.Audit(follow(actors, func(actor, does string, _ model.NodeStep) bool {
		for _, f := range followed {
			if f == actor+" "+does {
				return true
			}
		}
		return false
	}))
	options := dbss.Options{KeepGoing: true, Reduction: reduction}
	_, err = dbss.Search(context.Background(), actors, property.NewChecker(s, actors), options, &dbss.Progress{})
	return audited.Report(), err
}

func always(map[string]string) bool { return true }

// both is an actor that receives x and y, in whichever order.
func both(rules map[string][]toy.Then) *toy.Script {
	return &toy.Script{Start: map[string]string{"ann": "idle", "bob": "idle"}, Mail: []string{"ann>ann x", "ann>ann y"}, Rules: rules}
}

// diamond is two steps of ann that lead to the same state, and send letters to bob.
func diamond(xSends, ySends []string) *toy.Script {
	return both(map[string][]toy.Then{
		"ann idle x": {{Become: "x", Send: xSends}}, "ann y x": {{Become: "xy", Send: xSends}},
		"ann idle y": {{Become: "y", Send: ySends}}, "ann x y": {{Become: "xy", Send: ySends}},
	})
}

func everybody(kind model.EventKind, budget int) model.Fault {
	return model.Fault{Kind: kind, Scope: model.Scope{All: true}, Budget: budget, Label: kind.String()}
}

// Each kind of dependence that a reduction overlooks is seen.
func TestDependentEventsAreCaught(t *testing.T) {
	cases := []struct {
		name     string
		script   *toy.Script
		change   func(s *toy.Script)
		followed string
		want     string
	}{
		{name: "one reads what the other writes", followed: "ann on x",
			script: both(map[string][]toy.Then{
				"ann idle x": {{Become: "x"}}, "ann idle y": {{Become: "y"}}, "ann x y": {{Become: "xy"}}, "ann y x": {{Become: "yx"}},
			}),
			want: `"on x" of ann (78 from ann) and "on y" of ann (79 from ann) to be independent, but ann is in another state if they are swapped`},
		{name: "one closes the guard of the other", followed: "ann on x",
			script: both(map[string][]toy.Then{"ann idle x": {{Become: "x"}}, "ann idle y": {{Become: "y"}}, "ann x y": {{Become: "xy"}}}),
			want:   "but the first is not enabled after the second"},
		{name: "one is closed by the other", followed: "ann on x",
			script: both(map[string][]toy.Then{"ann idle x": {{Become: "x"}}, "ann idle y": {{Become: "y"}}, "ann y x": {{Become: "xy"}}}),
			want:   "but the second is not enabled after the first"},
		{name: "they consume the same message", followed: "ann on x",
			script: both(map[string][]toy.Then{"ann idle x": {{Become: "idle"}}, "ann idle x+y": {{Become: "idle"}}}),
			change: func(s *toy.Script) {
				quorum := []model.Quorum{{Handler: "together"}}
				s.Quorums = map[string][]model.Quorum{"x": quorum, "y": quorum}
			},
			want: `"on x" of ann (78 from ann) and "on x+y" of ann (78 from ann, 79 from ann) to be independent, but the first is not enabled`},
		{name: "the other may lose the message", followed: "ann on x",
			script: both(map[string][]toy.Then{"ann idle x": {{Become: "idle"}}}),
			change: func(s *toy.Script) { s.Faults = []model.Fault{everybody(model.Lose, 1)} },
			want:   `and lose of ann (78 from ann) to be independent, but the first is not enabled`},
		{name: "sends in one queue", followed: "ann on x", script: diamond([]string{"bob p"}, []string{"bob q"}),
			change: func(s *toy.Script) {
				s.FIFO, s.Mail = model.Scope{Names: []string{"bob"}}, []string{"ann>ann x", "ann>ann y"}
			},
			want: "other messages wait for bob, or in another order, if they are swapped"},
		{name: "adding to a set that is taken from", followed: "bob on p", script: diamond([]string{"bob p"}, nil),
			change: func(s *toy.Script) {
				s.Mail = append(s.Mail, "ann>bob p")
				s.Rules["bob idle p"] = []toy.Then{{Become: "idle"}}
				s.Faults, s.Final = []model.Fault{{Kind: model.Duplicate, Scope: model.Scope{Names: []string{"bob"}}, Budget: model.Unbounded}}, always
			},
			want: "other messages wait for bob"},
		{name: "a cut", followed: "bob on p", script: diamond(nil, nil),
			change: func(s *toy.Script) {
				s.Mail = append(s.Mail, "ann>bob p")
				s.Rules["bob idle p"] = []toy.Then{{Become: "p"}}
				s.Faults = []model.Fault{{Kind: model.Split, Scope: model.Scope{Names: []string{"bob"}}, Budget: 1, Label: "cut"}}
			},
			want: `"on p" of bob (70 from ann) and split of bob to be independent, but the first is not enabled`},
		{name: "a crash for good", followed: "bob on p", script: diamond(nil, nil),
			change: func(s *toy.Script) {
				s.Mail = append(s.Mail, "ann>bob p")
				s.Rules["bob idle p"] = []toy.Then{{Become: "p", Send: []string{"ann q"}}}
				s.Faults = []model.Fault{everybody(model.Stop, model.Unbounded)}
			},
			want: "stop of bob to be independent, but the first is not enabled"},
		{name: "what is not enabled", followed: "ann on x, bob heal", script: diamond(nil, nil),
			change: func(s *toy.Script) {
				s.Faults = []model.Fault{{Kind: model.Split, Scope: model.Scope{Names: []string{"bob"}}, Budget: 1, Label: "cut"}}
			},
			want: `beside heal of bob, but it is not enabled`},
		{name: "what invariants read", followed: "ann on x", script: diamond(nil, nil),
			change: func(s *toy.Script) { s.Invariants = []toy.Condition{always} },
			want:   `put off what may happen beside "on x" of ann (78 from ann), but it changes what invariants read`},
		{name: "who exists", followed: "ann on x", script: both(map[string][]toy.Then{
			"ann idle x": {{Become: "idle", Create: map[string]string{"cid": "idle"}}}, "ann idle y": {{Become: "idle"}}}),
			change: func(s *toy.Script) { s.Invariants = []toy.Condition{always} },
			want:   "but it changes what invariants read"},
		{name: "nothing but a fault", followed: "ann lose", script: both(map[string][]toy.Then{"ann idle x": {{Become: "idle"}}}),
			change: func(s *toy.Script) { s.Faults = []model.Fault{everybody(model.Lose, model.Unbounded)} },
			want:   "but it is a fault, which need not happen"},
		{name: "a failure", followed: "ann on x", script: both(map[string][]toy.Then{"ann idle x": {{Fail: "no"}}, "ann idle y": {{Become: "idle"}}}),
			want: "but it fails"},
		{name: "the other one's failure", followed: "ann on x",
			script: both(map[string][]toy.Then{
				"ann idle x": {{Become: "x"}}, "ann idle y": {{Fail: "no"}}, "ann x y": {{Become: "xy"}},
			}),
			want: "but the second fails, and does not after the first"},
		{name: "a failure later", followed: "ann on x",
			script: both(map[string][]toy.Then{
				"ann idle x": {{Become: "x"}}, "ann idle y": {{Become: "y"}}, "ann y x": {{Fail: "no"}}, "ann x y": {{Become: "xy"}},
			}),
			want: "but the first fails after the second"},
		{name: "a choice", followed: "ann on x",
			script: both(map[string][]toy.Then{
				"ann idle x": {{Become: "1"}}, "ann 1 y": {{Become: "end"}},
				"ann idle y": {{Become: "2"}}, "ann 2 x": {{Become: "end"}, {Become: "other"}},
			}),
			want: "ann is in another state if they are swapped"},
		{name: "deliveries to one queue", followed: "ann deliver", script: diamond(nil, nil),
			change: func(s *toy.Script) {
				s.Passing, s.Faults = model.MMP, []model.Fault{everybody(model.Lose, model.Unbounded)}
			},
			want: "lose of ann (78 from ann) to be independent, but the first is not enabled"},
	}
	for _, c := range cases {
		if c.change != nil {
			c.change(c.script)
		}
		t.Run(c.name, func(t *testing.T) {
			_, err := auditedReduction(t, c.script, model.Decomposition{}, 1000, strings.Split(c.followed, ", ")...)
			breaksRule(t, err, c.want)
		})
	}
}

// What commutes passes: steps of one actor that commute, steps of two, several outcomes, a failure of somebody else.
func TestIndependentEventsPass(t *testing.T) {
	s := diamond([]string{"bob p"}, []string{"bob q"})
	s.Mail = append(s.Mail, "bob>bob r", "bob>bob s")
	s.Rules["ann idle y"] = append(s.Rules["ann idle y"], toy.Then{Become: "z"})
	s.Rules["ann x y"] = append(s.Rules["ann x y"], toy.Then{Become: "xz"})
	s.Rules["ann z x"] = []toy.Then{{Become: "xz", Send: []string{"bob p"}}}
	s.Rules["bob idle r"] = []toy.Then{{Become: "idle"}, {Become: "r"}}
	s.Rules["bob idle s"] = []toy.Then{{Fail: "no"}}
	s.Rules["bob r p"] = []toy.Then{{Become: "p"}}
	report, err := auditedReduction(t, s, model.Decomposition{}, 1000, "ann on x")
	if err != nil || report.Pairs == 0 || !report.Complete() {
		t.Errorf("%+v, %v", report, err)
	}
}

// Of what an actor did nothing may be left once it has stopped. Then it may be done first, or not at all.
func TestAStopMayHideWhatWasDone(t *testing.T) {
	s := diamond(nil, nil)
	s.Mail = append(s.Mail, "ann>bob p")
	s.Rules["bob idle p"] = []toy.Then{{Become: "p"}}
	s.Faults = []model.Fault{everybody(model.Stop, model.Unbounded)}
	if report, err := auditedReduction(t, s, model.Decomposition{}, 1000, "bob on p"); err != nil || report.Pairs == 0 {
		t.Errorf("%+v, %v", report, err)
	}
}

// of has all properties read the same.
func of(visible func(b []byte) ([]byte, error)) func(property int, b []byte) ([]byte, error) {
	return func(_ int, b []byte) ([]byte, error) { return visible(b) }
}

// An invariant reads what is before the slash.
func TestWhatNoInvariantReadsMayChange(t *testing.T) {
	s := diamond(nil, nil)
	s.Start["ann"] = "a/idle"
	s.Rules = map[string][]toy.Then{
		"ann a/idle x": {{Become: "a/x"}}, "ann a/y x": {{Become: "a/xy"}}, "ann a/idle y": {{Become: "b/y"}}, "ann a/x y": {{Become: "a/xy"}},
		"ann b/y x": {{Become: "a/xy"}},
	}
	s.Invariants = []toy.Condition{always}
	_, err := auditedReduction(t, s, model.Decomposition{Visible: of(relevant)}, 1000, "ann on x")
	if err != nil {
		t.Errorf("x changes nothing that is read: %v", err)
	}
	_, err = auditedReduction(t, s, model.Decomposition{Visible: of(relevant)}, 1000, "ann on y")
	breaksRule(t, err, "what invariants read")
	s.Rules["ann a/idle y"] = []toy.Then{{Fail: "no"}}
	delete(s.Rules, "ann a/x y")
	_, err = auditedReduction(t, s, model.Decomposition{Visible: of(relevant)}, 1000, "ann on y")
	breaksRule(t, err, "it fails")
}

func TestAnEventIsFollowedWithAllItsOutcomes(t *testing.T) {
	s := both(map[string][]toy.Then{"ann idle x": {{Become: "x"}, {Become: "y"}}})
	actors, err := model.NewActors(s, model.Decomposition{})
	if err != nil {
		t.Fatal(err)
	}
	isFirst := func(_, _ string, p model.NodeStep) bool {
		return string(actors.Actor(p.Local).Local) == "ann=x"
	}
	options := dbss.Options{Reduction: audit.NewReduction(actors, 10).Audit(follow(actors, isFirst))}
	_, err = dbss.Search(context.Background(), actors, property.NewChecker(s, actors), options, &dbss.Progress{})
	breaksRule(t, err, "it has outcomes that were put off")
}

func TestTheDetailShowsTheStates(t *testing.T) {
	s := both(map[string][]toy.Then{
		"ann idle x": {{Become: "x"}}, "ann idle y": {{Become: "y"}}, "ann x y": {{Become: "xy"}}, "ann y x": {{Become: "yx"}},
	})
	_, err := auditedReduction(t, s, model.Decomposition{}, 1000, "ann on x")
	var rule *model.RuleError
	if !errors.As(err, &rule) || len(rule.Detail) != 3 {
		t.Fatalf("%v", err)
	}
	for i, want := range []string{" before 78 from ann, 79 from ann", "616e6e3d7978", "616e6e3d7879"} {
		if !strings.Contains(rule.Detail[i], want) {
			t.Errorf("%q does not show %q", rule.Detail[i], want)
		}
	}
}

func TestAuditOfAReductionIsBounded(t *testing.T) {
	s := diamond(nil, nil)
	s.Mail = append(s.Mail, "bob>bob r", "bob>bob s")
	s.Rules["bob idle r"], s.Rules["bob idle s"] = []toy.Then{{Become: "idle"}}, []toy.Then{{Become: "idle"}}
	report, err := auditedReduction(t, s, model.Decomposition{}, 2, "ann on x")
	if err != nil || report.Pairs != 2 || report.Complete() || report.Reason != "2 pairs of events were compared" {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestStepsThatRecordAreCaught(t *testing.T) {
	s := toy.Read(`
		start: ann idle, bob idle
		mail: ann>ann x, ann>ann y
		ann idle x -> x, record x
		ann y x -> xy, record x
		ann idle y -> y, record y
		ann x y -> xy, record y`)
	_, err := auditedReduction(t, s, model.Decomposition{}, 1000, "ann on x")
	breaksRule(t, err, "the history is another one if they are swapped")
}
