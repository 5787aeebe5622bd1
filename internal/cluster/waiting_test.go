package cluster

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"harrier/internal/distributed/tasks"
	"harrier/internal/model"
	"harrier/internal/testkit/must"
)

// open begins a check at an engine, and returns once it waits for workers. The channel gets the error of loading its program.
func (s *scene) open(j Job) <-chan error {
	waits := make(chan struct{})
	s.spread = must.Get(NewSpread(s.ctx, s.engine, j, nil, newFake(right), 1, false, s.tell, func() { close(waits) }))
	s.t.Cleanup(s.spread.Close)
	if !j.Begun.IsZero() {
		s.spread.job.Begun = j.Begun
	}
	loaded := make(chan error, 1)
	go func() {
		_, err := s.spread.Answer(s.ctx, opLoad, make([]byte, 8), false)
		loaded <- err
	}()
	select {
	case <-waits:
	case err := <-loaded:
		s.t.Fatal("the check does not wait for workers: ", err)
	}
	return loaded
}

func TestWorkersThatRefuseEndACheck(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.engine = must.Get(Start(s.ctx))
	t.Cleanup(s.engine.Close)
	s.start(right)
	broken := &Worker{Engine: must.Get(Join(t.Context(), s.engine.File)), Threads: 1, Tell: func(string) {},
		Identity: Identity{Java: "25"},
		Start:    func(context.Context, Job, string) (Answerer, error) { return nil, errors.New("no sandbox") }}
	s.serve(broken)
	loaded := s.open(Job{Program: "p", Identity: Identity{Java: "25"}})
	for _, why := range []string{"it needs Java 25, and this is Java ", "no sandbox"} {
		s.hears("does not answer for this check: " + why)
	}
	s.hurry()
	var usage *model.UsageError
	if err := <-loaded; !errors.As(err, &usage) || !strings.Contains(err.Error(), "none of the workers that are there answers for this check") {
		t.Error(err)
	}
	if len(s.told) != 2 {
		t.Errorf("each is to be said once: %v", s.told)
	}
}

func TestAWorkerThatCannotExploreLeaves(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.engine = must.Get(Start(s.ctx))
	t.Cleanup(s.engine.Close)
	s.serve(&Worker{Engine: must.Get(Join(t.Context(), s.engine.File)), Threads: 1, Tell: func(string) {},
		Start: func(context.Context, Job, string) (Answerer, error) { return newFake(right), nil },
		Search: func(context.Context, tasks.Store, string, func() (Answerer, []byte)) error {
			return errors.New("too large a message")
		}})
	s.open(Job{Program: "p", Share: SharedByServers})
	s.hears("does not answer for this check: it cannot explore states any more: too large a message")
}

// TestTheFirstChoiceIsAmongAllChecks watches several checks that are there already.
func TestTheFirstChoiceIsAmongAllChecks(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.engine = must.Get(Start(s.ctx))
	t.Cleanup(s.engine.Close)
	ids := []string{"a", "b", "c"}
	for _, id := range ids {
		must.Get(s.engine.members.Put(s.ctx, jobs+id, []byte("{}")))
	}
	first := make(chan int, 1)
	must.Do(watch(s.ctx, s.engine, jobs, members+"own", func(now map[string]Job) {
		select {
		case first <- len(now):
		default:
		}
	}))
	if n := <-first; n != len(ids) {
		t.Errorf("a worker chooses among %d checks", n)
	}
}

// TestAWorkerThatIsAnothersOnceItHasLoadedDoesNotJoin has a check come that precedes the worker's own while that is loaded.
func TestAWorkerThatIsAnothersOnceItHasLoadedDoesNotJoin(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.engine = must.Get(Start(s.ctx))
	t.Cleanup(s.engine.Close)
	facts := must.Get(newFake(right).Answer(s.ctx, opLoad, nil))
	j := Job{ID: "j", Load: must.Get(s.engine.storeBytes(s.ctx, make([]byte, 8))), Facts: hashOf(facts)}
	w := &Worker{Engine: s.engine, id: "w", Tell: func(string) {}, changed: make(chan struct{}, 1),
		Start: func(context.Context, Job, string) (Answerer, error) { return newFake(right), nil }}
	changed := make(chan struct{}, 1)
	signal(changed)
	must.Do(w.serve(s.ctx, j, func() bool { return false }, changed))
	if w.member.Job != "" || w.member.Doing != "loading" {
		t.Errorf("it is %s for %q", w.member.Doing, w.member.Job)
	}
}

// TestALostQuestionIsSentAgain has a worker miss a question twice, or its answers be lost.
func TestALostQuestionIsSentAgain(t *testing.T) {
	t.Parallel()
	s := begin(t, false, right)
	s.hurry()
	asked := map[string]int{}
	must.Get(s.engine.conn.Subscribe(subject(s.spread.job.ID, "deaf"), func(m *nats.Msg) {
		id := m.Header.Get(questionHeader)
		if asked[id]++; asked[id] > 2 {
			must.Do(m.Respond(append(make([]byte, 4), honest(question("x"))...)))
		}
	}))
	answer, err := s.spread.request(s.ctx, &answerer{name: "deaf"}, opRecord, question("x"))
	if err != nil || !bytes.Equal(answer, honest(question("x"))) {
		t.Errorf("%q, %v", answer, err)
	}
}

// TestAQuestionThatIsSentAgainIsAnsweredOnce sends one again while it is being answered: the answer goes to where it is awaited now.
func TestAQuestionThatIsSentAgainIsAnsweredOnce(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.engine = must.Get(Start(s.ctx))
	t.Cleanup(s.engine.Close)
	begun, finish := make(chan struct{}, 2), make(chan struct{})
	by := newFake(func(q []byte) ([]byte, error) { begun <- struct{}{}; <-finish; return honest(q), nil })
	r := &running{worker: &Worker{Engine: s.engine}, by: by, loaded: "program"}
	ask := func(reply string) {
		m := nats.NewMsg("")
		m.Reply = reply
		m.Header.Set(loadHeader, "program")
		m.Header.Set(questionHeader, "1")
		m.Data = append(binary.BigEndian.AppendUint32(nil, opRecord), question("q")...)
		r.reply(s.ctx, m)
	}
	answers := must.Get(s.engine.conn.SubscribeSync("reply.*"))
	go ask("reply.1")
	<-begun
	again := make(chan struct{})
	go func() { ask("reply.2"); close(again) }()
	select {
	case <-begun:
		t.Error("it is answered twice")
	case <-again:
	}
	close(finish)
	if m := must.Get(answers.NextMsgWithContext(s.ctx)); m.Subject != "reply.2" {
		t.Errorf("the answer goes to %s", m.Subject)
	}
}

// serverAt starts a server at an address, or at any if that is "".
func serverAt(t *testing.T, address, folder string) *server.Server {
	o := &server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: folder, NoSigs: true, NoLog: true}
	if address != "" {
		o.Port = must.Get(net.ResolveTCPAddr("tcp", address)).Port
	}
	s := must.Get(server.NewServer(o))
	go s.Start()
	if !s.ReadyForConnections(startTime) {
		t.Fatal("the server does not start")
	}
	return s
}

func stop(s *server.Server) {
	s.Shutdown()
	s.WaitForShutdown()
}

// TestServersComeBack starts a server again, whose memory is lost: its worker joins the check again.
func TestServersComeBack(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	at := serverAt(t, "", folder)
	address := at.Addr().String()
	e := must.Get(Join(t.Context(), "nats://"+address))
	t.Cleanup(e.Close)
	s := newScene(t)
	s.engine = &Engine{File: "nats://" + address}
	s.start(right)
	s.engine = e
	must.Do(<-s.open(Job{Program: "p"}))
	stop(at)
	s.eventually("the worker is gone", func() bool { return s.spread.Threads() == 1 })
	at = serverAt(t, address, folder)
	t.Cleanup(func() { stop(at) })
	s.eventually("the worker joins again", func() bool { return s.spread.Threads() == 2 })
	must.Do(s.askAll(0, 20))
}

// TestHeartbeatsAreHeardWhoseStoreWasMadeAgain has servers lose the heartbeats while the connection stays, as where another one of them
// is started again. The client of NATS goes on after the sequence number that it had reached, which takes the new store minutes.
func TestHeartbeatsAreHeardWhoseStoreWasMadeAgain(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.engine = must.Get(Start(s.ctx))
	t.Cleanup(s.engine.Close)
	says := func(key string) {
		go func() { _ = s.engine.say(s.ctx, key, nil, func() any { return Job{} }) }()
	}
	for range 1000 {
		must.Get(s.engine.members.Put(s.ctx, members+"own", []byte("{}")))
	}
	var isHeard atomic.Bool
	must.Do(watch(s.ctx, s.engine, jobs, members+"own", func(now map[string]Job) {
		if _, is := now["other"]; is {
			isHeard.Store(true)
		}
	}))
	says(members + "own")
	must.Do(s.engine.stream.DeleteKeyValue(s.ctx, s.engine.members.Bucket()))
	must.Do(s.engine.open(s.ctx))
	says(jobs + "other")
	s.eventually("a heartbeat", isHeard.Load)
}

func TestWhatServersFailToDoIsDoneAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		full := &jetstream.APIError{Code: http.StatusServiceUnavailable, Description: "insufficient resources"}
		tries := 0
		must.Do(insist(t.Context(), func() error {
			if tries++; tries < 3 {
				return full
			}
			return nil
		}))
		var limit *model.LimitError
		err := insist(t.Context(), func() error { return full })
		if !errors.As(err, &limit) || !strings.Contains(err.Error(), "the servers of the cluster have failed for 1m0s: ") {
			t.Error(err)
		}
		other := errors.New("too large")
		if err := insist(t.Context(), func() error { return other }); err != other {
			t.Error(err)
		}
		over, end := context.WithCancelCause(t.Context())
		end(other)
		if err := insist(over, func() error { return full }); err != other {
			t.Error(err)
		}
	})
}

// lostKeys is a bucket of which the end of the keys is lost.
type lostKeys struct{ jetstream.KeyValue }

func (lostKeys) Keys(ctx context.Context, _ ...jetstream.WatchOpt) ([]string, error) {
	<-ctx.Done()
	return nil, jetstream.ErrNoKeysFound
}

func TestMembersAreNotAwaitedForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &Engine{members: lostKeys{}}
		if _, _, err := e.Members(t.Context()); err == nil || err.Error() != "the servers do not answer" {
			t.Errorf("error %v", err)
		}
	})
}

// lossyStore is a bucket of which the acknowledgements of every other heartbeat, and that of the first one, are lost.
type lossyStore struct {
	jetstream.KeyValue
	puts int
}

func (l *lossyStore) Put(ctx context.Context, _ string, _ []byte) (uint64, error) {
	if l.puts++; l.puts%2 == 0 {
		return 0, nil
	}
	<-ctx.Done()
	return 0, ctx.Err()
}

func (*lossyStore) Delete(context.Context, string, ...jetstream.KVDeleteOpt) error { return nil }

// TestHeartbeatsGoOnWhereOneIsNotAcknowledged holds that a check or worker stays known while the server is started again.
func TestHeartbeatsGoOnWhereOneIsNotAcknowledged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &lossyStore{}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		must.Do((&Engine{members: store}).say(ctx, "key", nil, func() any { return 0 }))
		if least := int(time.Minute / silence); store.puts < least {
			t.Errorf("there were %d heartbeats in a minute, and whoever sends less than %d is gone at times", store.puts, least)
		}
	})
}
