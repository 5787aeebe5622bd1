package dbss_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"harrier/dbss"
	"harrier/internal/distributed/levels"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/process/files"
	"harrier/internal/property"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
	"harrier/symmetry"
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

// A keptSearch is a search whose levels are kept in a folder.
type keptSearch struct {
	program   *toy.Protocol
	symmetric bool
	options   dbss.Options
	folder    string // "" for none
	full      bool   // there is no room for scratch files
	flush     func() // called before manifests are written, which they are in the end if it is nil
	failed    error  // why levels could not be kept any more
}

// run searches, in a process of its own as far as ids go.
func (k *keptSearch) run() searched {
	k.program.Forget()
	actors, err := space.NewActors(k.program, space.Decomposition{Visible: k.program.Visible})
	if err != nil {
		return searched{err: err}
	}
	o := k.options
	if k.symmetric {
		group, err := symmetry.Find(actors)
		if err != nil {
			return searched{err: err}
		}
		if !group.IsTrivial() {
			o.Canonical, o.Orbits = group.Canonicalizer, group.Numbers
		}
	}
	if k.folder != "" {
		every := time.Hour
		if k.flush != nil {
			every = 0
		}
		o.Levels = func(variant string) (*levels.Chain, error) {
			return levels.OpenChain(levels.Place{Folder: k.folder, Every: every, Flush: k.flush, Scratch: func() (*os.File, error) {
				if k.full {
					return os.OpenFile("/dev/full", os.O_RDWR, 0)
				}
				return files.Scratch("", "scratch-")
			}}, variant)
		}
	}
	k.failed = nil
	o.Handlers, o.LevelsFailed = actors.Values, func(err error) { k.failed = err }
	checker := property.NewChecker(k.program, actors)
	r, err := dbss.Search(context.Background(), &space.SharedActors{Actors: actors}, checker, o, &dbss.Progress{})
	return searched{k.program, actors, checker, r, err}
}

// difference says in what a search that was interrupted or went to files differs from one that was not.
func difference(got, want searched, k keptSearch) string {
	o := k.options
	switch {
	case got.err != nil:
		return got.err.Error()
	case got.verdict() != want.verdict() || got.Complete != want.Complete || got.Reason != want.Reason:
		return fmt.Sprintf("%s, %v, %q, want %s, %v, %q", got.verdict(), got.Complete, got.Reason, want.verdict(), want.Complete, want.Reason)
	case want.Violation != nil && len(got.Violation.Path) != len(want.Violation.Path):
		return fmt.Sprintf("a run of %d, want %d", len(got.Violation.Path), len(want.Violation.Path))
	case want.Violation != nil && got.replay() != "":
		return got.replay()
	case want.Violation != nil && !o.KeepGoing:
		return "" // several workers end at different states of a level
	case !reflect.DeepEqual(got.figures(), want.figures()) || got.Depth != want.Depth || got.Reduced != want.Reduced || !slices.Equal(got.Levels, want.Levels):
		return fmt.Sprintf("it found\n%+v %v, want\n%+v %v", got.figures(), got.Levels, want.figures(), want.Levels)
	case !k.symmetric && got.actors.LocalSteps.Stats() != want.actors.LocalSteps.Stats():
		return fmt.Sprintf("%+v, want %+v", got.actors.LocalSteps.Stats(), want.actors.LocalSteps.Stats())
	}
	return ""
}

// keptSubjects calls test with searches of random programs that have an end, with what each finds in memory.
func keptSubjects(t *testing.T, programs uint64, test func(seed uint64, k keptSearch, want searched)) {
	inParallel(t, taken(programs), func(seed uint64) {
		kind := kinds[seed%uint64(len(kinds))]
		p, symmetric := kind.draw(seed), false
		if seed%3 == 0 {
			p, symmetric = toy.Symmetric.Random(seed), true
		}
		k := keptSearch{program: p, symmetric: symmetric, options: dbss.Options{
			Order: dbss.BreadthFirst, KeepGoing: seed%4 != 1, MaxDepth: int(seed%2) * 9, MaxStates: 3000, NoDeadlock: seed%5 == 1, Workers: 1 + int(seed/2%2),
		}}
		want := k.run()
		if want.err != nil {
			t.Errorf("seed %d: %v", seed, want.err)
			return
		}
		if want.States < k.options.MaxStates {
			test(seed, k, want)
		}
	})
}

// clip leaves only the first levels that are complete in a folder.
func clip(folder string, n int) {
	for _, path := range must.Get(filepath.Glob(filepath.Join(folder, "*.manifest")))[n:] {
		must.Do(os.Remove(path))
	}
}

func copyOf(t *testing.T, folder string) string {
	to := t.TempDir()
	must.Do(os.CopyFS(to, os.DirFS(folder)))
	return to
}

// TestSearchesGoOn has searches of random programs go on from each of their levels, by as many workers or others, in memory and in files,
// and demands what the search finds that was not interrupted.
func TestSearchesGoOn(t *testing.T) { searchesGoOn(t, 24) }

// TestForgetfulSearchesGoOn does so with workers that forget what they remember all the time.
func TestForgetfulSearchesGoOn(t *testing.T) {
	dbss.Forgetful(t)
	searchesGoOn(t, 20)
}

func searchesGoOn(t *testing.T, programs uint64) {
	dbss.Crowded(t)
	var resumed, violated, filed atomic.Uint64
	keptSubjects(t, programs, func(seed uint64, k keptSearch, want searched) {
		whole := t.TempDir()
		k.folder = whole
		if problem := difference(k.run(), want, k); problem != "" {
			t.Errorf("seed %d, with files: %s", seed, problem)
			return
		}
		all := len(must.Get(filepath.Glob(filepath.Join(whole, "*.manifest"))))
		inFiles := seed%2 == 0
		for n := 1; n <= all; n += 1 + all/5 {
			k.folder = copyOf(t, whole)
			clip(k.folder, n)
			k.options.Workers, k.options.Left = 1+(n+int(seed))%2*2, nil
			if inFiles = !inFiles; inFiles {
				k.options.Left = fullAfter(int64(seed % 4))
			}
			got := k.run()
			if problem := difference(got, want, k); problem != "" {
				t.Errorf("seed %d, from level %d of %d, by %d workers, %d bytes on disk: %s", seed, n, all, k.options.Workers, got.DiskBytes, problem)
				return
			}
			resumed.Add(1)
			if want.Violation != nil {
				violated.Add(1)
			}
			if got.DiskBytes > 0 {
				filed.Add(1)
			}
		}
	})
	if resumed.Load() < 2*taken(programs) || violated.Load() < taken(programs)/3 || filed.Load() < taken(programs)/2 {
		t.Errorf("%d searches went on, %d of them to a violation, %d in files", resumed.Load(), violated.Load(), filed.Load())
	}
}

// TestFilesChangeNothing has searches of random programs go on in files at different moments, and demands what they find in memory.
func TestFilesChangeNothing(t *testing.T) {
	dbss.Crowded(t)
	var large, violated atomic.Uint64
	keptSubjects(t, 24, func(seed uint64, k keptSearch, want searched) {
		for n := range 4 {
			k.folder = t.TempDir()
			k.options.Workers, k.options.Left = 1+n%2, fullAfter(int64(n)*5)
			got := k.run()
			if problem := difference(got, want, k); problem != "" {
				t.Errorf("seed %d, full after %d looks: %s", seed, n*5, problem)
				return
			}
			if got.DiskBytes > 0 && want.States > 100 {
				large.Add(1)
				if want.Violation != nil {
					violated.Add(1)
				}
			}
		}
	})
	if large.Load() < taken(24)/4 || violated.Load() < taken(24)/8 {
		t.Errorf("%d searches went to files with more than 100 states, %d of them to a violation", large.Load(), violated.Load())
	}
}

// TestFilesAreTheSame demands that searches in files write the same bytes, however many workers there are.
func TestFilesAreTheSame(t *testing.T) {
	dbss.Crowded(t)
	var same atomic.Uint64
	keptSubjects(t, 24, func(seed uint64, k keptSearch, want searched) {
		if !k.options.KeepGoing || kinds[seed%uint64(len(kinds))].name == "auxiliary" {
			return // it may end within a level; representatives are the states that were met first
		}
		var first map[string][]byte
		begun := t.TempDir()
		k.folder = begun
		k.run()
		clip(begun, 1)
		for n := range 3 {
			k.folder = copyOf(t, begun)
			k.options.Workers, k.options.Left = 1+n, fullAfter(0)
			got := k.run()
			runs := map[string][]byte{}
			for _, path := range must.Get(filepath.Glob(filepath.Join(k.folder, "*"))) {
				if content := must.Get(os.ReadFile(path)); bytes.HasPrefix(content, []byte("harrier run file")) {
					runs[filepath.Base(path)] = content
				}
			}
			if first == nil {
				first = runs
			}
			if got.err != nil || !reflect.DeepEqual(runs, first) {
				t.Errorf("seed %d, by %d workers: other files, %v", seed, 1+n, got.err)
				return
			}
			if got.DiskBytes > 0 && len(runs) > 3 {
				same.Add(1)
			}
		}
	})
	if same.Load() < taken(24)*3/4 {
		t.Errorf("%d searches wrote files", same.Load())
	}
}

// TestDamagedFilesAreAnError cuts, changes, swaps, removes and adds files, and demands an error, or what the search finds without.
func TestDamagedFilesAreAnError(t *testing.T) {
	var refused, whole atomic.Uint64
	keptSubjects(t, 24, func(seed uint64, k keptSearch, want searched) {
		good := t.TempDir()
		k.folder = good
		k.run()
		all := must.Get(filepath.Glob(filepath.Join(good, "*")))
		if len(all) == 0 {
			return // the initial state ends the search
		}
		random := rand.New(rand.NewPCG(seed, 0))
		for how, damage := range map[string]func(path string, content []byte){
			"torn": func(path string, b []byte) { must.Do(os.WriteFile(path, b[:random.IntN(len(b))], 0o600)) },
			"changed": func(path string, b []byte) {
				b[random.IntN(len(b))] ^= 1 << random.IntN(8)
				must.Do(os.WriteFile(path, b, 0o600))
			},
			"longer":  func(path string, b []byte) { must.Do(os.WriteFile(path, append(b, b...), 0o600)) },
			"missing": func(path string, _ []byte) { must.Do(os.Remove(path)) },
			"swapped": func(path string, _ []byte) {
				other := filepath.Join(filepath.Dir(path), filepath.Base(all[random.IntN(len(all))]))
				must.Do(os.WriteFile(path, must.Get(os.ReadFile(other)), 0o600))
			},
		} {
			k.folder = copyOf(t, good)
			path := filepath.Join(k.folder, filepath.Base(all[random.IntN(len(all))]))
			damage(path, must.Get(os.ReadFile(path)))
			if random.IntN(2) == 0 {
				k.options.Left = fullAfter(0)
			}
			got := k.run()
			var usage *model.UsageError
			switch problem := ""; {
			case errors.As(got.err, &usage):
				if !strings.Contains(got.err.Error(), "the search cannot go on: ") {
					t.Errorf("seed %d, %s: %v", seed, how, got.err)
				}
				refused.Add(1)
			default:
				if problem = difference(got, want, k); problem != "" {
					t.Errorf("seed %d, %s is %s: %s", seed, filepath.Base(path), how, problem)
				}
				whole.Add(1)
			}
		}
	})
	if refused.Load() < 2*taken(24) || whole.Load() > refused.Load()/4 {
		t.Errorf("%d searches were refused, %d were not", refused.Load(), whole.Load())
	}
}

// TestAFullDiskIsTheReason has searches go to a disk that is full, and go on once there is room.
func TestAFullDiskIsTheReason(t *testing.T) {
	dbss.Crowded(t)
	for _, p := range untroubledOfBoth(t, 3, 200, 2000) {
		k := keptSearch{program: p, options: dbss.Options{Order: dbss.BreadthFirst, KeepGoing: true}}
		want := k.run()
		for _, workers := range []int{1, 2} {
			k.folder, k.options.Workers, k.options.Left = t.TempDir(), workers, nil
			k.run()
			clip(k.folder, 3)
			k.full, k.options.Left = true, fullAfter(0)
			got := k.run()
			if got.err != nil || got.Complete || !strings.Contains(got.Reason, "cannot be kept on disk: write /dev/full: no space left on device") {
				t.Fatalf("complete %v, reason %q, error %v", got.Complete, got.Reason, got.err)
			}
			k.full = false
			if problem := difference(k.run(), want, k); problem != "" {
				t.Error(problem)
			}
		}
	}
}

// TestAFolderThatIsGoneEndsNothing removes the folder of searches, which come to their ends without, but for runs to violations.
func TestAFolderThatIsGoneEndsNothing(t *testing.T) {
	keptSubjects(t, 24, func(seed uint64, k keptSearch, want searched) {
		k.folder = filepath.Join(t.TempDir(), "levels")
		after := int(seed % 5)
		k.flush = func() {
			if after--; after < 0 {
				must.Do(os.RemoveAll(k.folder))
			}
		}
		got := k.run()
		var usage *model.UsageError
		if problem := difference(got, want, k); problem != "" && !(want.Violation != nil && errors.As(got.err, &usage)) { // its run is gone
			t.Errorf("seed %d: %s", seed, problem)
		}
		if after < 0 && k.failed == nil {
			t.Errorf("seed %d: nobody was told", seed)
		}
	})
}
