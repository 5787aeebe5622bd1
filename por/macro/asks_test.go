package macro_test

import (
	"cmp"
	"context"
	"errors"
	"testing"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/property"
	"harrier/symmetry"
)

var errAsked = errors.New("the oracle is asked inside Apply")

// A closable oracle answers no questions while it is closed.
type closable struct {
	model.Oracle
	isClosed bool
}

func (o *closable) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	if o.isClosed {
		return nil, errAsked
	}
	return o.Oracle.Steps(ctx, questions)
}

func (o *closable) Evaluate(ctx context.Context, evaluations []model.Evaluation) ([]model.Judgement, error) {
	if o.isClosed {
		return nil, errAsked
	}
	return o.Oracle.Evaluate(ctx, evaluations)
}

func (o *closable) Record(ctx context.Context, questions []model.Extension) ([][]byte, error) {
	if o.isClosed {
		return nil, errAsked
	}
	return o.Oracle.Record(ctx, questions)
}

// A closing system closes its oracle while a transition is taken.
type closing struct {
	model.System
	oracle *closable
	took   int
}

func (c *closing) Apply(s model.State, t model.Transition, undo []model.Change) (model.State, []model.Change, error) {
	c.oracle.isClosed = true
	defer func() { c.oracle.isClosed = false }()
	c.took++
	return c.System.Apply(s, t, undo)
}

// IsWhole implements model.Whole.
func (c *closing) IsWhole() bool {
	of, ok := c.System.(model.Whole)
	return ok && of.IsWhole()
}

// TestApplyAsksNothing searches random programs by single steps and by macro steps, with the actors of some permuted: results that depend on
// the arguments of Apply alone need no answers of the oracle.
func TestApplyAsksNothing(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			took := [2]int{}
			for seed := *seed0; seed < *seed0+uint64(cmp.Or(*programs, 8)); seed++ {
				s := k.drawn(seed)
				if s.explored(t).TooLarge {
					continue
				}
				oracle := &closable{Oracle: s.Oracle}
				s.Oracle = oracle
				s.group(t, nil, k.symmetric)
				for i, search := range []func(*closing, *property.Checker, dbss.Options) error{single, s.macroSteps} {
					c := &closing{System: s.actors, oracle: oracle}
					checker := property.NewChecker(oracle, s.actors)
					o := dbss.Options{KeepGoing: true, MaxStates: mostStates}
					if s.symmetries != nil && !s.symmetries.IsTrivial() {
						checker.Permute(symmetry.Labels(s.symmetries.Generators))
						checker.Combine(s.symmetries)
						o.Canonical = s.symmetries.Canonicalizer
					}
					if err := search(c, checker, o); errors.Is(err, errAsked) {
						t.Fatalf("seed %d: %v", seed, err)
					}
					took[i] += c.took
				}
			}
			if took[0] == 0 || took[1] == 0 {
				t.Errorf("%d single steps and %d macro steps prove too little", took[0], took[1])
			}
		})
	}
}

func single(c *closing, checker *property.Checker, o dbss.Options) error {
	_, err := dbss.Search(context.Background(), c, checker, o, &dbss.Progress{})
	return err
}

// macroSteps searches by the macro steps of the subject, each search of a system of its own.
func (s subject) macroSteps(c *closing, checker *property.Checker, o dbss.Options) error {
	system := s.newSystem(checker)
	system.Explore = func(ctx context.Context, d model.System, checks dbss.Checker, o dbss.Options, p *dbss.Progress) (*dbss.Result, error) {
		c.System = d
		return dbss.Search(ctx, c, checks, o, p)
	}
	_, err := system.Search(context.Background(), o, &dbss.Progress{})
	return err
}
