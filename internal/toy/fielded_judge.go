package toy

import (
	"context"
	"slices"

	"harrier/model"
)

// Evaluate implements model.Oracle. It reads actors until it finds a fact that is not true.
func (p *Fielded) Evaluate(_ context.Context, evaluations []model.Evaluation) ([]model.Judgement, error) {
	var judgements []model.Judgement
	for _, e := range evaluations {
		property := p.Final
		if e.Property < len(p.Invariants) {
			property = &p.Invariants[e.Property]
		}
		j := model.Judgement{Holds: true}
		isTrue, err := p.allTrue(property.Facts, e, &j)
		if err != nil {
			return nil, err
		}
		if isTrue && property.History {
			j.Reads = append(j.Reads, model.ReadHistory)
			isTrue = len(e.History) == 2 && e.History[0] == e.History[1]
		}
		j.Holds = !isTrue
		judgements = append(judgements, j)
	}
	return judgements, nil
}

func (p *Fielded) allTrue(facts []FieldedFact, e model.Evaluation, j *model.Judgement) (bool, error) {
	for _, f := range facts {
		isTrue := false
		for i, a := range e.Actors {
			if a.Name != f.Actor && (f.Actor != "" || a.Class != p.Classes[f.Class].Name) || isTrue {
				continue
			}
			if !slices.Contains(j.Reads, i) {
				j.Reads = append(j.Reads, i)
			}
			l, err := readFielded(a.Local)
			if err != nil {
				return false, err
			}
			isTrue = f.passes(l.fields[f.Field])
		}
		if !isTrue {
			return false, nil
		}
	}
	return true, nil
}

// Record implements model.Oracle: a history is the last two operations.
func (p *Fielded) Record(_ context.Context, extensions []model.Extension) ([][]byte, error) {
	var histories [][]byte
	for _, e := range extensions {
		h := slices.Clone(e.History)
		for _, r := range e.Records {
			h = append(h, r.Payload[1])
		}
		histories = append(histories, h[max(0, len(h)-2):])
	}
	return histories, nil
}
