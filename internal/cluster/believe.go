package cluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"harrier/bridge"
	"harrier/internal/model"
)

// isSampled decides whether a question that a worker answered is put to another answerer as well.
func (s *Spread) isSampled() bool {
	n := s.believed.Add(1)
	return s.twice || s.random() < 1/math.Sqrt(float64(n))
}

// any has a question answered by an answerer that has time, and by others if that takes long, fails, or is to be compared.
func (s *Spread) any(ctx context.Context, x exchange) ([]byte, error) {
	t := s.turn(x)
	s.counts.Asking.begin()
	defer s.counts.Asking.end()
	if !t.ask(ctx, true) {
		return nil, context.Cause(ctx)
	}
	s.counts.Waiting.Add(int64(time.Since(t.begun)))
	if s.twice {
		t.ask(ctx, false)
	}
	answer, err := t.wait(ctx)
	s.counts.Answers.Add(1)
	return answer, err
}

// A turn is a question with the answerers that were asked it.
type turn struct {
	*Spread
	x       exchange
	begun   time.Time
	replies chan reply
	over    chan struct{} // closed when no more replies are received
	asked   []*answerer
	open    []*answerer // those of asked whose reply has not come
	overdue []*answerer // those of asked that did not answer in time
	first   *reply      // the first answer of a worker that fits the question
}

func (s *Spread) turn(x exchange) *turn {
	return &turn{Spread: s, x: x, begun: time.Now(), replies: make(chan reply), over: make(chan struct{})}
}

// ask asks one more answerer, and reports whether there is one.
func (t *turn) ask(ctx context.Context, waits bool) bool {
	a := t.pick(ctx, t.asked, waits)
	if a != nil {
		t.asked, t.open = append(t.asked, a), append(t.open, a)
		t.running.Go(func() {
			r := t.send(ctx, a, t.x)
			select {
			case t.replies <- r:
			case <-t.over:
				t.close(a)
			}
		})
	}
	return a != nil
}

// wait waits for an answer that is to be believed.
func (t *turn) wait(ctx context.Context) ([]byte, error) {
	patience := t.pace.patience()
	late := time.NewTimer(patience)
	defer late.Stop()
	defer close(t.over)
	for {
		if len(t.open) == 0 && !t.ask(ctx, true) {
			return t.last(ctx)
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-late.C:
			t.late()
			if t.ask(ctx, false) {
				t.counts.Again.Add(1)
			}
			patience *= 2
			late.Reset(patience)
		case r := <-t.replies:
			t.close(r.by)
			if answer, done, err := t.take(ctx, r); done {
				return answer, err
			}
		}
	}
}

// last is the answer where there is no answerer left to be asked.
func (t *turn) last(ctx context.Context) ([]byte, error) {
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case t.first != nil:
		if answer, ok := t.give(*t.first); ok {
			return answer, nil
		}
	}
	return nil, bridge.ErrGone
}

// late notes the answerers that have not answered in time.
func (t *turn) late() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, a := range t.open {
		if a == t.nearest || slices.Contains(t.overdue, a) {
			continue
		}
		t.overdue = append(t.overdue, a)
		a.overdue++
	}
	if time.Since(t.begun) < t.silence {
		return
	}
	for _, a := range t.overdue {
		if a.overdue == a.threads && !a.isSilent && slices.Contains(t.open, a) {
			a.isSilent = true
			t.tell("worker " + a.name + " does not answer: it is asked no more until it does")
		}
	}
}

// close notes that the reply of an answerer has come.
func (t *turn) close(a *answerer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open = slices.DeleteFunc(t.open, func(other *answerer) bool { return other == a })
	if slices.Contains(t.overdue, a) {
		a.overdue--
		a.isSilent = false
	}
}

// take takes in a reply. done is whether it decides the answer.
func (t *turn) take(ctx context.Context, r reply) (answer []byte, done bool, err error) {
	switch {
	case r.err != nil && r.by == t.nearest:
		if errors.Is(r.err, errMalformed) { // the search says what is wrong with it
			return r.answer, true, nil
		}
		return nil, true, r.err
	case errors.Is(r.err, errMalformed):
		return nil, false, t.leaveOut(ctx, r.by, "gave an answer that is none")
	case r.err != nil:
		t.counts.Again.Add(1)
		return nil, false, nil
	case r.by == t.nearest:
		answer, err = t.decide(ctx, r)
		return answer, true, err
	case r.isError:
		// An error may end the check, so only one of the nearest is believed.
		answer, err = t.confirm(ctx, r)
		return answer, true, err
	case t.first == nil:
		t.first = &r
		if !t.isSampled() || len(t.open) == 0 && !t.ask(ctx, true) {
			if answer, done = t.give(r); !done {
				t.first = nil
			}
		}
		return answer, done, nil
	}
	t.counts.Twice.Add(1)
	if bridge.Same(t.x.operation, t.x.question, t.first.answer, r.answer) {
		return r.answer, true, nil
	}
	answer, err = t.confirm(ctx, r)
	return answer, true, err
}

// give returns the answer of one worker alone, and notes that it was used. ok is false if the worker has been left out meanwhile: nobody
// would ask again what it answered.
func (t *turn) give(r reply) (answer []byte, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.left[r.by.name] {
		return nil, false
	}
	x := t.x
	x.answer = r.answer
	t.alone[r.by.name] = append(t.alone[r.by.name], x)
	t.counts.Remote.Add(1)
	return r.answer, true
}

// confirm has the nearest answer a question that a worker answered.
func (t *turn) confirm(ctx context.Context, r reply) ([]byte, error) {
	answer, err := t.nearest.answer(ctx, t.x.operation, t.x.question)
	if err != nil {
		return nil, err
	}
	if !bridge.Same(t.x.operation, t.x.question, answer, r.answer) {
		if err := t.leaveOut(ctx, r.by, "gave another answer than this machine"); err != nil {
			return nil, err
		}
	}
	return t.decide(ctx, reply{by: t.nearest, answer: answer})
}

// decide returns the answer of the nearest, and leaves out the worker that answered first if its answer was another one.
func (t *turn) decide(ctx context.Context, r reply) ([]byte, error) {
	if t.first == nil {
		return r.answer, nil
	}
	t.counts.Twice.Add(1)
	if bridge.Same(t.x.operation, t.x.question, t.first.answer, r.answer) {
		return r.answer, nil
	}
	return r.answer, t.leaveOut(ctx, t.first.by, "gave another answer than this machine")
}

// leaveOut asks a worker no more, and has the nearest answer again the questions that it alone answered. The error is that one of those
// answers was wrong.
func (s *Spread) leaveOut(ctx context.Context, a *answerer, why string) error {
	s.mu.Lock()
	if s.left[a.name] {
		s.mu.Unlock()
		return nil
	}
	s.left[a.name] = true
	alone := s.alone[a.name]
	delete(s.alone, a.name)
	s.drop(a)
	s.mu.Unlock()
	s.free.Broadcast()
	s.tell(fmt.Sprintf("worker %s %s: it is left out", a.name, why))
	for _, x := range alone {
		answer, err := s.nearest.answer(ctx, x.operation, x.question)
		if err != nil {
			return err
		}
		if !bridge.Same(x.operation, x.question, answer, x.answer) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.tainted = &model.LimitError{Ends: true, Text: fmt.Sprintf(
				"worker %s gave wrong answers, and the search has used some: check again without it, or with --answers twice", a.name)}
			return s.tainted
		}
	}
	return nil
}

// all merges the answers of the nearest and all workers. Of workers that are gone it has the last notes.
func (s *Spread) all(ctx context.Context, operation int, question []byte) ([]byte, error) {
	nearest, err := s.nearest.answer(ctx, operation, question)
	if err != nil {
		return nil, err
	}
	answers, by := [][]byte{nearest}, []string{s.nearest.name}
	s.mu.Lock()
	workers := slices.Collect(maps.Values(s.workers))
	if operation == bridge.NotesOf {
		for _, notes := range s.noted {
			answers, by = append(answers, notes), append(by, "that is gone")
		}
	}
	s.mu.Unlock()
	silent := func(name string, err error) {
		s.tell(fmt.Sprintf("worker %s does not say what it executed: %v", name, err))
	}
	for _, w := range workers {
		soon, cancel := context.WithTimeout(ctx, silence)
		if answer, err := w.answer(soon, operation, question); err == nil {
			answers, by = append(answers, answer), append(by, w.name)
		} else {
			silent(w.name, err)
		}
		cancel()
	}
	merged, wrong := bridge.Merge(operation, answers)
	for i, err := range wrong[1:] {
		if err != nil {
			silent(by[1+i], err)
		}
	}
	return merged, nil
}
