package examples

import (
	"context"
	"encoding/binary"
	"fmt"
	"sync"
	"testing"

	"harrier/bridge"
	"harrier/internal/model"
	"harrier/internal/testkit/must"
)

// A program is an example. All tests share it, and what Java has answered: they ask the same over and over, by all that a
// question has in it.
type program struct {
	*inJava
	source     bridge.Source
	steps      known[model.Question, model.Answer]
	judgements known[model.Evaluation, model.Judgement]
}

type inJava = bridge.Program

// programs are those that were loaded, by what they were loaded from.
var programs = map[string]*program{}

// loaded is the one that the virtual machine has now: it is loaded again if it was another one meanwhile.
var loaded struct {
	sync.Mutex
	*program
}

// load has the virtual machine answer questions about a program.
func (p *program) load(ctx context.Context) error {
	loaded.Lock()
	defer loaded.Unlock()
	if loaded.program == p {
		return nil
	}
	loaded.program = nil
	in, err := jvm.Load(ctx, p.source)
	if err != nil {
		return err
	}
	if p.inJava == nil {
		p.inJava = in
		shown := in.Program().Shown
		in.Program().Shown = func(ctx context.Context, content []byte, byTexts bool) ([]byte, error) {
			if err := p.load(ctx); err != nil {
				return nil, err
			}
			return shown(ctx, content, byTexts)
		}
	}
	loaded.program = p
	return nil
}

// loadIn loads an example whose messages pass in one of the ways that there are. Each step is executed twice.
func loadIn(t *testing.T, delivery model.DeliveryModel, path, parameters string) *program {
	t.Helper()
	name := fmt.Sprint(delivery, " ", path, " ", parameters)
	if programs[name] == nil {
		programs[name] = loadFrom(t, source(t, delivery, path, parameters))
	}
	return programs[name]
}

// loadFrom loads a program of which nothing is known yet.
func loadFrom(t *testing.T, from bridge.Source) *program {
	t.Helper()
	p := &program{source: from}
	must.Do(p.load(context.Background()))
	p.steps = known[model.Question, model.Answer]{key: stepKey, load: p.load, ask: p.inJava.Steps}
	p.judgements = known[model.Evaluation, model.Judgement]{key: evaluationKey, load: p.load, ask: p.inJava.Evaluate}
	return p
}

// Steps implements model.Oracle.
func (p *program) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	return p.steps.answer(ctx, questions)
}

// Evaluate implements model.Oracle.
func (p *program) Evaluate(ctx context.Context, evaluations []model.Evaluation) ([]model.Judgement, error) {
	return p.judgements.answer(ctx, evaluations)
}

// Record implements model.Oracle.
func (p *program) Record(ctx context.Context, questions []model.Extension) ([][]byte, error) {
	if err := p.load(ctx); err != nil {
		return nil, err
	}
	return p.inJava.Record(ctx, questions)
}

// known are answers by the keys of their questions.
type known[Q, A any] struct {
	key     func(Q) string
	load    func(context.Context) error
	ask     func(context.Context, []Q) ([]A, error)
	mu      sync.Mutex
	answers map[string]A
}

// answer answers a batch, of which it asks the questions that are not known yet.
func (k *known[Q, A]) answer(ctx context.Context, questions []Q) ([]A, error) {
	answers, unknown := make([]A, len(questions)), []Q{}
	var places []int // of unknown questions
	k.mu.Lock()
	for i, q := range questions {
		a, ok := k.answers[k.key(q)]
		if answers[i] = a; !ok {
			unknown, places = append(unknown, q), append(places, i)
		}
	}
	k.mu.Unlock()
	if len(unknown) == 0 {
		return answers, nil
	}
	if err := k.load(ctx); err != nil {
		return nil, err
	}
	asked, err := k.ask(ctx, unknown)
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.answers == nil {
		k.answers = map[string]A{}
	}
	for i, a := range asked {
		answers[places[i]] = a
		k.answers[k.key(unknown[i])] = a
	}
	return answers, nil
}

func stepKey(q model.Question) string {
	b := appendBytes([]byte{byte(q.Event.Kind)}, q.Local)
	for _, m := range q.Event.Messages {
		b = appendBytes(appendBytes(appendBytes(b, []byte(m.Sender)), []byte(m.Receiver)), m.Payload)
	}
	return string(b)
}

func evaluationKey(e model.Evaluation) string {
	b := appendBytes([]byte{byte(e.Property)}, e.History)
	for _, a := range e.Actors {
		b = appendBytes(appendBytes(appendBytes(b, []byte(a.Name)), []byte(a.Class)), a.Local)
	}
	return string(b)
}

// appendBytes says how many bytes there are before it adds them, so no two questions have one key.
func appendBytes(b, item []byte) []byte {
	return append(binary.AppendUvarint(b, uint64(len(item))), item...)
}
