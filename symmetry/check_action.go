package symmetry

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"

	"harrier/internal/ds/slab"
	"harrier/internal/model"
	"harrier/serializer"
)

// An action is a permutation, with what it does to structured bytes. It remembers that, as local states are in many evaluations.
type action struct {
	Permutation
	renaming *serializer.Renaming
	images   map[string][]byte
}

func newAction(p Permutation) action {
	return action{p, serializer.NewRenaming(p.Of), map[string][]byte{}}
}

// rename is the image of structured bytes.
func (g action) rename(b []byte) ([]byte, error) {
	if image, known := g.images[string(b)]; known {
		return image, nil
	}
	image, err := g.renaming.Rename(b)
	if err == nil {
		g.images[string(b)] = image
	}
	return image, err
}

// message is the image of a message.
func (g action) message(m model.Message) (model.Message, error) {
	payload, err := g.rename(m.Payload)
	return model.Message{Sender: g.Of(m.Sender), Receiver: g.Of(m.Receiver), Payload: payload}, err
}

// actor is the image of an actor.
func (g action) actor(a model.Actor) (model.Actor, error) {
	local, err := g.rename(a.Local)
	return model.Actor{Name: g.Of(a.Name), Class: a.Class, Local: local, Acts: a.Acts}, err
}

func (g action) record(r model.Record) (model.Record, error) {
	payload, err := g.rename(r.Payload)
	return model.Record{Actor: g.Of(r.Actor), Kind: r.Kind, Payload: payload}, err
}

// each applies f to all of a list.
func each[T any](list []T, f func(T) (T, error)) ([]T, error) {
	images := make([]T, len(list))
	for i, element := range list {
		var err error
		if images[i], err = f(element); err != nil {
			return nil, err
		}
	}
	return images, nil
}

// imageOfQuestion is the image of a question.
func (c *checking) imageOfQuestion(g action, q model.Question) (model.Question, error) {
	local, err := g.rename(q.Local)
	if err != nil {
		return q, err
	}
	messages, err := each(q.Event.Messages, g.message)
	c.sort(messages)
	return model.Question{Local: local, Event: model.Event{Kind: q.Event.Kind, Messages: messages}}, err
}

// sort puts the messages of an event in the order of their senders and, but for queues, of their content.
func (c *checking) sort(messages []model.Message) {
	slices.SortStableFunc(messages, func(a, b model.Message) int {
		if by := cmp.Compare(a.Sender, b.Sender); by != 0 || c.actors.Program().InOrder(a.Receiver) {
			return by
		}
		return bytes.Compare(a.Payload, b.Payload)
	})
}

func identityOfQuestion(q model.Question) identity {
	parts := []string{string(q.Local), q.Event.Kind.String()}
	for _, m := range q.Event.Messages {
		parts = append(parts, m.Sender, m.Receiver, string(m.Payload))
	}
	return digest(parts...)
}

// digest identifies a list of texts.
func digest(parts ...string) identity {
	return sha256.Sum256([]byte(slab.Join(parts...)))
}

// answer is the image of an answer.
func (g action) answer(a model.Answer) (model.Answer, error) {
	outcomes, err := each(a.Outcomes, g.outcome)
	return model.Answer{Outcomes: outcomes, Quorums: a.Quorums}, err
}

func (g action) outcome(o model.Outcome) (image model.Outcome, err error) {
	image = model.Outcome{Handler: o.Handler, Failure: o.Failure, Acts: o.Acts, Stopped: o.Stopped}
	if image.Local, err = g.rename(o.Local); err != nil {
		return image, err
	}
	if image.Fired, err = g.rename(o.Fired); err != nil {
		return image, err
	}
	if image.Sends, err = each(o.Sends, g.message); err != nil {
		return image, err
	}
	if image.Creates, err = each(o.Creates, g.actor); err != nil {
		return image, err
	}
	image.Records, err = each(o.Records, g.record)
	return image, err
}

// digestOfAnswer covers the quorums, and the outcomes as a set: renaming may change the order of choices.
func (c *checking) digestOfAnswer(a model.Answer) (identity, error) {
	outcomes, quorums, err := c.actors.Decomposition.AnswerKeys(a, c.actors.Program().InOrder)
	slices.Sort(outcomes)
	return digest(append(append(outcomes, "quorums"), quorums...)...), err
}

// An evaluation is a question about a property.
type evaluation struct {
	model.Evaluation
	reads map[string]bool // the labels of the actors that may decide the answer, and historyLabel
}

// historyLabel is no actor's.
const historyLabel = ""

// evaluation is the image of an evaluation. The same labels decide it.
func (g action) evaluation(e evaluation) (evaluation, error) {
	image := evaluation{model.Evaluation{Property: e.Property}, e.reads}
	var err error
	if image.History, err = g.rename(e.History); err != nil {
		return image, err
	}
	image.Actors, err = each(e.Actors, g.actor)
	slices.SortFunc(image.Actors, func(a, b model.Actor) int { return cmp.Compare(a.Name, b.Name) })
	return image, err
}

// identityOfEvaluation leaves out what does not decide it.
func (c *checking) identityOfEvaluation(e evaluation) identity {
	parts := []string{fmt.Sprint(e.Property)}
	if e.reads[historyLabel] {
		parts = append(parts, string(e.History))
	}
	for _, a := range slices.SortedFunc(slices.Values(e.Actors), func(a, b model.Actor) int { return cmp.Compare(a.Name, b.Name) }) {
		parts = append(parts, a.Name, a.Class)
		if e.reads[c.label(a.Name)] {
			parts = append(parts, string(a.Local))
		}
	}
	return digest(parts...)
}

func digestOfJudgement(j model.Judgement) (identity, error) {
	return digest(fmt.Sprint(j.Holds, j.Failure != nil)), nil
}

// Labels gives the names that permutations map to one another the same label, and others different ones. What actors create
// has a label by who created it.
func Labels(generators []Permutation) func(name string) string {
	least := map[string]string{}
	find := func(name string) string {
		for least[name] != "" {
			name = least[name]
		}
		return name
	}
	for _, g := range generators {
		for from, to := range g {
			if a, b := find(from), find(to); a != b {
				least[max(a, b)] = min(a, b)
			}
		}
	}
	return func(name string) string {
		base, rest := model.Origin(name)
		return find(base) + "/" + rest
	}
}
