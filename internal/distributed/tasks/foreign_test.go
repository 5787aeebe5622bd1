package tasks_test

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"harrier/dbss"
	"harrier/internal/distributed/tasks"
	"harrier/internal/model/space"
	"harrier/internal/testkit/entries"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/replayed"
	"harrier/internal/testkit/toy"
)

// An intruder changes what the members of a search have in common, and knows no key.
type intruder struct {
	random *rand.Rand
	folder string // of files
	done   map[string]int
}

// meddle changes an entry or a file, or makes one.
func (i *intruder) meddle(r *entries.Register) {
	names := must.Get(filepath.Glob(filepath.Join(i.folder, "*")))
	if i.random.IntN(2) == 0 && len(names) > 1 {
		i.meddleWithFiles(names)
		return
	}
	r.Change(func(all map[string][]byte) {
		keys := slices.DeleteFunc(slices.Sorted(maps.Keys(all)), func(key string) bool { return strings.HasPrefix(key, "starts/") })
		if len(keys) < 2 {
			return
		}
		one, other := keys[i.random.IntN(len(keys))], keys[i.random.IntN(len(keys))]
		switch i.random.IntN(5) {
		case 0:
			i.done["an entry is changed"]++
			all[one] = i.garbled(all[one])
		case 1:
			i.done["an entry is another one"]++
			all[one] = all[other]
		case 2:
			i.done["an entry is removed"]++
			delete(all, one)
		case 3, 4:
			i.outcome(all, all[other])
		}
	})
}

// outcome makes an outcome of a task that a member has claimed, with the content of another entry or one of its own.
func (i *intruder) outcome(all map[string][]byte, content []byte) {
	var open []string
	for key := range all {
		folder, name := path.Split(key)
		task := folder + strings.TrimPrefix(name[:max(0, strings.LastIndexByte(name, '-'))], "claim-")
		if _, done := all[task]; strings.HasPrefix(name, "claim-") && !done {
			open = append(open, task)
		}
	}
	if len(open) == 0 {
		return
	}
	slices.Sort(open)
	kind := "an outcome is another entry"
	if i.random.IntN(2) == 0 {
		kind, content = "an outcome is made up", []byte(strings.Repeat("x", 32)+`{"Search":{}}`)
	}
	i.done[kind]++
	all[open[i.random.IntN(len(open))]] = content
}

func (i *intruder) garbled(b []byte) []byte {
	b = bytes.Clone(b)
	if len(b) > 0 {
		b[i.random.IntN(len(b))] ^= 1 << i.random.IntN(8)
	}
	return b[:i.random.IntN(len(b)+1)]
}

func (i *intruder) meddleWithFiles(names []string) {
	one, other := names[i.random.IntN(len(names))], names[i.random.IntN(len(names))]
	content, err := os.ReadFile(one)
	if err != nil {
		return
	}
	switch i.random.IntN(3) {
	case 0:
		i.done["a file is changed"]++
		must.Do(os.WriteFile(one, i.garbled(content), 0o600))
	case 1:
		i.done["a file is removed"]++
		_ = os.Remove(one) // others may have been faster
	case 2:
		i.done["a file is another one"]++
		must.Do(os.WriteFile(other, content, 0o600))
	}
}

// TestIntrudersDoNotVerify has intruders change files and entries of searches: these come to the same as one process, or to no verdict.
func TestIntrudersDoNotVerify(t *testing.T) {
	done, same, none := map[string]int{}, 0, 0
	for seed := range uint64(8 * *programs) {
		p := toy.Conversations(seed + *seed0)
		s := subject{Oracle: p, d: p.Decomposition(space.Selective), macro: seed%2 == 0}
		o := dbss.Options{KeepGoing: true, MaxStates: mostStates}
		_, want, err := s.alone(t, o)
		if err != nil || want.Reason != "" {
			continue
		}
		folder := t.TempDir()
		with := newGroup(t, 2, seed)
		with.files, with.key, with.patient = must.Get(tasks.OpenFolder(folder)), "key", true
		i := &intruder{random: rand.New(rand.NewPCG(seed, 2)), folder: folder, done: done}
		var one sync.Mutex
		with.meddle = func() {
			one.Lock()
			defer one.Unlock()
			if i.random.IntN(40) == 0 {
				i.meddle(with.register)
			}
		}
		on, got, err := s.together(t, o, with)
		switch {
		case err != nil:
			if _, isLimit := asLimit(err); !isLimit {
				t.Errorf("seed %d: %v", seed, err)
			}
			none++
		case got.Reason != "":
			none++
			if got.Complete {
				t.Errorf("seed %d: complete, and %q", seed, got.Reason)
			}
		default:
			same++
			if problem := s.difference(on, got, want, true); problem != "" {
				t.Errorf("seed %d: %s", seed, problem)
			}
		}
		if got != nil && got.Violation != nil {
			if problem := replayed.Problem(s.Oracle, on.actors, got.Violation); problem != "" {
				t.Errorf("seed %d: %s", seed, problem)
			}
		}
	}
	if len(done) < 4 || same == 0 || none == 0 {
		t.Errorf("%d searches come to the same, %d to nothing; %v", same, none, done)
	}
}
