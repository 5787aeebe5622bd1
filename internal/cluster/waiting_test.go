package cluster

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"harrier/internal/model"
	"harrier/internal/partition"
	"harrier/internal/testkit/must"
)

// open begins a check at an engine, and returns once it waits for workers. The channel gets the error of loading its program.
func (s *scene) open(j Job) <-chan error {
	waits := make(chan struct{})
	s.spread = must.Get(NewSpread(s.t.Context(), s.engine, j, nil, newFake(right), 1, false, s.tell, func() { close(waits) }))
	loaded := make(chan error, 1)
	go func() {
		_, err := s.spread.Answer(s.t.Context(), opLoad, make([]byte, 8), false)
		loaded <- err
	}()
	<-waits
	return loaded
}

func TestWorkersThatRefuseEndACheck(t *testing.T) {
	t.Parallel()
	s := &scene{t: t, engine: must.Get(Start(t.Context()))}
	t.Cleanup(s.engine.Close)
	s.start(t.Context(), right)
	broken := &Worker{Engine: must.Get(Join(t.Context(), s.engine.File)), Threads: 1, Tell: func(string) {},
		Identity: Identity{Java: "25"},
		Start:    func(context.Context, Job, string) (Answerer, error) { return nil, errors.New("no sandbox") }}
	s.serve(t.Context(), broken)
	loaded := s.open(Job{Program: "p", Identity: Identity{Java: "25"}})
	for _, why := range []string{"it needs Java 25, and this is Java ", "no sandbox"} {
		for !s.says("does not answer for this check: " + why) {
			time.Sleep(time.Millisecond)
		}
	}
	s.spread.mu.Lock()
	s.spread.silence = 0
	s.spread.mu.Unlock()
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
	s := &scene{t: t, engine: must.Get(Start(t.Context()))}
	t.Cleanup(s.engine.Close)
	s.serve(t.Context(), &Worker{Engine: must.Get(Join(t.Context(), s.engine.File)), Threads: 1, Tell: func(string) {},
		Start: func(context.Context, Job, string) (Answerer, error) { return newFake(right), nil },
		Search: func(context.Context, func() (Answerer, []byte), partition.MemberTransport) error {
			return errors.New("too large a message")
		}})
	s.open(Job{Program: "p", Share: 2})
	for !s.says("does not answer for this check: it cannot explore states any more: too large a message") {
		time.Sleep(time.Millisecond)
	}
}

// TestChecksDoNotWaitForEachOthersWorkers has a check for two workers hold one when a check that began before it waits for both.
func TestChecksDoNotWaitForEachOthersWorkers(t *testing.T) {
	t.Parallel()
	second := &scene{t: t, engine: must.Get(Start(t.Context()))}
	t.Cleanup(second.engine.Close)
	second.start(t.Context(), right)
	secondLoaded := second.open(Job{Program: "second", Share: 2})
	for !second.says("has joined") {
		time.Sleep(time.Millisecond)
	}
	ctx, over := context.WithCancel(t.Context())
	first := &scene{t: t, engine: must.Get(Join(ctx, second.engine.File))}
	t.Cleanup(first.engine.Close)
	first.spread = must.Get(NewSpread(ctx, first.engine, Job{Program: "first", Share: 2}, nil, newFake(right), 1, false, first.tell, func() {}))
	first.spread.job.Begun = time.Now().Add(-time.Minute)
	second.start(t.Context(), right)
	must.Get(first.spread.Answer(ctx, opLoad, make([]byte, 8), false))
	select {
	case err := <-secondLoaded:
		t.Fatal("both have two workers", err)
	default:
	}
	over()
	must.Do(<-secondLoaded)
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
	s := &scene{t: t, engine: &Engine{File: "nats://" + address}}
	s.start(t.Context(), right)
	s.engine = e
	must.Do(<-s.open(Job{Program: "p"}))
	stop(at)
	for !s.says("is gone") {
		time.Sleep(time.Millisecond)
	}
	s.mu.Lock()
	s.told = nil
	s.mu.Unlock()
	at = serverAt(t, address, folder)
	t.Cleanup(func() { stop(at) })
	for !s.says("has joined") {
		time.Sleep(time.Millisecond)
	}
	must.Do(s.askAll(0, 20))
}

// TestServersThatStayAwayEndASharedSearch tells a check's search that no worker can be reached any more.
func TestServersThatStayAwayEndASharedSearch(t *testing.T) {
	t.Parallel()
	at := serverAt(t, "", t.TempDir())
	s := &scene{t: t, engine: must.Get(Join(t.Context(), "nats://"+at.Addr().String()))}
	t.Cleanup(s.engine.Close)
	loaded := s.open(Job{Program: "p", Share: 1})
	there, here := net.Pipe()
	go s.spread.Relay(t.Context(), there)
	defer here.Close()
	c := Connect(here)
	relays := func() bool {
		s.spread.mu.Lock()
		defer s.spread.mu.Unlock()
		return s.spread.relay != nil
	}
	for !relays() {
		time.Sleep(time.Millisecond)
	}
	stop(at)
	s.engine.heard.Store(0)
	var limit *model.LimitError
	if _, err := c.Receive(t.Context()); !errors.As(err, &limit) || limit.Text != errAway.Text {
		t.Error(err)
	}
	must.Do(<-loaded) // whose answer is the limit
	if _, err := c.Join(t.Context()); !errors.As(err, &limit) {
		t.Error(err)
	}
}

// TestForeignMessagesDoNotReachTheCheck has others speak to a check: what is garbled, and what only the relay or nobody says, is dropped.
func TestForeignMessagesDoNotReachTheCheck(t *testing.T) {
	t.Parallel()
	s := &scene{t: t, engine: must.Get(Start(t.Context()))}
	t.Cleanup(s.engine.Close)
	s.start(t.Context(), right)
	must.Do(<-s.open(Job{Program: "p", Share: 1}))
	there, here := net.Pipe()
	ended := make(chan struct{})
	go func() { s.spread.Relay(t.Context(), there); close(ended) }()
	c := Connect(here)
	if names := must.Get(c.Join(t.Context())); len(names) != 1 {
		t.Fatalf("%q are there", names)
	}
	s.spread.mu.Lock()
	to := subjectOf(s.spread.job.ID, home)
	s.spread.mu.Unlock()
	foreign := [][]byte{nil, []byte("garbled"), partition.Message{To: partition.Home, Kind: partition.Left}.Bytes()[:12]}
	for kind := range partition.Get + 1 {
		for _, from := range []int{-2, partition.Home, 1, 99} {
			foreign = append(foreign, partition.Message{From: from, To: partition.Home, Kind: kind, Body: []byte("[]")}.Bytes())
		}
	}
	for _, b := range append(foreign, partition.Message{To: partition.Home, Kind: partition.Left}.Bytes()) {
		must.Do(s.engine.conn.Publish(to, b))
	}
	if m := must.Get(c.Receive(t.Context())); m.Kind != partition.Left || m.From != 0 {
		t.Errorf("a message of kind %d from %d is passed on", m.Kind, m.From)
	}
	must.Do(here.Close())
	<-ended
	if !s.says(fmt.Sprintf("%d messages to the shared search were dropped", len(foreign))) {
		t.Errorf("%d are not told of: %q", len(foreign), s.told)
	}
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
