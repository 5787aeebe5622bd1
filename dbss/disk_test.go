package dbss_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"harrier/dbss"
	"harrier/internal/model/space"
	"harrier/internal/testkit/toy"
)

// fullAfter is the memory that is left to a search that uses it up when it looks for the nth time.
func fullAfter(n int64) (left func() uint64) {
	var looks atomic.Int64
	return func() uint64 {
		if looks.Add(1) > n {
			return 0
		}
		return 1 << 40
	}
}

// TestDisksChangeNothing has searches of random programs go to disk at different moments, and go on from each of their levels. It
// demands what a search finds in memory.
func TestDisksChangeNothing(t *testing.T) { disksChangeNothing(t, 48) }

// TestForgetfulDisksChangeNothing does so with workers that forget what they remember all the time.
func TestForgetfulDisksChangeNothing(t *testing.T) {
	dbss.Forgetful(t)
	disksChangeNothing(t, 20)
}

func disksChangeNothing(t *testing.T, programs uint64) {
	dbss.Crowded(t)
	var large, violated atomic.Uint64
	inParallel(t, taken(programs), func(seed uint64) {
		seed += 100 // with 141, a transition fails after a state was met that violates an invariant
		kind := kinds[seed%uint64(len(kinds))]
		p, symmetric := kind.draw(seed), false
		if seed%3 == 0 {
			p, symmetric = toy.Symmetric.Random(seed), true
		}
		o := dbss.Options{Order: dbss.BreadthFirst, KeepGoing: seed%4 != 1, MaxDepth: int(seed%2) * 9, MaxStates: 3000, NoDeadlock: seed%5 == 1}
		inMemory := &memory{}
		l := loggedSearch{p, symmetric, o, space.Numbering{}}
		want := l.run(inMemory)
		if want.err != nil {
			t.Errorf("seed %d: %v", seed, want.err)
			return
		}
		if want.States >= o.MaxStates {
			return
		}
		l.numbering = space.NumberingOf(want.actors.Values)
		for n := range 4 {
			l.options.Workers = 1 + n%2
			l.options.Left = fullAfter(int64(n) * 5)
			onDisk := &memory{}
			got := l.run(onDisk)
			problem := difference(got, want, inMemory, onDisk, o)
			if problem == "" && l.options.Workers == 1 {
				problem = otherOrder(got, want, inMemory, onDisk)
			}
			if problem != "" {
				t.Errorf("seed %d, full after %d looks: %s", seed, n*5, problem)
				return
			}
			if got.DiskBytes > 0 && want.States > 100 {
				large.Add(1)
				if want.Violation != nil {
					violated.Add(1)
				}
			}
			again := &memory{levels: slices.Clone(onDisk.levels[:len(onDisk.levels)*n/3])}
			l.options.Workers, l.options.Left = 1+n/2, fullAfter(int64(seed%4))
			if problem := difference(l.run(again), want, inMemory, again, o); problem != "" {
				t.Errorf("seed %d, which goes on from %d levels: %s", seed, len(onDisk.levels)*n/3, problem)
			}
		}
	})
	if large.Load() < taken(programs)/4 || violated.Load() < taken(programs)/8 {
		t.Errorf("%d searches went to disk with more than 100 states, %d of them to a violation", large.Load(), violated.Load())
	}
}

// otherOrder says in what a search by one worker differs from one that takes the same order.
func otherOrder(got, want searched, inMemory, onDisk *memory) string {
	switch {
	case !reflect.DeepEqual(got.Violation, want.Violation):
		return fmt.Sprintf("the violation is %+v, want %+v", got.Violation, want.Violation)
	case want.Violation == nil && !slices.Equal(got.Levels, want.Levels):
		return fmt.Sprintf("levels of %d states, want %d", got.Levels, want.Levels)
	case got.States != want.States:
		return fmt.Sprintf("%d states, want %d", got.States, want.States)
	}
	for n, level := range inMemory.levels {
		if other := onDisk.levels[n]; !slices.Equal(met(other), met(level)) {
			return fmt.Sprintf("level %d has the links %v, want %v", n, met(other), met(level))
		}
	}
	return ""
}

// met are the links of a level by which states were met, without what they say of the worker's memory.
func met(l logged) (links []dbss.Link) {
	for _, k := range l.Links {
		if k.Transition != 1<<32-1 {
			links = append(links, dbss.Link{Parent: k.Parent, Transition: k.Transition &^ (1 << 31)})
		}
	}
	return links
}

// TestAFullDiskIsTheReason has searches go to a disk that is full, and go on from what their logs have.
func TestAFullDiskIsTheReason(t *testing.T) {
	dbss.Crowded(t)
	for _, p := range untroubledOfBoth(t, 3, 200, 2000) {
		l := loggedSearch{program: p, options: dbss.Options{Order: dbss.BreadthFirst, KeepGoing: true}}
		whole := &memory{}
		want := l.run(whole)
		for _, workers := range []int{1, 2} {
			l.options.Workers, l.options.Left = workers, fullAfter(3)
			full := &memory{full: true}
			got := l.run(full)
			if got.err != nil || got.Complete || !strings.Contains(got.Reason, "cannot be kept on disk: write /dev/full: no space left on device") {
				t.Fatalf("complete %v, reason %q, error %v", got.Complete, got.Reason, got.err)
			}
			full.full, full.read, full.fresh = false, 0, nil
			l.numbering = space.NumberingOf(got.actors.Values)
			if problem := difference(l.run(full), want, whole, full, l.options); problem != "" {
				t.Errorf("after %d levels: %s", len(full.levels), problem)
			}
		}
	}
}
