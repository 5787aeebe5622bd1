package cluster

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"harrier/internal/distributed/levels"
	"harrier/internal/model"
	"harrier/internal/testkit/must"
)

// lend has a check's process, at the end of a connection that is returned, use the store of a scene until end is called.
func (s *scene) lend() (c *Connection, end func()) {
	there, here := net.Pipe()
	lent := make(chan struct{})
	store := must.Get(s.spread.Store(s.ctx))
	go func() { s.spread.Lend(s.ctx, store, there); close(lent) }()
	c = Connect(here)
	return c, func() { c.Close(); <-lent }
}

// storeOf opens the store of a scene's job as a worker does.
func (s *scene) storeOf() *Store {
	e := must.Get(Join(s.ctx, s.engine.File))
	s.t.Cleanup(e.Close)
	s.spread.mu.Lock()
	j := s.spread.job
	s.spread.mu.Unlock()
	return must.Get(e.Store(s.ctx, j))
}

func keep(s *Store, name, content string) {
	must.Get(s.Keep(context.Background(), func(to io.Writer) (string, error) {
		_, err := io.WriteString(to, content)
		return name, err
	}))
}

// shared begins a check whose states a worker explores.
func shared(t *testing.T, j Job) *scene {
	s := newScene(t)
	s.engine = must.Get(Start(s.ctx))
	t.Cleanup(s.engine.Close)
	s.start(right)
	j.Program, j.Share = "p", SharedByServers
	must.Do(<-s.open(j))
	return s
}

// TestStoresAreShared has two workers and a check see each other's entries and files.
func TestStoresAreShared(t *testing.T) {
	t.Parallel()
	s := shared(t, Job{})
	one, other := s.storeOf(), s.storeOf()
	c, end := s.lend()
	if !must.Get(one.Make(s.ctx, "search/000000/merge-0000", []byte("first"))) || must.Get(other.Make(s.ctx, "search/000000/merge-0000", []byte("second"))) {
		t.Error("an entry is made twice, or not once")
	}
	if !must.Get(c.Make(s.ctx, "starts/000000", []byte("start"))) {
		t.Error("a check makes no entry")
	}
	keep(one, "file", "content")
	s.eventually("all see the entries", func() bool {
		for _, by := range []interface {
			Under(context.Context, string) (map[string][]byte, error)
		}{one, other, c} {
			if string(must.Get(by.Under(s.ctx, "search/000000/"))["merge-0000"]) != "first" || string(must.Get(by.Under(s.ctx, "starts/"))["000000"]) != "start" {
				return false
			}
		}
		return true
	})
	for _, by := range []interface {
		Open(context.Context, string) (levels.File, error)
	}{one, other, c} {
		file := must.Get(by.Open(s.ctx, "file"))
		if content := must.Get(io.ReadAll(io.NewSectionReader(file, 0, must.Get(file.Stat()).Size()))); string(content) != "content" {
			t.Errorf("the file has %q", content)
		}
		var damaged *levels.DamagedError
		if _, err := by.Open(s.ctx, "none"); !errors.As(err, &damaged) || damaged.Name != "none" {
			t.Error(err)
		}
	}
	must.Do(c.Await(s.ctx, "starts/", 1, time.Millisecond))
	over, cancel := context.WithCancel(s.ctx)
	cancel()
	if err := c.Await(over, "starts/", 1, time.Hour); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	end()
	if _, err := s.storeOf().Open(s.ctx, "file"); err == nil {
		t.Error("a file is left when the check has ended")
	}
	if _, err := c.Under(s.ctx, "starts/"); err != error(errEnded) {
		t.Error(err)
	}
}

// TestEntriesOfOthersAreNotRead has somebody who does not know the key of a job make an entry.
func TestEntriesOfOthersAreNotRead(t *testing.T) {
	t.Parallel()
	s := shared(t, Job{})
	c, end := s.lend()
	defer end()
	s.spread.mu.Lock()
	j := s.spread.job
	s.spread.mu.Unlock()
	j.Key = "another"
	must.Get(must.Get(s.engine.Store(s.ctx, j)).Make(s.ctx, "search/000000/manifest", []byte("{}")))
	s.eventually("the entry is refused", func() bool {
		_, err := c.Under(s.ctx, "search/000000/")
		var damaged *levels.DamagedError
		return errors.As(err, &damaged) && damaged.Error() == "search/000000/manifest was not written by a member of the search"
	})
}

// TestStoresOutliveAChecks holds that another check can go on with what workers kept for a checkpoint.
func TestStoresOutliveAChecks(t *testing.T) {
	t.Parallel()
	s := shared(t, Job{Kept: "mine", Key: "key"})
	c, end := s.lend()
	must.Get(c.Make(s.ctx, "starts/000000", []byte("start")))
	keep(s.storeOf(), "file", "content")
	end()
	again := must.Get(s.engine.Store(s.ctx, Job{ID: "other", Kept: "mine", Key: "key", Share: SharedByServers}))
	must.Do(must.Get(again.Open(s.ctx, "file")).Close())
	s.eventually("the entry is there", func() bool { return len(must.Get(again.Under(s.ctx, "starts/"))) == 1 })
}

// TestServersThatStayAwayEndASharedSearch tells a check that no worker can be reached any more.
func TestServersThatStayAwayEndASharedSearch(t *testing.T) {
	t.Parallel()
	at := serverAt(t, "", t.TempDir())
	s := newScene(t)
	s.engine = must.Get(Join(s.ctx, "nats://"+at.Addr().String()))
	t.Cleanup(s.engine.Close)
	loaded := s.open(Job{Program: "p", Share: SharedByServers})
	c, end := s.lend()
	defer end()
	must.Get(c.Under(s.ctx, "starts/"))
	stop(at)
	s.engine.heard.Store(0)
	var limit *model.LimitError
	s.eventually("the search is told", func() bool {
		_, err := c.Under(s.ctx, "starts/")
		return errors.As(err, &limit) && limit.Text == errAway.Text
	})
	must.Do(<-loaded) // whose answer is the limit
}
