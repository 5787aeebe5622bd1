package examples

import (
	"testing"

	"harrier/internal/model"
	"harrier/internal/plan"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/twin"
)

// TestLivenessOfExamples holds the verdicts on properties of runs to each other, by macro and single steps, with and without
// symmetry, under M and M-MP, and to those of a naive product of all states: with -all of two that have many, too.
func TestLivenessOfExamples(t *testing.T) {
	type decided struct {
		program, parameters string
		violated            bool
	}
	examples := []decided{
		{"election", "nodes=2", false}, {"election", "nodes=2,strong=false", true},
		{"election", "nodes=2,lossy=false,strong=false", false},
		{"prevote", "-", true}, {"prevote", "yields=true", false},
		{"commit-live", "-", true}, {"commit-live", "stops=0", false},
		{"slots", "-", false}, {"slots", "keeps=false", true}, {"slots", "fair=false", true},
	}
	if *all {
		examples = append(examples, decided{"zab-live", "-", false}, decided{"zab-live", "leaders=3,followers=2,ties=false", true})
	}
	for _, c := range examples {
		t.Run(c.program+","+c.parameters, func(t *testing.T) {
			p := load(t, c.program, c.parameters)
			g := twin.NewGraph(p, twin.Options{MaxStates: 20_000})
			if g.TooLarge || g.Err != nil {
				t.Fatalf("the twin gives up: %v", g.Err)
			}
			violated := false
			for _, of := range p.Program().Liveness {
				violated = violated || must.Get(g.Violates(of))
			}
			if violated != c.violated {
				t.Errorf("the twin says that violated is %v", violated)
			}
			for _, delivery := range []model.DeliveryModel{model.M, model.MMP} {
				for _, reduction := range []string{"macro", "off"} {
					for _, symmetry := range []string{"auto", "off"} {
						o := plan.Default()
						o.Reduction, o.Symmetry = reduction, symmetry
						r := explore(t, loadIn(t, delivery, c.program, c.parameters), "selective", o).Result
						if got := r.Violation != nil; got != c.violated || !got && !r.Complete {
							t.Errorf("--model %v --reduction %s --symmetry %s: violated is %v, complete %v", delivery, reduction, symmetry, got, r.Complete)
						}
					}
				}
			}
		})
	}
}
