package cluster

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"harrier/internal/distributed/levels"
	"harrier/internal/distributed/tasks"
)

// SharedByServers is the value of Job.Share of a search whose files the servers have.
const SharedByServers = "servers"

// A Store is shared by a check and the workers that explore its states (tasks.Store): the register is at the servers, and so are the
// files, unless Job.Share names another place for them.
type Store struct {
	tasks.Files
	tasks.Register
}

// Store opens that of a job. Its goroutine ends with the context.
func (e *Engine) Store(ctx context.Context, j Job) (*Store, error) {
	r, err := e.register(ctx, j.Kept)
	if err != nil {
		return nil, err
	}
	s := &Store{Register: tasks.Sealed(r, []byte(j.Key))}
	if j.Share == SharedByServers {
		s.Files, err = tasks.NewCache(ctx, objects{e, "kept/" + j.Kept + "/"})
		return s, err
	}
	s.Files, err = tasks.OpenFiles(ctx, j.Share, j.Kept)
	return s, err
}

// existingStore opens that of a job for a worker. If a folder has the files, the check has made it.
func (e *Engine) existingStore(ctx context.Context, j Job) (*Store, error) {
	if j.Share != SharedByServers {
		if err := tasks.FindFolder(j.Share, j.Kept); err != nil {
			return nil, err
		}
	}
	return e.Store(ctx, j)
}

// objects are files in the object store of the servers, with names that begin with a prefix.
type objects struct {
	engine *Engine
	prefix string
}

// Put implements tasks.Origin.
func (o objects) Put(ctx context.Context, name string, content *os.File) error {
	info, err := content.Stat()
	if err != nil {
		return err
	}
	return insist(ctx, func() error {
		if has, err := o.engine.objects.GetInfo(ctx, o.prefix+name); err == nil && int64(has.Size) == info.Size() {
			return nil
		}
		if _, err := content.Seek(0, 0); err != nil {
			return err
		}
		_, err := o.engine.objects.Put(ctx, jetstream.ObjectMeta{Name: o.prefix + name}, content)
		return err
	})
}

// Fetch implements tasks.Origin.
func (o objects) Fetch(ctx context.Context, name string, into *os.File) error {
	err := insist(ctx, func() error {
		if err := into.Truncate(0); err != nil {
			return err
		}
		if _, err := into.Seek(0, 0); err != nil {
			return err
		}
		return o.read(ctx, name, into)
	})
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		err = &levels.DamagedError{Name: name, Text: "is missing"}
	}
	return err
}

func (o objects) read(ctx context.Context, name string, into *os.File) error {
	ctx, cancel := context.WithTimeout(ctx, mostAway)
	defer cancel()
	content, err := o.engine.objects.Get(ctx, o.prefix+name)
	if err != nil {
		return err
	}
	defer content.Close()
	_, err = into.ReadFrom(content)
	return err
}

// Clear implements tasks.Origin.
func (o objects) Clear(ctx context.Context) error {
	all, err := o.engine.objects.List(ctx)
	for _, of := range all {
		if err == nil && strings.HasPrefix(of.Name, o.prefix) {
			err = o.engine.objects.Delete(ctx, of.Name)
		}
	}
	return err
}

// A register is the entries of a search at the servers (tasks.Register), and a copy of them in this process, which follows them.
type register struct {
	engine *Engine
	prefix string // of keys

	mu      sync.Mutex
	entries map[string]map[string][]byte // by folder and name
	changed chan struct{}                // closed when entries were added
}

// register opens the register of a search by its name.
func (e *Engine) register(ctx context.Context, kept string) (*register, error) {
	r := &register{engine: e, prefix: kept + ".", entries: map[string]map[string][]byte{}, changed: make(chan struct{})}
	take := func(entry jetstream.KeyValueEntry) {
		if entry != nil && entry.Operation() == jetstream.KeyValuePut {
			r.add(strings.TrimPrefix(entry.Key(), r.prefix), entry.Value())
		}
	}
	return r, e.follow(ctx, e.searches, []string{r.prefix + ">"}, take, func() {})
}

// add adds an entry to the copy. Keys have a dot in place of each slash.
func (r *register) add(key string, content []byte) {
	at := strings.LastIndexByte(key, '.') + 1
	r.mu.Lock()
	defer r.mu.Unlock()
	folder := r.entries[key[:at]]
	if folder == nil {
		folder = map[string][]byte{}
		r.entries[key[:at]] = folder
	}
	folder[key[at:]] = content
	close(r.changed)
	r.changed = make(chan struct{})
}

func dotted(key string) string { return strings.ReplaceAll(key, "/", ".") }

// Make implements tasks.Register.
func (r *register) Make(ctx context.Context, key string, content []byte) (made bool, err error) {
	err = insist(ctx, func() error {
		_, err := r.engine.searches.Create(ctx, r.prefix+dotted(key), content)
		if made = err == nil; errors.Is(err, jetstream.ErrKeyExists) {
			return nil
		}
		return err
	})
	switch {
	case made:
		r.add(dotted(key), content)
	case err == nil: // the entry of another process may have been missed
		err = insist(ctx, func() error { return r.get(ctx, dotted(key)) })
	}
	return made, err
}

// get copies an entry.
func (r *register) get(ctx context.Context, key string) error {
	entry, err := r.engine.searches.Get(ctx, r.prefix+key)
	if err == nil {
		r.add(key, entry.Value())
	}
	return err
}

// Under implements tasks.Register. Entries that others have made are there soon.
func (r *register) Under(ctx context.Context, folder string) (map[string][]byte, error) {
	if r.engine.away() > mostAway {
		return nil, errAway
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	all := map[string][]byte{}
	for name, content := range r.entries[dotted(folder)] {
		all[name] = content
	}
	return all, ctx.Err()
}

// Await implements tasks.Register.
func (r *register) Await(ctx context.Context, folder string, entries int, most time.Duration) error {
	timer := time.NewTimer(most)
	defer timer.Stop()
	for {
		r.mu.Lock()
		has, changed := len(r.entries[dotted(folder)]), r.changed
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
