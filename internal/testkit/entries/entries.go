// Package entries has a register of tasks in memory, for tests whose processes are goroutines.
package entries

import (
	"context"
	"strings"
	"sync"
	"time"
)

// A Register is a tasks.Register in memory.
type Register struct {
	mu      sync.Mutex
	entries map[string][]byte
}

// New makes a register without entries.
func New() *Register { return &Register{entries: map[string][]byte{}} }

// Make implements tasks.Register.
func (r *Register) Make(ctx context.Context, key string, content []byte) (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, is := r.entries[key]; is || ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	r.entries[key] = content
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

// Await implements tasks.Register: it looks again and again.
func (r *Register) Await(ctx context.Context, folder string, entries int, most time.Duration) error {
	for end := time.Now().Add(most); time.Now().Before(end); time.Sleep(100 * time.Microsecond) {
		if all, err := r.Under(ctx, folder); err != nil || len(all) > entries {
			return err
		}
	}
	return nil
}

// Change changes the entries, as somebody does who can write to the servers.
func (r *Register) Change(change func(map[string][]byte)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(r.entries)
}
