package por_test

import (
	"context"
	"fmt"
	"slices"

	"harrier/internal/toy"
	"harrier/model"
)

// A subject is a program that searches are compared on.
type subject struct {
	name string
	program
	divide func(h model.Hashing) model.Decomposition
	// isSymmetric says that actors may be exchanged, as far as the start of the program allows.
	isSymmetric bool
}

// program is a random program.
type program interface {
	model.Oracle
	Visible(b []byte) ([]byte, error)
	Relevant(b []byte) ([]byte, error)
}

// generators make programs from seeds.
var generators = []struct {
	name string
	make func(seed uint64) subject
}{
	{"fielded", func(seed uint64) subject { return fielded(toy.RandomFielded(seed), seed) }},
	{"random", func(seed uint64) subject { return tables(toy.Random(seed), seed, false) }},
	{"eventful", func(seed uint64) subject { return tables(toy.Eventful(seed), seed, true) }},
	{"quorums", func(seed uint64) subject { return tables(toy.Quorums(seed), seed, true) }},
	{"decomposed", func(seed uint64) subject { return tables(toy.Decomposed(seed), seed, true) }},
	{"symmetric", symmetricProgram},
}

// passings are the models of passing messages; most programs are for the first.
var passings = []model.Passing{model.M, model.M, model.M, model.MMP, model.MP}

func passing(seed uint64) model.Passing { return passings[seed%uint64(len(passings))] }

func fielded(p *toy.Fielded, seed uint64) subject {
	p.Pass(passing(seed / 3))
	return ofFields(p)
}

func ofFields(p *toy.Fielded) subject {
	return subject{program: p, divide: p.Decomposition, isSymmetric: len(p.Roles) > 0}
}

// tables is a program in which invariants can read nearly all of a state. So every other one has none.
func tables(p *toy.Protocol, seed uint64, isDivided bool) subject {
	p.Pass(passing(seed / 3))
	s := subject{program: p, divide: func(h model.Hashing) model.Decomposition {
		d := model.Decomposition{Hashing: h, Visible: p.Visible}
		if isDivided {
			d.Relevant = p.Relevant
		}
		return d
	}}
	if seed%2 == 1 {
		s.program = &blind{program: p}
	}
	return s
}

func symmetricProgram(seed uint64) subject {
	p := toy.RandomSymmetric(seed)
	s := subject{program: p, isSymmetric: true, divide: func(h model.Hashing) model.Decomposition {
		return model.Decomposition{Hashing: h, Visible: p.Visible, Relevant: p.Relevant}
	}}
	if seed%2 == 1 {
		s.program = &blind{program: p}
	}
	return s
}

// blind is a program without its invariants.
type blind struct {
	program
	of *model.Program
}

// Program implements model.Oracle.
func (b *blind) Program() *model.Program {
	if b.of == nil {
		of := *b.program.Program()
		of.Properties = nil
		for _, p := range b.program.Program().Properties {
			if p.Kind == model.Final {
				of.Properties = append(of.Properties, p)
			}
		}
		b.of = &of
	}
	return b.of
}

// Evaluate implements model.Oracle: the final condition is the last property of the program.
func (b *blind) Evaluate(ctx context.Context, evaluations []model.Evaluation) ([]model.Judgement, error) {
	evaluations = slices.Clone(evaluations)
	for i := range evaluations {
		if evaluations[i].Property != 0 {
			return nil, fmt.Errorf("there is no property %d", evaluations[i].Property)
		}
		evaluations[i].Property = b.finalProperty()
	}
	return b.program.Evaluate(ctx, evaluations)
}

func (b *blind) finalProperty() int {
	for i, p := range b.program.Program().Properties {
		if p.Kind == model.Final {
			return i
		}
	}
	return -1
}
