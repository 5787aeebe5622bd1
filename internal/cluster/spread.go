package cluster

import (
	"cmp"
	"context"
	cryptorand "crypto/rand"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"harrier/bridge"
	"harrier/internal/model"
	"harrier/internal/process/ending"
)

// Spread gives the questions of a check to answerers: to workers, and to the process that runs Java on the machine of the check, which is
// called the nearest.
//
// It believes all that the nearest answers. An answer of a worker is believed if it fits its question and, where another answerer is
// asked as well, if both answer the same. A sample is asked twice: the n-th question with probability 1/√n, so that the share falls as
// trust grows. An answer that is an error is always compared with that of the nearest. Where two answers differ, the nearest decides:
// the worker that differs is left out, and the questions that it alone answered are asked again. The check ends if one of those answers
// was wrong, since the search has used it.
type Spread struct {
	engine  *Engine
	job     Job
	nearest *answerer
	twice   bool
	tell    func(line string)
	wait    func()        // called before the first worker is waited for
	changed chan struct{} // gets a value when the job changes
	unwatch context.CancelFunc
	running sync.WaitGroup // what Close waits for: each call of Answer, what that began, and the heartbeats

	mu      sync.Mutex
	free    sync.Cond // signals that an answerer has time, or that one has come or gone
	workers map[string]*answerer
	alone   map[string][]exchange // by name: the questions that a worker alone answered, also if it was gone since
	left    map[string]bool       // names of those that are left out
	refused map[string]string     // by the name of a worker: why it refuses the job
	wanted  int                   // how many workers the check waits for before it goes on
	since   time.Time             // when all workers that there are began to refuse the job; zero if some do not
	joined  chan struct{}         // closed when as many workers are there as the check needs to begin
	noted   [][]byte              // the notes of workers that are gone
	lost    *ending.End           // comes when no worker is to be expected
	tainted error                 // why nothing is answered any more: the search has used wrong answers, or the check has ended; nil if it is

	random   func() float64 // from 0 to 1
	silence  time.Duration  // how long a worker may be overdue before it is reported, and is sent its question again
	pace     pace
	counts   Counts
	believed atomic.Uint64 // how many answers of workers came first
}

// Counts counts a check's questions and answers.
type Counts struct {
	Answers  atomic.Uint64 // answers that the search was given
	Remote   atomic.Uint64 // of these, those of one worker alone
	Twice    atomic.Uint64 // answers that were compared with another one
	Again    atomic.Uint64 // questions that were asked again because the answer took long or did not come
	Waiting  atomic.Int64  // nanoseconds in which questions waited for an answerer
	InFlight atomic.Int64  // nanoseconds in which questions were with an answerer
	Asking   busy          // the time in which there was a question
}

func (c *Counts) String() string {
	inFlight, waiting := float64(c.InFlight.Load()), float64(c.Waiting.Load())
	return fmt.Sprintf("%d answers, %d of them by a worker alone; %d compared, %d questions asked again; %.1f at once on the average; %.0f %% of the time of questions was waiting",
		c.Answers.Load(), c.Remote.Load(), c.Twice.Load(), c.Again.Load(), inFlight/max(float64(c.Asking.total()), 1), 100*waiting/max(waiting+inFlight, 1))
}

// NewSpread returns a Spread that gives the questions of a job to nearest, which answers so many at once, and to the workers that join.
// Workers get files, which are lists of absolute paths: where one list is that of an earlier check, it is not sent again. tell is
// given lines for the user, and wait is called before workers are waited for.
func NewSpread(ctx context.Context, e *Engine, j Job, files [][]string, nearest Answerer, threads int, twice bool,
	tell func(string), wait func()) (*Spread, error) {
	j.ID, j.Begun = newID(), time.Now()
	j.Kept, j.Key = cmp.Or(j.Kept, j.ID), cmp.Or(j.Key, cryptorand.Text())
	s := &Spread{engine: e, job: j, twice: twice, tell: tell, wait: wait, changed: make(chan struct{}, 1), workers: map[string]*answerer{},
		alone: map[string][]exchange{}, left: map[string]bool{}, silence: silence, random: rand.Float64, joined: make(chan struct{}), refused: map[string]string{}, wanted: 1,
		lost: ending.New()}
	s.free.L = &s.mu
	s.nearest = &answerer{name: "this machine", threads: threads, ask: nearest.Answer, gone: ending.New()}
	var err error
	s.job.Files, err = e.storeFiles(ctx, files)
	if isAway(err) {
		err = &model.UsageError{Text: "--cluster: " + err.Error()}
	}
	if err != nil {
		return nil, err
	}
	ctx, s.unwatch = context.WithCancel(ctx)
	if err = watch(ctx, e, members, jobs+s.job.ID, s.see); err != nil {
		s.unwatch()
		return nil, err
	}
	return s, nil
}

// Close ends the check: what is being answered fails, and workers leave. Nothing of the check runs once it returns, but the engine may
// still follow the workers.
func (s *Spread) Close() {
	s.mu.Lock()
	s.tainted = cmp.Or[error](s.tainted, bridge.ErrGone)
	s.nearest.gone.Come(bridge.ErrGone)
	for _, w := range s.workers {
		w.gone.Come(bridge.ErrGone)
	}
	s.mu.Unlock()
	s.lost.Come(bridge.ErrGone)
	s.unwatch()
	s.running.Wait()
}

// Counts are the counts so far.
func (s *Spread) Counts() *Counts { return &s.counts }

// Threads is how many questions are answered at once now.
func (s *Spread) Threads() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.nearest.threads
	for _, w := range s.workers {
		n += w.threads
	}
	return n
}

// see takes in the workers that there are now, by id, unless the check has ended.
func (s *Spread) see(now map[string]Member) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.nearest.gone.HasCome() {
		return
	}
	waited := s.waits()
	for id, w := range s.workers {
		if m, is := now[id]; !is || m.Job != s.job.ID {
			s.tell("worker " + id + " is gone; others answer what it was asked")
			s.drop(w)
		}
	}
	for id, m := range now {
		if why := m.Refuses[s.job.ID]; why != "" && s.refused[id] == "" {
			s.refused[id] = why
			s.tell("worker " + id + " does not answer for this check: " + why)
		}
		if s.workers[id] == nil && m.Job == s.job.ID && !s.left[id] {
			s.join(m)
		}
	}
	s.judge(now)
	if s.waits() != waited {
		signal(s.changed)
	}
	s.free.Broadcast()
}

// waits reports whether the check waits for more workers.
func (s *Spread) waits() bool { return len(s.workers) < s.wanted }

// judge gives up hope for workers if the servers do not answer, or if for as long as it takes to notice others all that there are refuse
// the job or are left out.
func (s *Spread) judge(now map[string]Member) {
	var out []string
	for id := range now {
		if s.refused[id] != "" || s.left[id] {
			out = append(out, id)
		}
	}
	switch {
	case s.engine.away() > mostAway:
		s.lost.Come(errAway)
	case len(now) == 0 || len(out) < len(now):
		s.since = time.Time{}
	case s.since.IsZero():
		s.since = time.Now()
	case time.Since(s.since) >= s.silence:
		s.lost.Come(s.deserted(out))
	}
}

// deserted is why a check ends whose workers all refuse the job or are left out. If they shared a search that had begun, the error says why
// one of them cannot go on with it.
func (s *Spread) deserted(by []string) error {
	why := ""
	for _, id := range by {
		why = cmp.Or(s.refused[id], why)
	}
	select {
	case <-s.joined:
		if s.job.Share != "" && why != "" {
			return &model.LimitError{Text: "none of the workers that are there goes on with the shared search: " + why}
		}
	default:
	}
	return &model.UsageError{Text: "--cluster: none of the workers that are there answers for this check: start one that can, and then the check"}
}

func (s *Spread) join(m Member) {
	w := &answerer{name: m.ID, threads: max(m.Threads, 1), gone: ending.New()}
	w.ask = func(ctx context.Context, operation int, question []byte) ([]byte, error) {
		return s.request(ctx, w, operation, question)
	}
	s.workers[m.ID] = w
	s.tell("worker " + m.ID + " has joined")
	if s.waits() {
		return
	}
	if s.wanted = 0; s.job.Share != "" { // else this machine goes on alone
		s.wanted = 1
	}
	select {
	case <-s.joined:
	default:
		close(s.joined)
	}
}

// drop removes a worker, and keeps its notes.
func (s *Spread) drop(w *answerer) {
	w.gone.Come(bridge.ErrGone)
	delete(s.workers, w.name)
	if w.notes != nil {
		s.noted = append(s.noted, w.notes)
	}
}

// Answer answers a question of the search. With confirm, which is to confirm another answer, the nearest answers it.
func (s *Spread) Answer(ctx context.Context, operation int, question []byte, confirm bool) ([]byte, error) {
	s.mu.Lock()
	err := s.tainted
	if err == nil {
		s.running.Add(1) // under the lock, so that Close waits for it
		defer s.running.Done()
	}
	s.mu.Unlock()
	var answer []byte
	if err == nil {
		answer, err = s.answer(ctx, operation, question, confirm)
	}
	if limit := (*model.LimitError)(nil); errors.As(err, &limit) {
		return bridge.LimitAnswer(limit), nil
	}
	return answer, err
}

func (s *Spread) answer(ctx context.Context, operation int, question []byte, confirm bool) ([]byte, error) {
	audience := bridge.AudienceOf(operation)
	if confirm && audience == bridge.Any || len(question) > s.mostQuestion() {
		audience = bridge.Nearest
	}
	switch audience {
	case bridge.Any:
		return s.any(ctx, exchange{operation: operation, question: question})
	case bridge.All:
		return s.all(ctx, operation, question)
	case bridge.Nobody:
		return bridge.NobodyAnswer(operation, s.Threads()), nil
	}
	answer, err := s.nearest.answer(ctx, operation, question)
	if err == nil && audience == bridge.Loading {
		err = s.load(ctx, question, answer)
	}
	return answer, err
}

// mostQuestion is the size in bytes of the largest question that fits in a message, with its headers.
func (s *Spread) mostQuestion() int { return int(s.engine.conn.MaxPayload()) - 1<<10 }

func absolute(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}

// load has workers load what the nearest loaded.
func (s *Spread) load(ctx context.Context, question, answer []byte) error {
	if bridge.IsError(answer) {
		return nil
	}
	question, err := bridge.Relocate(question, absolute)
	if err != nil {
		return err
	}
	hopeful, stop := s.lost.With(ctx)
	defer stop(nil)
	err = insist(hopeful, func() error {
		_, err := s.engine.storeBytes(hopeful, question)
		return err
	})
	s.mu.Lock()
	first := s.job.Load == ""
	s.job.Load, s.job.Facts = hashOf(question), hashOf(answer)
	s.mu.Unlock()
	if !first && hopeful.Err() != nil {
		return nil // this machine goes on alone
	}
	if err != nil {
		return err
	}
	if !first {
		signal(s.changed)
		return nil
	}
	s.running.Go(func() {
		ctx, stop := s.nearest.gone.With(ctx)
		defer stop(nil)
		_ = s.engine.say(ctx, jobs+s.job.ID, s.changed, s.look) // without servers no worker is there
	})
	s.wait()
	select {
	case <-s.joined:
		return nil
	case <-hopeful.Done():
		return context.Cause(hopeful)
	}
}

// look returns the job as workers see it.
func (s *Spread) look() any {
	s.mu.Lock()
	defer s.mu.Unlock()
	j := s.job
	j.Waits = s.waits()
	return j
}
