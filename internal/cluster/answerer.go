package cluster

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nuid"

	"harrier/bridge"
	"harrier/internal/process/ending"
)

// answerer is the nearest or a worker.
type answerer struct {
	name    string
	threads int
	ask     func(ctx context.Context, operation int, question []byte) ([]byte, error)
	gone    *ending.End // after which it answers nothing

	// Spread.mu guards the rest.
	busy     int    // how many questions it has
	overdue  int    // how many of them have taken longer than patience
	isSilent bool   // it was reported that it does not answer
	notes    []byte // its last notes
}

// answer has a question answered, unless a is gone or goes meanwhile.
func (a *answerer) answer(ctx context.Context, operation int, question []byte) ([]byte, error) {
	ctx, stop := a.gone.With(ctx)
	defer stop(nil)
	return a.ask(ctx, operation, question)
}

// exchange is a question with an answer.
type exchange struct {
	operation        int
	question, answer []byte
}

// pick takes an answerer that has time and is not one of not. If none has time, it waits for one where waits is set. It returns nil if there
// is none, or the context ends.
func (s *Spread) pick(ctx context.Context, not []*answerer, waits bool) *answerer {
	s.mu.Lock()
	defer s.mu.Unlock()
	stop := context.AfterFunc(ctx, s.wake)
	defer stop()
	for ctx.Err() == nil {
		var best *answerer
		others := false
		for _, a := range s.workers {
			best, others = better(best, others, a, not)
		}
		best, others = better(best, others, s.nearest, not)
		if best != nil {
			best.busy++
			return best
		}
		if !others || !waits {
			return nil
		}
		s.free.Wait()
	}
	return nil
}

// wake has all that wait for an answerer look again. It takes the lock, so that none is about to wait that has not seen the context end.
func (s *Spread) wake() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free.Broadcast()
}

// better returns the less busy of the answerer a and the best so far, unless a is one of not, and whether there is any that is not one of
// not.
func better(best *answerer, others bool, a *answerer, not []*answerer) (*answerer, bool) {
	if slices.Contains(not, a) {
		return best, others
	}
	if a.busy < a.threads && (best == nil || a.busy*best.threads < best.busy*a.threads) {
		best = a
	}
	return best, true
}

// A reply is the answer of an answerer, or the error of asking it.
type reply struct {
	by      *answerer
	answer  []byte
	isError bool
	err     error
}

// send has an answerer that was picked answer a question. It returns with the reply once that has come or the context has ended, even if
// another reply has decided.
func (s *Spread) send(ctx context.Context, a *answerer, x exchange) reply {
	begun := time.Now()
	r := reply{by: a}
	r.answer, r.err = a.answer(ctx, x.operation, x.question)
	d := time.Since(begun)
	s.counts.InFlight.Add(int64(d))
	if r.err == nil {
		s.pace.take(d)
		r.isError, r.err = bridge.Check(x.operation, x.question, r.answer)
		if r.err != nil {
			r.err = fmt.Errorf("%w: %w", errMalformed, r.err)
		}
	}
	s.mu.Lock()
	a.busy--
	s.mu.Unlock()
	s.free.Broadcast()
	return r
}

// request has a worker answer a question. The question or its answer may be lost on the way, so it is sent again until there is an answer
// or the context ends: after silence, and then each time after twice as long.
func (s *Spread) request(ctx context.Context, w *answerer, operation int, question []byte) ([]byte, error) {
	m := nats.NewMsg(subject(s.job.ID, w.name))
	s.mu.Lock()
	m.Header.Set(loadHeader, s.job.Load)
	m.Header.Set(factsHeader, s.job.Facts)
	wait := s.silence
	s.mu.Unlock()
	m.Header.Set(questionHeader, nuid.Next())
	m.Data = append(binary.BigEndian.AppendUint32(nil, uint32(operation)), question...)
	r, err := s.requestWithin(ctx, wait, m)
	for ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		wait *= 2
		r, err = s.requestWithin(ctx, wait, m)
	}
	if err != nil {
		return nil, err
	}
	if text := r.Header.Get(errorHeader); text != "" {
		return nil, errors.New(text)
	}
	if len(r.Data) < 4 || uint64(binary.BigEndian.Uint32(r.Data)) > uint64(len(r.Data)-4) {
		return nil, errMalformed
	}
	notes, answer := r.Data[4:][:binary.BigEndian.Uint32(r.Data)], r.Data[4:][binary.BigEndian.Uint32(r.Data):]
	if len(notes) > 0 {
		s.mu.Lock()
		w.notes = notes
		s.mu.Unlock()
	}
	return answer, nil
}

// requestWithin sends a message and waits for the answer, for so long.
func (s *Spread) requestWithin(ctx context.Context, wait time.Duration, m *nats.Msg) (*nats.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	return s.engine.conn.RequestMsgWithContext(ctx, m)
}

var errMalformed = errors.New("an answer that is none")
