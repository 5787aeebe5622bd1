package audit_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"harrier/dbss"
	"harrier/internal/check/audit"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
)

// follow is a reduction, right or wrong, that follows those transitions of a state that it is to, where there are others.
func follow(actors *space.Actors, followed func(actor, does string, p space.NodeStep) bool) func() model.Reduction {
	return func() model.Reduction {
		return func(ctx context.Context, s model.State, into []model.Transition) ([]model.Transition, bool, error) {
			enabled, err := actors.Enabled(ctx, s, nil)
			for _, t := range enabled {
				p := actors.StepOf(s, t)
				does := p.Kind.String()
				if p.Handler != 0 {
					does = actors.Values.HandlerLabel(int(p.Handler))
				}
				if followed(actors.Values.PositionName(int(t.Slot)+1), does, p) {
					into = append(into, t)
				}
			}
			return into, len(into) > 0 && len(into) < len(enabled), err
		}
	}
}

// auditedReduction searches a script with an audited reduction that follows the named events, such as "ann on x".
func auditedReduction(t *testing.T, s model.Oracle, d space.Decomposition, bound uint64, followed ...string) (audit.ReductionReport, error) {
	t.Helper()
	actors := must.Get(space.NewActors(s, d))
	audited := audit.NewReduction(actors, bound)
	reduction := audited.Audit(follow(actors, func(actor, does string, _ space.NodeStep) bool {
		for _, f := range followed {
			if f == actor+" "+does {
				return true
			}
		}
		return false
	}))
	options := dbss.Options{KeepGoing: true, Reduction: reduction}
	_, err := dbss.Search(context.Background(), actors, property.NewChecker(s, actors), options, &dbss.Progress{})
	return audited.Report(), err
}

// both is an actor that receives x and y, in whichever order.
func both(rules string) *toy.Script {
	return toy.Read("start: ann idle, bob idle\n mail: ann>ann x, ann>ann y\n" + rules)
}

// diamond is two steps of ann that lead to the same state, and more.
func diamond(more string) *toy.Script {
	return both(`
		ann idle x -> x
		ann y x -> xy
		ann idle y -> y
		ann x y -> xy
		` + more)
}

// Each kind of dependence that a reduction overlooks is seen.
func TestDependentEventsAreCaught(t *testing.T) {
	for _, c := range toy.ReadCases(t, "testdata/dependent.txt") {
		t.Run(c.Name, func(t *testing.T) {
			followed, want, _ := strings.Cut(c.Want, " | ")
			_, err := auditedReduction(t, toy.Read(c.Text), space.Decomposition{}, 1000, strings.Split(followed, ", ")...)
			breaksRule(t, err, want)
		})
	}
}

// Commuting steps pass: steps of one actor that commute, steps of two, several outcomes, a failure of somebody else.
func TestIndependentEventsPass(t *testing.T) {
	s := both(`
		mail: bob>bob r, bob>bob s
		ann idle x -> x, send bob p
		ann y x -> xy, send bob p
		ann z x -> xz, send bob p
		ann idle y -> y, send bob q | z
		ann x y -> xy, send bob q | xz
		bob idle r -> idle | r
		bob idle s -> fail no
		bob r p -> p`)
	for _, followed := range []string{"ann on x", "ann on y"} {
		report, err := auditedReduction(t, s, space.Decomposition{}, 1000, followed)
		if err != nil || report.Pairs == 0 || !report.Complete {
			t.Errorf("%s: %+v, %v", followed, report, err)
		}
	}
}

// Of what an actor did nothing may be left once it has stopped. Then it may be done first, or not at all.
func TestAStopMayHideWhatWasDone(t *testing.T) {
	s := diamond("mail: ann>bob p\n bob idle p -> p\n fault: any stop all")
	if report, err := auditedReduction(t, s, space.Decomposition{}, 1000, "bob on p"); err != nil || report.Pairs == 0 {
		t.Errorf("%+v, %v", report, err)
	}
}

// of has all properties read the same.
func of(visible func(b []byte) ([]byte, error)) func(int, map[int]bool) func([]byte) ([]byte, error) {
	return func(int, map[int]bool) func([]byte) ([]byte, error) { return visible }
}

// An invariant reads a local state's text before the slash.
func TestWhatNoInvariantReadsMayChange(t *testing.T) {
	const rules = `
		start: ann a/idle, bob idle
		mail: ann>ann x, ann>ann y
		never: nobody
		ann a/idle x -> a/x
		ann a/y x -> a/xy
		ann b/y x -> a/xy
		`
	audit := func(more, followed string) error {
		_, err := auditedReduction(t, toy.Read(rules+more), space.Decomposition{Visible: of(toy.BeforeSlash)}, 1000, followed)
		return err
	}
	if err := audit("ann a/idle y -> b/y\n ann a/x y -> a/xy", "ann on x"); err != nil {
		t.Errorf("x changes nothing that is read: %v", err)
	}
	breaksRule(t, audit("ann a/idle y -> b/y\n ann a/x y -> a/xy", "ann on y"), "what invariants read")
	breaksRule(t, audit("ann a/idle y -> fail no", "ann on y"), "it fails")
}

func TestAnEventIsFollowedWithAllItsOutcomes(t *testing.T) {
	s := both("ann idle x -> x | y")
	actors := must.Get(space.NewActors(s, space.Decomposition{}))
	first := func(_, _ string, p space.NodeStep) bool {
		return string(actors.Values.Actor(p.Local).Local) == "ann=x"
	}
	options := dbss.Options{Reduction: audit.NewReduction(actors, 10).Audit(follow(actors, first))}
	_, err := dbss.Search(context.Background(), actors, property.NewChecker(s, actors), options, &dbss.Progress{})
	breaksRule(t, err, "it has outcomes that were put off")
}

func TestTheDetailShowsTheStates(t *testing.T) {
	s := both("ann idle x -> x\n ann idle y -> y\n ann x y -> xy\n ann y x -> yx")
	_, err := auditedReduction(t, s, space.Decomposition{}, 1000, "ann on x")
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
	s := diamond("mail: bob>bob r, bob>bob s\n bob idle r -> idle\n bob idle s -> idle")
	report, err := auditedReduction(t, s, space.Decomposition{}, 2, "ann on x")
	if err != nil || report.Pairs != 2 || report.Complete || report.Reason != "2 pairs of events were compared" {
		t.Errorf("%+v, %v", report, err)
	}
}
