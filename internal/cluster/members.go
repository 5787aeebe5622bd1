package cluster

import (
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

// Checks and workers say each second that they are there. Who was silent for some seconds is not.
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
	Facts    string   // the hash of the answer to that
	Identity Identity // of those who can answer
	StepTime time.Duration
}

// Identity is what answers depend on beside the program.
type Identity struct {
	Java    string // the version of Java
	Runtime string // a hash of harrier's part in Java
}

// Member is a worker, as all see it.
type Member struct {
	ID       string
	Identity Identity
	Threads  int    // how many questions it answers at once
	Job      string // whose program it has loaded; "" for none
	Program  string
	Doing    string // in words
	Answered uint64 // questions since it was started
	Rate     float64
	Busy     float64 // the share of its threads that answered in the last second
	Out, In  uint64  // bytes
}

// newID is a name that nobody else has, which begins with that of the machine.
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

// say has all know what somebody is, each second and whenever it changes, until the context ends. Then it is no more.
func (e *Engine) say(ctx context.Context, key string, changed <-chan struct{}, what func() any) error {
	put := func() error {
		value, err := json.Marshal(what())
		if err == nil {
			_, err = e.members.Put(ctx, key, value)
		}
		return err
	}
	if err := put(); err != nil {
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
		_ = put() // a server that is away for a while is connected with again
	}
}

// The kinds of keys.
const (
	jobs    = "job."
	members = "worker."
)

// A view is what is known of jobs or workers.
type view[T any] struct{ known map[string]seen[T] }

type seen[T any] struct {
	value T
	at    time.Time
}

// watch keeps a view up to date until the context ends. It calls changed after each change, and each second.
func watch[T any](ctx context.Context, e *Engine, kind string, changed func(now map[string]T)) error {
	w, err := e.members.Watch(ctx, kind+">")
	if err != nil {
		return err
	}
	v := view[T]{known: map[string]seen[T]{}}
	go func() {
		ticks := time.NewTicker(beat)
		defer ticks.Stop()
		defer w.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticks.C:
			case entry, ok := <-w.Updates():
				if !ok {
					return
				}
				v.take(entry, kind)
			}
			changed(v.now())
		}
	}()
	return nil
}

// take takes an update in; a nil one says that all that was there before is known.
func (v *view[T]) take(entry jetstream.KeyValueEntry, kind string) {
	if entry == nil {
		return
	}
	id := strings.TrimPrefix(entry.Key(), kind)
	var value T
	if entry.Operation() != jetstream.KeyValuePut || json.Unmarshal(entry.Value(), &value) != nil {
		delete(v.known, id)
		return
	}
	v.known[id] = seen[T]{value, time.Now()}
}

func (v *view[T]) now() map[string]T {
	now := map[string]T{}
	for id, s := range v.known {
		if time.Since(s.at) < silence {
			now[id] = s.value
		}
	}
	return now
}

// Members gives the jobs and workers that there are, by their names.
func (e *Engine) Members(ctx context.Context) (all []Job, workers []Member, err error) {
	keys, err := e.members.Keys(ctx)
	if errors.Is(err, jetstream.ErrNoKeysFound) {
		return nil, nil, nil
	}
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
	return all, workers, err
}
