package check

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"harrier/bridge"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/plan"
	"harrier/internal/process/files"
	"harrier/internal/report"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
	"harrier/internal/testkit/twin"
)

// program is a toy, as the stages take it. One of its actors may refuse its messages.
type program struct {
	model.Oracle
	facts   model.Program
	refuses string // the actor's name, "" for none
}

func loaded(o model.Oracle) *program {
	p := &program{Oracle: o, facts: *o.Program()}
	p.facts.Shown, p.facts.Asserts = toy.Shown, true
	return p
}

func (p *program) Program() *model.Program { return &p.facts }

func (p *program) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	answers, err := p.Oracle.Steps(ctx, questions)
	for i, q := range questions {
		if err == nil && slices.ContainsFunc(q.Event.Messages, func(m model.Message) bool { return m.Receiver == p.refuses }) {
			answers[i].Outcomes = nil
		}
	}
	return answers, err
}

func (p *program) Decomposition(h space.Hashing) space.Decomposition {
	if of, ok := p.Oracle.(*toy.Protocol); ok {
		return of.Decomposition(h)
	}
	return space.Decomposition{Hashing: h}
}

func (p *program) Anew() model.Oracle { return p }

func (*program) Notes(context.Context) (bridge.Notes, error) { return bridge.Notes{}, nil }

func (*program) Coverage(context.Context) (bridge.Coverage, error) { return bridge.Coverage{}, nil }

func (*program) Classes(context.Context) (classes, libraries, resources map[string][]byte, err error) {
	return nil, nil, nil, nil
}

// TestChecksAgreeWithTwin takes random programs through all stages, as they are without options. In some of them an actor refuses what
// others of its role accept, which comes out while they are searched, or their steps compared: then they are searched again.
func TestChecksAgreeWithTwin(t *testing.T) {
	verdicts, again := map[report.Verdict]int{}, 0
	for seed := range uint64(220) {
		p := loaded(toy.Symmetric.Random(seed))
		if roles := p.facts.Roles; seed%2 == 1 && len(roles) > 0 {
			p.refuses = roles[0].Actors[len(roles[0].Actors)-1]
		}
		want := twin.Explore(p, twin.Options{MaxStates: 1000})
		if want.TooLarge || want.Err != nil {
			continue
		}
		o := plan.Default()
		c := New(must.Get(plan.Resolve(o)), Environment{Keep: files.KeepIn(t.TempDir())})
		c.Program = p
		s, err := c.Run(context.Background())
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if violated := s.Verdict == report.Violated; s.Verdict == report.Inconclusive || violated != (want.Violations > 0) {
			t.Errorf("seed %d: %s (%s); the twin met %d violations", seed, s.Verdict, s.Reason, want.Violations)
		}
		if s.Verdict == report.Violated {
			if _, err := os.Stat(s.Violation.Trace); err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
		}
		verdicts[s.Verdict]++
		again += len(c.refuted.symmetry)
	}
	if t.Logf("%v, %d times again", verdicts, again); verdicts[report.Verified] < 40 || verdicts[report.Violated] < 40 || again < 20 {
		t.Errorf("too few: %v, %d times again", verdicts, again)
	}
}

// TestSymmetryThatWasNotComparedVerifiesNothing ends random programs when the search has ended, before steps are compared.
func TestSymmetryThatWasNotComparedVerifiesNothing(t *testing.T) {
	ended, cancel := context.WithCancelCause(context.Background())
	cancel(&model.LimitError{Text: "the time is used up"})
	tried := 0
	for seed := range uint64(60) {
		p := loaded(toy.Symmetric.Random(seed))
		if want := twin.Explore(p, twin.Options{MaxStates: 300}); want.TooLarge || want.Err != nil || want.Violations > 0 {
			continue
		}
		o := plan.Default()
		c := New(must.Get(plan.Resolve(o)), Environment{Keep: files.KeepIn(t.TempDir())})
		c.Program = p
		must.Do(c.Do(context.Background(), Decompose, Reduce, Search, Confirm))
		if c.Summary.Verdict != report.Verified || c.known.symmetry == nil {
			continue
		}
		must.Do(Audit(ended, c))
		if s := c.Summary; s.Verdict != report.Inconclusive || !strings.Contains(s.Reason, "the time is used up before") || c.known.symmetry.Check.Complete {
			t.Fatalf("seed %d: %s (%s)", seed, s.Verdict, s.Reason)
		}
		tried++
	}
	if tried < 5 {
		t.Errorf("too few: %d", tried)
	}
}

// TestChecksOfRunsAgreeWithTwin asks one property of runs of each random program, whatever the order of the search and with several workers.
func TestChecksOfRunsAgreeWithTwin(t *testing.T) {
	verdicts := map[report.Verdict]int{}
	for seed := range uint64(90) {
		toys := []toy.Mix{toy.Symmetric, toy.Messages, toy.Events}
		asked := toys[seed%3].Random(seed).Ask(seed)
		g := twin.NewGraph(asked, twin.Options{MaxStates: 300, MaxPending: 8})
		states := twin.Explore(asked, twin.Options{MaxStates: 300})
		if g.TooLarge || g.Err != nil || states.TooLarge || states.Err != nil {
			continue
		}
		of := asked.Program().Liveness[seed%uint64(len(asked.Program().Liveness))]
		want := states.Violations > 0 || must.Get(g.Violates(of))
		for _, search := range []string{"bfs", "dfs"} {
			for _, workers := range []int{1, 2} {
				o := plan.Default()
				o.Search, o.Workers = search, workers
				p := loaded(asked)
				p.facts.Liveness = []model.Liveness{of}
				c := New(must.Get(plan.Resolve(o)), Environment{Keep: files.KeepIn(t.TempDir())})
				c.Program = p
				s, err := c.Run(context.Background())
				if err != nil {
					t.Fatalf("seed %d, %s, %d workers: %v", seed, search, workers, err)
				}
				if violated := s.Verdict == report.Violated; s.Verdict == report.Inconclusive || violated != want {
					t.Errorf("seed %d, %s, %d workers: %s (%s); violated is %v for the twin", seed, search, workers, s.Verdict, s.Reason, want)
				}
				verdicts[s.Verdict]++
			}
		}
	}
	if t.Logf("%v", verdicts); verdicts[report.Verified] < 20 || verdicts[report.Violated] < 20 {
		t.Errorf("too few: %v", verdicts)
	}
}

// figures decodes what the sections of a summary say.
func figures[T any](s *report.Summary) (f T) {
	must.Do(s.Figures(&f))
	return f
}
