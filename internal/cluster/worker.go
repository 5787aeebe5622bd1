package cluster

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"harrier/bridge"
	"harrier/internal/distributed/tasks"
	"harrier/internal/process/files"
)

// Answerer answers questions about a program, as bridge.JVM.Answer does. After an error it answers none any more.
type Answerer interface {
	Answer(ctx context.Context, operation int, question []byte) ([]byte, error)
	Ended() bool // it answers no questions any more
	Close()
}

// Worker answers questions about one job after another.
type Worker struct {
	Engine   *Engine
	Identity Identity
	Threads  int // how many questions are answered at once
	// Start starts an Answerer for the program whose files are in a folder.
	Start func(ctx context.Context, j Job, folder string) (Answerer, error)
	Tell  func(line string)
	// Search takes tasks of a check's search until the context ends, as a worker with a name. current returns what answers about the
	// program, with its answer to the question that loaded the program. Search is nil if the worker explores no states.
	Search func(ctx context.Context, store tasks.Store, self string, current func() (by Answerer, facts []byte)) error

	id       string
	changed  chan struct{}
	mu       sync.Mutex
	member   Member
	answered atomic.Uint64
	busy     atomic.Int64 // nanoseconds of threads
	last     time.Time    // when Rate and Busy were worked out
	before   [2]uint64    // answered and busy at last
}

// Serve answers until the context ends.
func (w *Worker) Serve(ctx context.Context) error {
	w.id, w.changed, w.last = newID(), make(chan struct{}, 1), time.Now()
	w.member = Member{ID: w.id, Identity: w.Identity, Threads: w.Threads, Doing: "waiting for a check"}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	all, changed := map[string]Job{}, make(chan struct{}, 1)
	var known sync.Mutex
	err := watch(ctx, w.Engine, jobs, members+w.id, func(now map[string]Job) {
		known.Lock()
		all = now
		known.Unlock()
		signal(changed)
	})
	if err != nil {
		return err
	}
	there := make(chan error, 1)
	var saying sync.WaitGroup
	saying.Go(func() { there <- w.Engine.say(ctx, members+w.id, w.changed, w.look) })
	defer func() { cancel(); saying.Wait() }()
	w.Tell("worker " + w.id + " waits for checks")
	refused := map[string]string{} // with why
	for {
		select {
		case <-ctx.Done():
			return <-there
		case err := <-there:
			return err
		case <-changed:
		}
		choice := func(current string) (Job, bool) {
			known.Lock()
			defer known.Unlock()
			return choose(all, refused, current)
		}
		j, ok := choice("")
		if !ok {
			continue
		}
		isIts := func() bool {
			best, ok := choice(j.ID)
			return ok && best.ID == j.ID
		}
		err := w.take(ctx, j, isIts, changed)
		switch {
		case isAway(err):
			w.Tell(fmt.Sprintf("the servers do not answer: %v", err))
		case err != nil:
			refused[j.ID] = err.Error()
			w.Tell(fmt.Sprintf("the check of %s is left out: %v", j.Program, err))
		}
		known.Lock()
		maps.DeleteFunc(refused, func(id, _ string) bool { _, is := all[id]; return !is })
		known.Unlock()
		w.become(func(m *Member) {
			m.Job, m.Program, m.Doing, m.Refuses = "", "", "waiting for a check", maps.Clone(refused)
		})
	}
}

// choose returns the job that a worker answers for now, which answers for one with an id, or "". ok is whether there is any that it did
// not refuse.
func choose(all map[string]Job, refused map[string]string, current string) (j Job, ok bool) {
	for id, other := range all {
		if _, is := refused[id]; !is && (!ok || other.precedes(j, current)) {
			j, ok = other, true
		}
	}
	return j, ok
}

// take answers about a job while isIts reports that it is the worker's. The error is why it does not.
func (w *Worker) take(ctx context.Context, j Job, isIts func() bool, changed <-chan struct{}) error {
	if j.Identity.Java != w.Identity.Java {
		return fmt.Errorf("it needs Java %s, and this is Java %s", j.Identity.Java, w.Identity.Java)
	}
	if j.Identity != w.Identity {
		return errors.New("this is another build of harrier")
	}
	w.Tell("answers for the check of " + j.Program)
	return w.serve(ctx, j, isIts, changed)
}

// signal sends to a channel of capacity 1, unless a value is waiting there.
func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// become changes the worker as all see it.
func (w *Worker) become(change func(*Member)) {
	w.mu.Lock()
	change(&w.member)
	w.mu.Unlock()
	signal(w.changed)
}

// look returns the worker as all see it.
func (w *Worker) look() any {
	w.mu.Lock()
	defer w.mu.Unlock()
	now, answered, busy := time.Now(), w.answered.Load(), uint64(w.busy.Load())
	if since := now.Sub(w.last); since >= beat/2 {
		w.member.Rate = float64(answered-w.before[0]) / since.Seconds()
		w.member.Busy = float64(busy-w.before[1]) / float64(since) / float64(w.Threads)
		w.before, w.last = [2]uint64{answered, busy}, now
	}
	w.member.Answered = answered
	w.member.Out, w.member.In = w.Engine.Bytes()
	return w.member
}

// serve answers about a job until isIts, called after each change, reports that it is no longer the worker's. If that is so
// once the program is loaded, the check is not told of the worker: otherwise it would begin with one that leaves at once.
func (w *Worker) serve(ctx context.Context, j Job, isIts func() bool, changed <-chan struct{}) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	folder, err := files.TemporaryFolder()
	if err != nil {
		return err
	}
	defer files.RemoveTemporary(folder)
	w.become(func(m *Member) { m.Program, m.Doing = j.Program, "loading" })
	if err = w.Engine.fetchFiles(ctx, j, folder); err != nil {
		return err
	}
	r := &running{worker: w, job: j, folder: folder}
	var asking sync.WaitGroup
	defer func() { cancel(); asking.Wait(); r.close() }() // in this order, so that nothing is started any more
	if err := r.load(ctx, j.Load, j.Facts); err != nil {
		return err
	}
	sub, err := w.Engine.conn.SubscribeSync(subject(j.ID, w.id))
	if err == nil {
		err = w.Engine.conn.Flush()
	}
	if err != nil {
		return err
	}
	defer func() { _ = sub.Unsubscribe() }() // it fails only if the connection is closed
	asking.Go(func() {
		for {
			m, err := sub.NextMsgWithContext(ctx)
			switch {
			case err == nil:
				asking.Go(func() { r.reply(ctx, m) })
			case ctx.Err() != nil || !sub.IsValid(): // else questions were lost, which the check asks again
				return
			}
		}
	})
	var failed chan error
	if w.Search != nil && j.Share != "" {
		store, err := w.Engine.existingStore(ctx, j)
		if err != nil {
			return err
		}
		failed = make(chan error, 1)
		asking.Go(func() { failed <- r.search(ctx, store) })
	}
	if !isIts() {
		return nil
	}
	w.become(func(m *Member) { m.Job, m.Doing = j.ID, "answering" })
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-failed:
			return err
		case <-changed:
		}
		if !isIts() {
			return nil
		}
	}
}

// search takes tasks of the job until the context ends. Where what answers has ended, it goes on with another one, as long as that makes
// the search go on. The error is that it cannot.
func (r *running) search(ctx context.Context, store tasks.Store) error {
	for failures := 0; ctx.Err() == nil; failures++ {
		err := r.worker.Search(ctx, store, r.worker.id, func() (Answerer, []byte) { return r.current(ctx) })
		if ctx.Err() == nil && (!errors.Is(err, bridge.ErrGone) || failures == mostFailures) {
			return fmt.Errorf("it cannot explore states any more: %w", err)
		}
	}
	return nil
}

// mostFailures is how often what answers may end while a worker explores states.
const mostFailures = 3

// current returns what answers about the program now, with its answer to the question that loaded the program; nil if there is nothing, nor
// can be. What has ended is started again.
func (r *running) current(ctx context.Context) (by Answerer, facts []byte) {
	r.mu.RLock()
	by, facts, hash, of := r.by, r.facts, r.job.Load, r.job.Facts
	r.mu.RUnlock()
	if by != nil && !by.Ended() {
		return by, facts
	}
	r.end(by)
	if r.load(ctx, hash, of) != nil {
		return nil, nil
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.by, r.facts
}

// subject is where a worker is asked about a job.
func subject(job, worker string) string { return "harrier.ask." + job + "." + worker }

// The headers of questions and answers.
const (
	loadHeader     = "Harrier-Load"     // the hash of the question that has the program loaded
	factsHeader    = "Harrier-Facts"    // the hash of the answer to that
	questionHeader = "Harrier-Question" // by which a question that is sent again is known
	errorHeader    = "Harrier-Error"    // why there is no answer
)

// running is the program of a job, as a worker runs it.
type running struct {
	worker *Worker
	job    Job
	folder string

	mu     sync.RWMutex // locked while a program is loaded, and locked for reading while questions are answered
	by     Answerer     // nil if it has ended
	loaded string       // the hash of the question that loaded the program; "" if none is loaded
	facts  []byte       // the answer to that question
	noted  sync.Mutex   // guards notes
	notes  string       // the notes that were sent last
	asked  sync.Map     // of a questionHeader that is being answered, where the answer is awaited
}

// end closes what answers, unless it has been replaced.
func (r *running) end(by Answerer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if by == nil || r.by != by {
		return
	}
	by.Close()
	r.by, r.loaded = nil, ""
}

// close closes what answers now.
func (r *running) close() {
	r.mu.RLock()
	by := r.by
	r.mu.RUnlock()
	r.end(by)
}

// load has the program loaded, unless it is, by the question with a hash, and starts an Answerer if there is none. The answer must have
// the hash facts, that of the check's: otherwise the program's steps could be others, too.
func (r *running) load(ctx context.Context, hash, facts string) (err error) {
	r.mu.RLock()
	loaded := r.loaded
	r.mu.RUnlock()
	if loaded == hash { // without the lock for writing, which waits for all questions that are being answered
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.loaded == hash {
		return nil
	}
	r.loaded = ""
	question, err := r.worker.Engine.fetchBytes(ctx, hash)
	if err == nil {
		question, err = bridge.Relocate(question, func(path string) string { return filepath.Join(r.folder, path) })
	}
	if err == nil && r.by == nil {
		r.by, err = r.worker.Start(ctx, r.job, r.folder)
	}
	if err != nil {
		return err
	}
	answer, err := r.by.Answer(ctx, bridge.LoadingOf, question)
	if err != nil {
		r.by.Close()
		r.by = nil
		return err
	}
	if hashOf(answer) != facts {
		return errors.New("its set-up comes to something else here than where it is checked, as if it depended on the machine")
	}
	r.loaded, r.facts = hash, answer
	r.job.Load, r.job.Facts = hash, facts
	return nil
}

// reply answers a message. A question that is sent again while it is being answered is answered once, to where it is awaited now.
func (r *running) reply(ctx context.Context, m *nats.Msg) {
	begun, question := time.Now(), m.Header.Get(questionHeader)
	if _, isAsked := r.asked.Swap(question, m.Reply); isAsked {
		return
	}
	answer, err := r.answer(ctx, m)
	to, _ := r.asked.LoadAndDelete(question)
	out := nats.NewMsg(to.(string))
	if out.Data = answer; err != nil {
		out.Header.Set(errorHeader, err.Error())
	}
	if err := r.worker.Engine.conn.PublishMsg(out); errors.Is(err, nats.ErrMaxPayload) {
		out.Data = nil
		out.Header.Set(errorHeader, "the answer is too large for a message")
		_ = r.worker.Engine.conn.PublishMsg(out) // it fails only if the connection is closed
	}
	r.worker.busy.Add(int64(time.Since(begun)))
}

// answer returns the answer to a message. The message is the operation, a number of 4 bytes, big endian, and then the question. The
// answer is the length of the notes, such a number, the notes, which are empty if they are those of the last answer, and then what
// was answered.
func (r *running) answer(ctx context.Context, m *nats.Msg) ([]byte, error) {
	if len(m.Data) < 4 {
		return nil, errors.New("a question without operation")
	}
	operation, question := int(binary.BigEndian.Uint32(m.Data)), m.Data[4:]
	program := m.Header.Get(loadHeader)
	if err := r.load(ctx, program, m.Header.Get(factsHeader)); err != nil {
		return nil, err
	}
	by, ok := r.use(program)
	if !ok {
		return nil, bridge.ErrGone
	}
	answer, err := by.Answer(ctx, operation, question)
	var notes []byte
	if err == nil && bridge.AudienceOf(operation) == bridge.Any {
		notes, err = by.Answer(ctx, bridge.NotesOf, nil)
		r.worker.answered.Add(uint64(max(bridge.Questions(question), 0)))
	}
	r.mu.RUnlock()
	if err != nil || by.Ended() {
		r.end(by)
	}
	if err != nil {
		return nil, err
	}
	notes = r.since(notes)
	return append(append(binary.BigEndian.AppendUint32(nil, uint32(len(notes))), notes...), answer...), nil
}

// use returns what answers about the program that a question with a hash loaded, locked for reading. ok is false if it has ended or been
// replaced since it was loaded; then nothing is locked.
func (r *running) use(program string) (by Answerer, ok bool) {
	r.mu.RLock()
	if r.by == nil || r.loaded != program {
		r.mu.RUnlock()
		return nil, false
	}
	return r.by, true
}

// since returns notes, or nil if they are those that were returned last.
func (r *running) since(notes []byte) []byte {
	r.noted.Lock()
	defer r.noted.Unlock()
	if string(notes) == r.notes {
		return nil
	}
	r.notes = string(notes)
	return notes
}
