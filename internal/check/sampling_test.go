package check

import (
	"encoding/json"
	"strings"
	"testing"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/plan"
	"harrier/internal/process/files"
	"harrier/internal/property"
	"harrier/internal/report"
	"harrier/internal/sample"
	"harrier/internal/search"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
)

type sampledFigures struct {
	States   uint64
	Sampling *sample.Figures
}

func sampledCheck(t *testing.T, o model.Oracle, change func(*plan.Options)) *report.Summary {
	t.Helper()
	options := plan.Default()
	change(&options)
	c := New(must.Get(plan.Resolve(options)), Environment{Keep: files.KeepIn(t.TempDir())})
	c.Program = loaded(o)
	return must.Get(c.Run(t.Context()))
}

// atOnce has sampling beside a search begin with it.
func atOnce(t *testing.T) {
	before := besideAfter
	besideAfter = 0
	t.Cleanup(func() { besideAfter = before })
}

// TestSamplingBesideChangesNoFigure compares a search that ends by itself with one beside which random runs were taken.
func TestSamplingBesideChangesNoFigure(t *testing.T) {
	atOnce(t)
	document := func(search string) string {
		s := sampledCheck(t, newQueue(5), func(o *plan.Options) { o.Search, o.Reduction = search, "off" })
		if n := figures[dbss.Counts](s).Transitions; s.Verdict != report.Verified || n < 4096 {
			t.Fatalf("%s after %d transitions", s.Verdict, n)
		}
		all := figures[map[string]any](s)
		all["setUpSeconds"], all["seconds"], all["peakMemoryBytes"] = 0, 0, 0
		return string(must.Get(json.Marshal(all)))
	}
	if with, without := document(search.Auto), document("bfs"); with != without {
		t.Errorf("with random runs:\n%s\nwithout:\n%s", with, without)
	}
}

// TestWorkOfASearchThatBeganAnew counts the transitions of the searches that were given up, as random runs have a share of all.
func TestWorkOfASearchThatBeganAnew(t *testing.T) {
	o := plan.Default()
	c := New(must.Get(plan.Resolve(o)), Environment{Keep: files.KeepIn(t.TempDir())})
	c.Program = loaded(newQueue(2))
	must.Do(c.Do(t.Context(), Load, Decompose, Reduce))
	before := c.searched()
	c.progress.States.Store(10)
	c.progress.Transitions.Store(1000)
	c.progress.GiveUp("")
	c.progress.States.Store(1)
	c.progress.Transitions.Store(7)
	if work := c.searched() - before; work != 1007 {
		t.Errorf("the work of 1,007 transitions is %d", work)
	}
}

// late is a queue of clients that go wrong when all have a number, long after the search began.
func late() *toy.Script {
	s := newQueue(6)
	s.Invariants = []toy.Condition{func(at map[string]string) bool {
		for name, state := range at {
			if strings.HasPrefix(name, "client") && !strings.HasPrefix(state, "has") {
				return true
			}
		}
		return false
	}}
	return s
}

// TestSamplingBesideEndsTheSearch has random runs find a violation long before the search does: each time the same.
func TestSamplingBesideEndsTheSearch(t *testing.T) {
	atOnce(t)
	var lengths, states []uint64
	for range 2 {
		s := sampledCheck(t, late(), func(o *plan.Options) { o.Reduction, o.Symmetry = "off", "off" })
		f := figures[sampledFigures](s)
		if s.Verdict != report.Violated || !s.Violation.Sampled || f.Sampling == nil {
			t.Fatalf("%s after %d states", s.Verdict, f.States)
		}
		lengths, states = append(lengths, uint64(len(s.Violation.Steps)), f.Sampling.Steps), append(states, f.States)
	}
	if states[0] != states[1] || lengths[0] != lengths[2] || lengths[1] != lengths[3] {
		t.Errorf("%v steps, %v states", lengths, states)
	}
}

// TestWorkersSampleWithSeedsOfTheirOwn has the violation that one of several workers found be found by its seed alone.
func TestWorkersSampleWithSeedsOfTheirOwn(t *testing.T) {
	several := sampledCheck(t, late(), func(o *plan.Options) { o.Search, o.Workers = search.Random, 3 })
	alone := sampledCheck(t, late(), func(o *plan.Options) {
		o.Search, o.Seed = search.Random, figures[sampledFigures](several).Sampling.Seed
	})
	if several.Verdict != report.Violated || alone.Verdict != report.Violated ||
		several.Violation.Found != alone.Violation.Found {
		t.Errorf("%s by a run of %d, %s by one of %d", several.Verdict, several.Violation.Found, alone.Verdict, alone.Violation.Found)
	}
}

// TestSampledLassos asks properties of runs of random programs: those that a random run violates are not verified.
func TestSampledLassos(t *testing.T) {
	violated := 0
	for seed := range uint64(60) {
		asked := toy.Messages.Random(seed).Ask(seed)
		of := asked.Program().Liveness[seed%uint64(len(asked.Program().Liveness))]
		if of.Kind != model.Always {
			continue
		}
		check := func(search string) *report.Summary {
			o := plan.Default()
			o.Search, o.NoDeadlock, o.MaxStates = search, true, 2000
			c := New(must.Get(plan.Resolve(o)), Environment{Keep: files.KeepIn(t.TempDir())})
			p := loaded(asked)
			p.facts.Liveness = []model.Liveness{of}
			c.Program = p
			return must.Get(c.Run(t.Context()))
		}
		if s := check(search.Random); s.Violation == nil || s.Violation.Kind != property.Liveness {
			continue
		}
		if violated++; check("bfs").Verdict == report.Verified {
			t.Errorf("seed %d: a random run violates %q, which breadth-first search verifies", seed, of.Title())
		}
	}
	if violated < 5 {
		t.Errorf("random runs violate only %d properties", violated)
	}
}
