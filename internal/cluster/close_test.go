package cluster

import (
	"context"
	"flag"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"harrier/internal/testkit/must"
)

// holdsNothing fails a test if a goroutine has a function of this package whose name has one of some texts. Those of tests do not count.
func holdsNothing(t *testing.T, of ...string) {
	t.Helper()
	all := make([]byte, 8<<20)
	for s := range strings.SplitSeq(string(all[:runtime.Stack(all, true)]), "\n\n") {
		for _, name := range of {
			if strings.Contains(s, "harrier/internal/cluster."+name) && !strings.Contains(s, "testing.tRunner(") &&
				!strings.Contains(s, "harrier/internal/cluster.Test") {
				t.Errorf("this runs still:\n%s", s)
			}
		}
	}
}

// TestNothingRunsOnceItsOwnerIsClosed closes a check, its worker and their engines while the context goes on, a worker does not answer
// and others take a while to end.
func TestNothingRunsOnceItsOwnerIsClosed(t *testing.T) { // not parallel, so that no other test runs
	const aWhile = 20 * time.Millisecond
	s := newScene(t)
	s.engine = must.Get(Start(s.ctx))
	asked, never := make(chan struct{}, 1), make(chan struct{})
	leave := s.start(func(q []byte) ([]byte, error) { signal(asked); <-never; return honest(q), nil })
	must.Do(<-s.open(Job{Program: "p", Share: SharedByServers}))
	s.eventually("the worker answers", func() bool { return s.spread.Threads() == 2 })
	for isAsked := false; !isAsked; {
		must.Do(s.askAll(0, 4))
		select {
		case <-asked:
			isAsked = true
		default:
		}
	}

	c, unlend := s.lend()
	must.Get(c.Under(s.ctx, "starts/"))
	unlend()
	holdsNothing(t, "(*Connection)", "(*Spread).Lend")

	at, end, err := ServeMetrics("127.0.0.1:0", s.spread.Metrics())
	must.Do(err)
	must.Do(must.Get(http.Get("http://" + at + "/metrics")).Body.Close())
	end()
	holdsNothing(t, "ServeMetrics")

	begun := make(chan struct{})
	var answering sync.WaitGroup
	var hasEnded atomic.Bool
	slow := &answerer{gone: s.spread.nearest.gone, ask: func(ctx context.Context, _ int, _ []byte) ([]byte, error) {
		close(begun)
		<-ctx.Done()
		time.Sleep(aWhile)
		hasEnded.Store(true)
		return nil, context.Cause(ctx)
	}}
	s.spread.mu.Lock()
	s.spread.nearest = slow
	s.spread.mu.Unlock()
	answering.Go(func() { _, _ = s.spread.Answer(s.ctx, opRecord, question("q"), true) })
	<-begun
	s.spread.Close()
	holdsNothing(t, "(*Spread)", "(*turn)", "(*answerer)")
	if !hasEnded.Load() {
		t.Error("a question is asked still")
	}
	answering.Wait()
	if _, err := s.spread.Answer(s.ctx, opRecord, question("q"), false); err == nil {
		t.Error("a check that is closed answers")
	}

	close(never)
	leave()
	holdsNothing(t, "(*Worker)", "(*running)")

	must.Do(watch(s.ctx, s.engine, jobs, members+"own", func(map[string]Job) {
		<-s.engine.closed.Over()
		time.Sleep(10 * aWhile) // the server takes a while, too
	}))
	s.engine.Close()
	holdsNothing(t, "")
}

// TestMain has more tests run at once than there are processors, as they wait most of the time.
func TestMain(m *testing.M) {
	flag.Parse()
	must.Do(flag.Set("test.parallel", "8"))
	os.Exit(m.Run())
}
