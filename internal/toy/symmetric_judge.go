package toy

import (
	"context"
	"slices"

	"harrier/model"
)

// A roleJudge asks how many actors of a class are in certain states. It reads all of the class.
type roleJudge struct {
	class    string
	controls uint
	most     int  // there must not be more of them
	least    int  // nor fewer
	history  bool // the first two operations must not be of one actor
}

// Evaluate implements model.Oracle.
func (p *Symmetric) Evaluate(_ context.Context, evaluations []model.Evaluation) ([]model.Judgement, error) {
	var judgements []model.Judgement
	for _, e := range evaluations {
		j, err := p.judges[e.Property].evaluate(e)
		if err != nil {
			return nil, err
		}
		judgements = append(judgements, j)
	}
	return judgements, nil
}

func (j roleJudge) evaluate(e model.Evaluation) (model.Judgement, error) {
	var answer model.Judgement
	count := 0
	for i, a := range e.Actors {
		if a.Class != j.class {
			continue
		}
		answer.Reads = append(answer.Reads, i)
		l, err := readLocal(a.Local)
		if err != nil {
			return answer, err
		}
		if j.controls>>l.control&1 == 1 {
			count++
		}
	}
	answer.Holds = count <= j.most && count >= j.least
	if j.history {
		answer.Reads = append(answer.Reads, model.ReadHistory)
		operations, err := readHistory(e.History)
		if err != nil {
			return answer, err
		}
		answer.Holds = answer.Holds && (len(operations) < historyOpens || operations[0].actor != operations[1].actor)
	}
	return answer, nil
}

// Record implements model.Oracle. Two operations follow one another in a moment, whoever's they are.
func (p *Symmetric) Record(_ context.Context, questions []model.Extension) ([][]byte, error) {
	var histories [][]byte
	for _, q := range questions {
		operations, err := readHistory(q.History)
		if err != nil {
			return nil, err
		}
		for _, r := range q.Records {
			if len(operations) < historyOpens {
				operations = append(slices.Clone(operations),
					roleOperation{actor: r.Actor, moment: len(operations) / 2, invocation: integer(int(r.Payload[1]))})
			}
		}
		histories = append(histories, encodeHistory(operations))
	}
	return histories, nil
}

// Visible is what properties can read of a local state: its control state.
func (p *Symmetric) Visible(_ int, b []byte) ([]byte, error) {
	l, err := readLocal(b)
	return roleLocal{name: l.name, class: l.class, control: l.control}.encode(), err
}
