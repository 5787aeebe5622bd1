package tasks

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"harrier/internal/distributed/levels"
)

// A Follower reads the levels of a search as they become complete, and takes no tasks. One goroutine may use it.
type Follower struct {
	Files Files
	chain
	seen   map[string]Outcome // the outcomes of the next level, by name, that early was called with
	phases []Phase
}

// A Phase sums up tasks that can run at the same time: the tasks that expand one level, or the tasks that merge its candidates.
type Phase struct {
	Tasks int `json:"tasks"`
	// Seconds is the duration of all tasks together, and Longest that of the longest task.
	Seconds float64 `json:"seconds"`
	Longest float64 `json:"longest"`
}

func (p *Phase) add(o Outcome) {
	p.Tasks, p.Seconds, p.Longest = p.Tasks+1, p.Seconds+o.Seconds, max(p.Longest, o.Seconds)
}

// NewFollower returns a follower of the search that the register has somewhere.
func NewFollower(r Register, f Files, search string) *Follower {
	return &Follower{Files: f, chain: chain{register: r, search: search}, seen: map[string]Outcome{}}
}

// Next waits for the next level, and returns it with the outcomes of its tasks. Each of them it gives to early as soon as it is there; if
// that reports an end, there is no level.
func (f *Follower) Next(ctx context.Context, early func(Outcome) (end bool, err error)) (*Level, []Outcome, error) {
	for ctx.Err() == nil {
		entries, err := f.register.Under(ctx, f.folder())
		if err != nil {
			return nil, nil, err
		}
		for _, name := range slices.Sorted(maps.Keys(entries)) {
			if _, is := f.seen[name]; is || !isOutcome(name) {
				continue
			}
			var o Outcome
			if err := json.Unmarshal(entries[name], &o); err != nil {
				return nil, nil, &levels.DamagedError{Name: f.folder() + name, Text: "is torn"}
			}
			f.seen[name] = o
			if end, err := early(o); end || err != nil {
				return nil, nil, err
			}
		}
		if content, complete := entries[manifest]; complete {
			return f.complete(content, entries)
		}
		if err := f.register.Await(ctx, f.folder(), len(entries), Usual.Patience); err != nil {
			return nil, nil, err
		}
	}
	return nil, nil, context.Cause(ctx)
}

// complete takes over the manifest of a level, if that was made of the outcomes in the register.
func (f *Follower) complete(content []byte, entries map[string][]byte) (*Level, []Outcome, error) {
	folder := f.folder()
	if err := f.take(content); err != nil {
		return nil, nil, err
	}
	l := f.last()
	var all []Outcome
	var expand, merge Phase
	for name, hash := range l.Results {
		o, ok := f.seen[name]
		if !ok || hashOf(entries[name]) != hash {
			return nil, nil, &levels.DamagedError{Name: folder + name, Text: "is not what its level was made of"}
		}
		all = append(all, o)
		if isMerge(name) {
			merge.add(o)
		} else {
			expand.add(o)
		}
	}
	f.phases = append(f.phases, expand, merge)
	if len(f.seen) != len(l.Results) {
		return nil, nil, &levels.DamagedError{Name: folder, Text: fmt.Sprintf("has %d outcomes, and its level was made of %d", len(f.seen), len(l.Results))}
	}
	clear(f.seen)
	return l, all, nil
}

// Sum identifies the levels that were read.
func (f *Follower) Sum() string { return f.sum }

// Phases returns two phases for each level that was read: expanding the level before, and merging.
func (f *Follower) Phases() []Phase { return f.phases }

// Sizes are the numbers of states of the levels that were read, but for one without states.
func (f *Follower) Sizes() (sizes []uint64) {
	for i := range f.levels {
		if n := f.levels[i].States(); n > 0 {
			sizes = append(sizes, uint64(n))
		}
	}
	return sizes
}

// At returns the state at a place of a level.
func (f *Follower) At(ctx context.Context, o *levels.Order, level int, place uint32) (levels.Record, error) {
	if level < 0 || level >= len(f.levels) {
		return levels.Record{}, fmt.Errorf("level %d is not complete", level)
	}
	for i := range f.levels[:level+1] {
		if err := readTexts(ctx, f.Files, f.levels[i].Texts, o); err != nil {
			return levels.Record{}, err
		}
	}
	at := int(place)
	for _, p := range f.levels[level].Parts {
		if at >= p.States {
			at -= p.States
			continue
		}
		var found levels.Record
		err := readPart(ctx, f.Files, p, o, true, func(r levels.Record) bool {
			found, at = r, at-1
			return at >= 0
		})
		return found, err
	}
	return levels.Record{}, fmt.Errorf("level %d has no state %d", level, place)
}
