package symmetry

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"

	"harrier/internal/ds/slab"
	"harrier/internal/model"
)

// An action is a permutation, with what it does to states and messages. It remembers that of bytes, as local states are in many
// evaluations.
type action struct {
	Permutation
	model.Renaming
}

func newAction(p Permutation) action {
	by, images := p.renaming(), map[string][]byte{}
	return action{p, model.Renaming{Of: by.Of, Bytes: func(b []byte) ([]byte, error) {
		if image, known := images[string(b)]; known {
			return image, nil
		}
		image, err := by.Bytes(b)
		if err == nil {
			images[string(b)] = image
		}
		return image, err
	}}}
}

// imageOfQuestion is the image of a question.
func (c *Checking) imageOfQuestion(g action, q model.Question) (model.Question, error) {
	local, err := g.Bytes(q.Local)
	if err != nil {
		return q, err
	}
	messages, err := model.Images(q.Event.Messages, g.Message)
	c.sort(messages)
	return model.Question{Local: local, Event: model.Event{Kind: q.Event.Kind, Messages: messages}}, err
}

// sort puts the messages of an event in the order of their senders and, but for queues, of their content.
func (c *Checking) sort(messages []model.Message) {
	slices.SortStableFunc(messages, func(a, b model.Message) int {
		if by := cmp.Compare(a.Sender, b.Sender); by != 0 || c.actors.Program().InOrder(a.Receiver) {
			return by
		}
		return bytes.Compare(a.Payload, b.Payload)
	})
}

// identityOfQuestion leaves out senders that are auxiliary.
func (c *Checking) identityOfQuestion(q model.Question) identity {
	parts := []string{string(q.Local), q.Event.Kind.String()}
	for _, m := range q.Event.Messages {
		parts = append(parts, c.actors.Decomposition.HashedSender(m), m.Receiver, string(m.Payload))
	}
	return digest(parts...)
}

// digest identifies a list of texts.
func digest(parts ...string) identity {
	return sha256.Sum256([]byte(slab.Join(parts...)))
}

// answer is the image of an answer.
func (g action) answer(a model.Answer) (model.Answer, error) {
	outcomes, err := model.Images(a.Outcomes, g.Outcome)
	return model.Answer{Outcomes: outcomes, Quorums: a.Quorums}, err
}

// digestOfAnswer covers the quorums, and the outcomes as a set: renaming may change the order of choices.
func (c *Checking) digestOfAnswer(a model.Answer) (identity, error) {
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
	if image.History, err = g.Bytes(e.History); err != nil {
		return image, err
	}
	image.Actors, err = model.Images(e.Actors, g.Actor)
	slices.SortFunc(image.Actors, func(a, b model.Actor) int { return cmp.Compare(a.Name, b.Name) })
	return image, err
}

// identityOfEvaluation leaves out what does not decide it.
func (c *Checking) identityOfEvaluation(e evaluation) identity {
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
