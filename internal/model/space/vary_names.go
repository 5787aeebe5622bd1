package space

import (
	"bytes"
	"context"
	"slices"

	"harrier/internal/model"
)

// This file has the second execution of a local step begin with the names of symmetric actors permuted. A step that looks at no name does the
// same then, with the names permuted. If one does something else, names can be looked at in a way that is not noted: then each step counts as one
// that looks at all of them. It costs no further execution.

// A RenamingWithBack is a renaming with its inverse.
type RenamingWithBack struct{ By, Back Renaming }

// TryRenamings has local steps, from now on, be executed the second time with the names of actors changed by a renaming that must make no
// difference. renaming draws it by a number; nil leaves names as they are.
func TryRenamings(s *LocalSteps, renaming func(number uint64) RenamingWithBack) {
	s.values.mu.Lock()
	defer s.values.mu.Unlock()
	s.renaming = renaming
}

// MissesLooks reports whether a local step was seen to look at a name where that is not noted.
func MissesLooks(s *LocalSteps) bool { return s.missesLooks.Load() }

// A renamed is a variation before its names were changed.
type renamed struct {
	model.Variation
	by RenamingWithBack
}

// renamed returns a query whose second execution begins with the names of actors changed.
func (s *LocalSteps) renamed(q query) (query, error) {
	if s.renaming == nil {
		return q, nil
	}
	from := [][]byte{q.Local}
	for _, m := range q.Event.Messages {
		from = append(from, m.Payload)
	}
	by := s.renaming(hashed(from...))
	plain := model.Variation{Local: q.Local, Messages: q.Event.Messages}
	if q.Varied != nil {
		plain = *q.Varied
	}
	image, err := by.By.variation(plain)
	isEqual := func(m, other model.Message) bool {
		return m.Sender == other.Sender && m.Receiver == other.Receiver && bytes.Equal(m.Payload, other.Payload)
	}
	if err != nil || bytes.Equal(image.Local, plain.Local) && slices.EqualFunc(image.Messages, plain.Messages, isEqual) {
		return q, err
	}
	q.Varied, q.names = &image, &renamed{plain, by}
	return q, nil
}

func (r Renaming) variation(v model.Variation) (image model.Variation, err error) {
	if image.Local, err = r.Bytes(v.Local); err != nil {
		return image, err
	}
	image.Messages, err = Images(v.Messages, r.Message)
	return image, err
}

// back returns an answer with its names changed back.
func (r *renamed) back(a model.Answer) (model.Answer, error) {
	if r == nil {
		return a, nil
	}
	var err error
	a.Outcomes, err = Images(a.Outcomes, r.by.Back.Outcome)
	return a, err
}

// disagreementOfNames is disagreement for a query whose variation has other names of actors, too.
func (s *LocalSteps) disagreementOfNames(ctx context.Context, q query, answer model.Answer) error {
	names := q.names
	unchanged := q.plain()
	unchanged.Varied = &names.Variation
	if err := s.disagreement(ctx, query{Question: unchanged}); err != nil {
		return err
	}
	image, err := names.by.By.variation(model.Variation{Local: q.Local, Messages: q.Event.Messages})
	if err != nil {
		return err
	}
	other := model.Question{Local: image.Local, Event: model.Event{Kind: q.Event.Kind, Fault: q.Event.Fault, Messages: image.Messages}}
	_, agrees, err := s.compare(ctx, answer, other, names)
	if err != nil && !model.IsOfStep(ctx, err) {
		return err
	}
	if err != nil || !agrees {
		isMoved := func(name string) bool { return names.by.By.Of(name) != name }
		if !answer.Looks.AtAny(isMoved) { // else the check of symmetry compares the step
			s.missesLooks.Store(true)
		}
		return nil
	}
	other.Varied = &model.Variation{Local: q.Varied.Local, Messages: q.Varied.Messages}
	return s.disagreement(ctx, query{Question: other})
}
