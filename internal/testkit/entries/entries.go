// Package entries has a register of tasks in memory, for tests whose processes are goroutines.
package entries

import (
	"context"
	"maps"
	"strings"
	"sync"
	"time"
)

// A Register is a tasks.Register in memory.
type Register struct {
	mu      sync.Mutex
	entries map[string][]byte
	changed chan struct{}
}

// New makes a register without entries.
func New() *Register { return &Register{entries: map[string][]byte{}, changed: make(chan struct{})} }

// Make implements tasks.Register.
func (r *Register) Make(ctx context.Context, key string, content []byte) (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, is := r.entries[key]; is || ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	r.entries[key] = content
	close(r.changed)
	r.changed = make(chan struct{})
	return true, nil
}

// Under implements tasks.Register.
func (r *Register) Under(ctx context.Context, folder string) (map[string][]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := map[string][]byte{}
	for key, content := range r.entries {
		if name, is := strings.CutPrefix(key, folder); is && !strings.Contains(name, "/") {
			all[name] = content
		}
	}
	return all, context.Cause(ctx)
}

// Await implements tasks.Register.
func (r *Register) Await(ctx context.Context, folder string, entries int, most time.Duration) error {
	timer := time.NewTimer(most)
	defer timer.Stop()
	for {
		r.mu.Lock()
		has, changed := r.count(folder), r.changed
		r.mu.Unlock()
		if has > entries {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-changed:
		case <-timer.C:
			return nil
		}
	}
}

// count is how many entries are in a folder. The caller holds the lock.
func (r *Register) count(folder string) (n int) {
	for key := range r.entries {
		if name, is := strings.CutPrefix(key, folder); is && !strings.Contains(name, "/") {
			n++
		}
	}
	return n
}

// Change changes the entries, as somebody does who can write to the servers.
func (r *Register) Change(change func(map[string][]byte)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	was := maps.Clone(r.entries)
	change(r.entries)
	if !maps.EqualFunc(was, r.entries, func(a, b []byte) bool { return string(a) == string(b) }) {
		close(r.changed)
		r.changed = make(chan struct{})
	}
}
