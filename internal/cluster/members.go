package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// Checks and workers send a heartbeat each second. A check or worker whose last heartbeat is older than silence is gone.
const (
	beat    = time.Second
	silence = 5 * beat
)

// Job is a program that is checked, as workers see it.
type Job struct {
	ID       string
	Program  string   // as it was named
	Files    []string // hashes of archives (files.go)
	Load     string   // the hash of the question that has it loaded
	Facts    string   // the hash of the answer to that question
	Identity Identity // that workers must have to answer
	StepTime time.Duration
	Share    string // where workers that explore states keep them: SharedByServers, a folder or a URL (tasks.OpenFiles); "" if they explore none
	Kept     string // under which name; the ID if nobody needs them after the job
	Key      string // of what the register has of the search (tasks.Sealed)
	Begun    time.Time
	Waits    bool // it waits for more workers
}

// precedes reports whether a worker that answers for the job with the id current, or for none, answers for j rather than for other: for
// its own job unless that waits for more workers, else for the first of those that wait, else for the first one. All workers agree on
// which job is first, so two jobs do not wait for each other's workers.
func (j Job) precedes(other Job, current string) bool {
	rank := func(j Job) int {
		switch {
		case j.Waits:
			return 1
		case j.ID == current:
			return 0
		}
		return 2
	}
	return cmp.Or(cmp.Compare(rank(j), rank(other)), j.Begun.Compare(other.Begun), cmp.Compare(j.ID, other.ID)) < 0
}

// Identity is what answers depend on, beside the program.
type Identity struct {
	Java  string // the version of Java
	Build string // a hash of harrier's own file
}

// Member is a worker, as all see it.
type Member struct {
	ID       string
	Identity Identity
	Threads  int               // how many questions it answers at once
	Job      string            // the job whose program it has loaded; "" for none
	Program  string            // of the job that it answers for or loads; "" for none
	Doing    string            // in words
	Refuses  map[string]string // the jobs that it does not answer for, with why
	Answered uint64            // questions since it was started
	Rate     float64           // questions a second, in the last second
	Busy     float64           // the share of its threads that answered in the last second
	Out, In  uint64            // bytes that it sent and received
}

// newID returns a name for this process that no other one has. It begins with the name of the machine.
func newID() string {
	host, _ := os.Hostname()
	fits := func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}
	id := nuid.Next()
	return strings.Map(fits, host) + "-" + id[len(id)-6:]
}

// say publishes what() under a key each second and after each change, until the context ends; then it removes the key. The error is
// that of the first time, if servers that answer refuse it, or of the removal.
func (e *Engine) say(ctx context.Context, key string, changed <-chan struct{}, what func() any) error {
	put := func() error {
		value, err := json.Marshal(what())
		if err == nil {
			soon, cancel := context.WithTimeout(ctx, beat) // where its acknowledgement is lost, the next one is due
			defer cancel()
			_, err = e.members.Put(soon, key, value)
		}
		return err
	}
	if err := insist(ctx, put); err != nil {
		return err
	}
	for ticks := time.NewTicker(beat); ; {
		select {
		case <-ctx.Done():
			ticks.Stop()
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), beat)
			defer cancel()
			return e.members.Delete(last, key)
		case <-ticks.C:
		case <-changed:
		}
		_ = put() // if the server is away, the client connects with it again, and the next heartbeat arrives
	}
}

// The kinds of keys.
const (
	jobs    = "job."
	members = "worker."
)

// A view has the last heartbeats of jobs or of workers, by their ids.
type view[T any] struct {
	known   map[string]seen[T]
	isWhole bool // known has all heartbeats that were there when the watch began
}

type seen[T any] struct {
	value T
	at    time.Time
}

// watch follows the heartbeats of jobs or workers until the context ends or the engine is closed. It calls changed after each, and each second, with the jobs or workers that
// are not gone, by id. The first call has all that were there before, so that nobody chooses among some of them. This process says the key
// own, and so hears something where heartbeats are heard.
func watch[T any](ctx context.Context, e *Engine, kind, own string, changed func(now map[string]T)) error {
	v := view[T]{known: map[string]seen[T]{}}
	take := func(entry jetstream.KeyValueEntry) {
		if v.take(entry, kind); v.isWhole {
			changed(v.now())
		}
	}
	tick := func() {
		v.isWhole = true // if the end of those before was lost
		changed(v.now())
	}
	return e.follow(ctx, e.members, []string{kind + ">", own}, take, tick)
}

// follow calls take with the entries of a bucket that have some keys, then with nil, and then with later ones, until the context ends or the
// engine is closed, and tick each second.
//
// If nothing comes for long although the servers answer, it begins anew: the client of NATS goes on after the last sequence number, and
// servers that lost the entries count from 1 again.
func (e *Engine) follow(ctx context.Context, bucket jetstream.KeyValue, keys []string, take func(jetstream.KeyValueEntry), tick func()) error {
	w, err := bucket.WatchFiltered(ctx, slices.Clone(keys)) // which writes to them
	if err != nil {
		return err
	}
	e.running.Go(func() {
		ctx, stop := e.closed.With(ctx)
		defer stop(nil)
		ticks := time.NewTicker(beat)
		defer ticks.Stop()
		updates, heard := w.Updates(), time.Now()
		for at := e.conn.Stats().Reconnects; ; {
			isDeaf := false
			select {
			case <-ctx.Done():
				_ = w.Stop() // it fails only if the connection is closed
				return
			case entry, ok := <-updates:
				if !ok {
					updates = nil
				}
				if entry != nil {
					heard = time.Now()
				}
				take(entry)
				continue
			case <-ticks.C:
				isDeaf = e.listen() && time.Since(heard) > silence
			}
			// Servers that were started again know nothing of the watcher.
			if now := e.conn.Stats().Reconnects; now != at || updates == nil || isDeaf {
				if again, err := e.followAgain(ctx, bucket, keys); err == nil {
					_ = w.Stop() // likewise
					w, updates, at, heard = again, again.Updates(), now, time.Now()
				}
			}
			tick()
		}
	})
	return nil
}

// followAgain watches entries at servers that may have been started again.
func (e *Engine) followAgain(ctx context.Context, bucket jetstream.KeyValue, keys []string) (jetstream.KeyWatcher, error) {
	if err := e.open(ctx); err != nil {
		return nil, err
	}
	return bucket.WatchFiltered(ctx, slices.Clone(keys)) // likewise
}

// take takes in an update. The update is nil once all keys that were there before have been given.
func (v *view[T]) take(entry jetstream.KeyValueEntry, kind string) {
	if entry == nil {
		v.isWhole = true
		return
	}
	id, ok := strings.CutPrefix(entry.Key(), kind)
	if !ok {
		return
	}
	var value T
	if entry.Operation() != jetstream.KeyValuePut || json.Unmarshal(entry.Value(), &value) != nil {
		delete(v.known, id)
		return
	}
	v.known[id] = seen[T]{value, time.Now()}
}

// now returns those that are not gone.
func (v *view[T]) now() map[string]T {
	now := map[string]T{}
	for id, s := range v.known {
		if time.Since(s.at) < silence {
			now[id] = s.value
		}
	}
	return now
}

// Members returns the jobs and workers that there are, in the order of their ids.
func (e *Engine) Members(ctx context.Context) (all []Job, workers []Member, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, startTime, errors.New("the servers do not answer"))
	defer cancel()
	keys, err := e.members.Keys(ctx)
	slices.Sort(keys)
	for _, key := range keys {
		entry, gone := e.members.Get(ctx, key)
		if gone != nil {
			continue
		}
		var j Job
		var m Member
		switch {
		case strings.HasPrefix(key, jobs) && json.Unmarshal(entry.Value(), &j) == nil:
			all = append(all, j)
		case strings.HasPrefix(key, members) && json.Unmarshal(entry.Value(), &m) == nil:
			workers = append(workers, m)
		}
	}
	switch {
	case ctx.Err() != nil: // then keys lacks the names that came too late
		return nil, nil, context.Cause(ctx)
	case errors.Is(err, jetstream.ErrNoKeysFound):
		return nil, nil, nil
	}
	return all, workers, err
}
