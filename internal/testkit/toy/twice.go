package toy

import (
	"context"
	"reflect"
	"sync/atomic"

	"harrier/internal/model"
)

// Twice is an oracle that takes each local step, and makes each evaluation, twice, the second time on what the question varies, as Java does.
type Twice struct {
	model.Oracle
	Varied *atomic.Uint64 // counts second executions that were varied; nil if nobody asks
}

// Steps implements model.Oracle.
func (t Twice) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	answers, err := t.Oracle.Steps(ctx, questions)
	if err != nil {
		return nil, err
	}
	answers = append([]model.Answer{}, answers...)
	for i, q := range questions {
		if q.Varied == nil {
			continue
		}
		if t.Varied != nil {
			t.Varied.Add(1)
		}
		second := model.Question{Local: q.Varied.Local, Event: q.Event}
		second.Event.Messages = q.Varied.Messages
		varied, err := t.Oracle.Steps(ctx, []model.Question{second})
		if err != nil {
			return nil, err
		}
		if !reflect.DeepEqual(varied[0], answers[i]) {
			answers[i].Varied = &varied[0]
		}
	}
	return answers, nil
}

// Evaluate implements model.Oracle.
func (t Twice) Evaluate(ctx context.Context, evaluations []model.Evaluation) ([]model.Judgement, error) {
	judgements, err := t.Oracle.Evaluate(ctx, evaluations)
	if err != nil {
		return nil, err
	}
	judgements = append([]model.Judgement{}, judgements...)
	for i, e := range evaluations {
		if len(e.Varied) == 0 {
			continue
		}
		varied, err := t.Oracle.Evaluate(ctx, []model.Evaluation{e.Again()})
		if err != nil {
			return nil, err
		}
		if !reflect.DeepEqual(varied[0], judgements[i]) {
			judgements[i].Varied = &varied[0]
		}
	}
	return judgements, nil
}
