package examples

import (
	"context"
	"encoding/binary"

	"harrier/model"
)

// remembering is an oracle that is asked by the twin. The twin asks the same over and over, and what takes it long is Java's answers:
// so they are kept, by all that a question says.
type remembering struct {
	model.Oracle
	steps      map[string]model.Answer
	judgements map[string]model.Judgement
}

func remember(oracle model.Oracle) *remembering {
	return &remembering{oracle, map[string]model.Answer{}, map[string]model.Judgement{}}
}

// Steps implements model.Oracle.
func (r *remembering) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	return remembered(r.steps, questions, stepKey, func(q model.Question) ([]model.Answer, error) {
		return r.Oracle.Steps(ctx, []model.Question{q})
	})
}

// Evaluate implements model.Oracle.
func (r *remembering) Evaluate(ctx context.Context, evaluations []model.Evaluation) ([]model.Judgement, error) {
	return remembered(r.judgements, evaluations, evaluationKey, func(e model.Evaluation) ([]model.Judgement, error) {
		return r.Oracle.Evaluate(ctx, []model.Evaluation{e})
	})
}

// remembered answers from memory what was asked before.
func remembered[Q, A any](known map[string]A, questions []Q, key func(Q) []byte, ask func(Q) ([]A, error)) ([]A, error) {
	answers := make([]A, len(questions))
	for i, q := range questions {
		k := string(key(q))
		a, ok := known[k]
		if !ok {
			asked, err := ask(q)
			if err != nil {
				return nil, err
			}
			a = asked[0]
			known[k] = a
		}
		answers[i] = a
	}
	return answers, nil
}

func stepKey(q model.Question) []byte {
	b := appendBytes([]byte{byte(q.Event.Kind)}, q.Local)
	for _, m := range q.Event.Messages {
		b = appendBytes(appendBytes(appendBytes(b, []byte(m.Sender)), []byte(m.Receiver)), m.Payload)
	}
	return b
}

func evaluationKey(e model.Evaluation) []byte {
	b := appendBytes([]byte{byte(e.Property)}, e.History)
	for _, a := range e.Actors {
		b = appendBytes(appendBytes(appendBytes(b, []byte(a.Name)), []byte(a.Class)), a.Local)
	}
	return b
}

// appendBytes says how many bytes there are before it adds them, so no two questions have one key.
func appendBytes(b, item []byte) []byte {
	return append(binary.AppendUvarint(b, uint64(len(item))), item...)
}
