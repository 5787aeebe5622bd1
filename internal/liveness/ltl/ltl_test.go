package ltl_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"harrier/internal/liveness/ltl"
	"harrier/internal/testkit/toy"
)

func bit(name string) (int, error) {
	if i := strings.Index("pqr", name); i >= 0 && len(name) == 1 {
		return i, nil
	}
	return 0, fmt.Errorf("there is no predicate %s", name)
}

// accepts reports whether an automaton accepts the run with some labels, the last of them for ever from loop on: whether in the
// product some state of the loop comes back to itself by edges of all acceptance sets. It tries all by brute force.
func accepts(a *ltl.Automaton, labels []ltl.Label, loop int) bool {
	type place struct{ at, state int }
	type collected struct {
		place
		in uint32
	}
	next := func(p place, yield func(place, uint32)) {
		to := p.at + 1
		if to == len(labels) {
			to = loop
		}
		for _, e := range a.Edges[p.state] {
			if e.Reads(labels[p.at]) {
				yield(place{to, e.To}, e.In)
			}
		}
	}
	known := map[place]bool{{}: true}
	todo := []place{{}}
	for ; len(todo) > 0; todo = todo[1:] {
		next(todo[0], func(to place, _ uint32) {
			if !known[to] {
				known[to] = true
				todo = append(todo, to)
			}
		})
	}
	for from := range known {
		met := map[collected]bool{}
		walk := []collected{{from, 0}}
		for ; len(walk) > 0; walk = walk[1:] {
			accepted := false
			next(walk[0].place, func(to place, in uint32) {
				c := collected{to, walk[0].in | in}
				accepted = accepted || to == from && a.IsEvery(c.in)
				if !met[c] {
					met[c] = true
					walk = append(walk, c)
				}
			})
			if accepted {
				return true
			}
		}
	}
	return false
}

// TestAutomataAcceptWhatViolates holds automata to the evaluation of formulas on random runs.
func TestAutomataAcceptWhatViolates(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	violated := 0
	for range 3000 {
		text := toy.Formula(r, 3, "p", "q", "r")
		f, err := ltl.Parse(text, bit)
		if err != nil {
			t.Fatal(err)
		}
		a := ltl.Violating(f)
		for range 5 {
			labels := make([]ltl.Label, 1+r.IntN(5))
			for i := range labels {
				labels[i] = r.Uint32N(8)
			}
			loop := r.IntN(len(labels))
			want := f.Violates(labels, loop)
			if want {
				violated++
			}
			if got := accepts(a, labels, loop); got != want {
				t.Fatalf("%s on %v, the loop from %d on: violated is %v, the automaton says %v", text, labels, loop, want, got)
			}
		}
	}
	if violated < 1000 {
		t.Errorf("only %d runs violate their formula", violated)
	}
}

func TestSmallAutomata(t *testing.T) {
	for text, states := range map[string]int{"[](p -> <>q)": 2, "<>p": 1, "[]<>p": 2, "<>[]p": 1, "[]p": 2} {
		f, err := ltl.Parse(text, bit)
		if err != nil {
			t.Fatal(err)
		}
		if a := ltl.Violating(f); len(a.Edges) != states {
			t.Errorf("%s has an automaton of %d states, not %d: %v", text, len(a.Edges), states, a.Edges)
		}
	}
}

func TestFormulasThatAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"[](p -> X q)": "X (next) cannot be asked: how many steps others take in between has no meaning, at character 9 of [](p -> X q)",
		"p &&":         "a formula is expected, at character 5 of p &&",
		"p & q":        "& is not expected, at character 3 of p & q",
		"(p":           "a closing parenthesis is expected, at character 3 of (p",
		"[] done":      "there is no predicate done, at character 4 of [] done",
		"p q":          "q is not expected, at character 3 of p q",
		"":             "a formula is expected, at character 1 of ",
	} {
		if _, err := ltl.Parse(text, bit); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestIrrelevantAtomsMakeNoDifference compares facts of formulas, where labels of all states are known in part, with their evaluation
// on random runs with such labels: irrelevant atoms may be anything, and formulas that the first label satisfies are satisfied.
func TestIrrelevantAtomsMakeNoDifference(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	irrelevant, satisfied := 0, 0
	for range 5000 {
		text := toy.Formula(r, 3, "p", "q", "r")
		f, err := ltl.Parse(text, bit)
		if err != nil {
			t.Fatal(err)
		}
		k := ltl.Known{Always: r.Uint32N(8)}
		k.Never = r.Uint32N(8) &^ k.Always
		free := f.Irrelevant(k)
		labels := make([]ltl.Label, 1+r.IntN(4))
		for i := range labels {
			labels[i] = (r.Uint32N(8)|k.Always)&^k.Never ^ r.Uint32N(8)&free&-free // one irrelevant atom at will
		}
		loop := r.IntN(len(labels))
		if free != 0 {
			irrelevant++
			if f.Violates(labels, loop) {
				t.Errorf("%s is violated by %b from %d on, though %b makes no difference where %+v", text, labels, loop, free, k)
			}
		}
		if f.SatisfiedAt(labels[0]) {
			satisfied++
			if f.Violates(labels, loop) {
				t.Errorf("%s is violated by %b from %d on, though the first label satisfies it", text, labels, loop)
			}
		}
	}
	if irrelevant < 200 || satisfied < 200 {
		t.Errorf("%d formulas with irrelevant atoms, %d satisfied at once", irrelevant, satisfied)
	}
}

// TestIrrelevantAtomsAreFound has formulas that hold vacuously where atoms are the same in all states, and such as do not.
func TestIrrelevantAtomsAreFound(t *testing.T) {
	const p, q = 1, 2
	for _, c := range []struct {
		text string
		k    ltl.Known
		want ltl.Label
	}{
		{"[](p -> <>q)", ltl.Known{Never: p}, q},
		{"[](p -> <>q)", ltl.Known{Always: q}, p},
		{"[](p -> <>q)", ltl.Known{}, 0},
		{"[]!p", ltl.Known{Never: p}, 0}, // p decides it
		{"<>p", ltl.Known{Always: p}, 0},
		{"[]<>(p || q)", ltl.Known{Always: p}, q},
		{"p U q", ltl.Known{Always: q}, p},
		{"!(p U q)", ltl.Known{Never: q}, p},
	} {
		f, err := ltl.Parse(c.text, bit)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Irrelevant(c.k); got != c.want {
			t.Errorf("%s, %+v: %b makes no difference, want %b", c.text, c.k, got, c.want)
		}
	}
}
