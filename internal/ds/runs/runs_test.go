package runs

import (
	"cmp"
	"errors"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"harrier/internal/testkit/must"
)

// scratch makes files in a folder of the test, which only their handles know.
func scratch(t *testing.T) Open {
	folder := t.TempDir()
	return func() (*os.File, error) {
		f := must.Get(os.CreateTemp(folder, ""))
		return f, os.Remove(f.Name())
	}
}

// smallBlocks has blocks of keys be small until the test is over.
func smallBlocks(t *testing.T) {
	before := blockKeys
	blockKeys = 4
	t.Cleanup(func() { blockKeys = before })
}

var errStopped = errors.New("stopped")

func never() error { return nil }

// keys are few, so that many are drawn again.
var someKeys = rapid.SliceOfN(rapid.Uint64Range(0, 300), 0, 60)

// TestKeysAreASet adds keys in passes, and holds each answer to a map.
func TestKeysAreASet(t *testing.T) {
	smallBlocks(t)
	open := scratch(t)
	rapid.Check(t, func(t *rapid.T) {
		k, want := NewKeys(open), map[uint64]bool{}
		defer k.Close()
		for _, first := range rapid.SliceOfN(rapid.Uint64Range(400, 500), 0, 20).Draw(t, "put") {
			if !want[first] {
				must.Do(k.Put([]uint64{first, first + 1000}))
				want[first], want[first+1000] = true, true
			}
		}
		must.Do(k.Settle(never))
		for _, pass := range rapid.SliceOfN(someKeys, 0, 12).Draw(t, "passes") {
			pass = append(pass, rapid.SliceOfN(rapid.SampledFrom([]uint64{400, 450, 500, 1400, 1450, 5000}), 0, 3).Draw(t, "high")...)
			slices.Sort(pass)
			p := must.Get(k.Pass())
			for _, key := range pass {
				if fresh := must.Get(p.Add(key)); fresh == want[key] {
					t.Fatalf("%d is new: %v", key, fresh)
				}
				want[key] = true
			}
			must.Do(k.Settle(never))
			after := 0
			for _, r := range slices.Backward(k.runs) {
				if n := r.list.Len(); n < 2*after || n == 0 {
					t.Fatalf("a run of %d keys, and %d after it", n, after)
				}
				after += r.list.Len()
			}
		}
		if k.Len() != len(want) {
			t.Fatalf("%d keys, want %d", k.Len(), len(want))
		}
	})
}

type record struct {
	key    uint64
	number uint32
}

func byKey(a, b record) int {
	return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.number, b.number))
}

// TestSortersSort merges sorters that have few records in memory.
func TestSortersSort(t *testing.T) {
	open := scratch(t)
	rapid.Check(t, func(t *rapid.T) {
		var sorters []*Sorter[record]
		for _, most := range rapid.SliceOfN(rapid.IntRange(0, 7), 1, 3).Draw(t, "most") {
			s := NewSorter(open, uint64(most)*16, byKey)
			defer s.Close()
			sorters = append(sorters, s)
		}
		for range 2 {
			var want []record
			for i, key := range someKeys.Draw(t, "keys") {
				r := record{key, uint32(i)}
				want = append(want, r)
				must.Do(sorters[i%len(sorters)].Add(r))
			}
			slices.SortFunc(want, byKey)
			m := must.Get(Merge(sorters...))
			for i := 0; ; i++ {
				got, ok, err := m.Next()
				if err != nil || ok != (i < len(want)) || ok && got != want[i] {
					t.Fatalf("record %d is %v, %v, %v, of %v", i, got, ok, err, want)
				}
				if !ok {
					break
				}
			}
			for _, s := range sorters {
				must.Do(s.Clear())
			}
		}
	})
}

// TestListsAreRead reads parts of a list, which are in its file, after it, or both.
func TestListsAreRead(t *testing.T) {
	const count = 3*bufferBytes/16 + 5
	l := must.Get(NewList[record](scratch(t)))
	defer l.Close()
	for range 2 {
		for i := range count {
			must.Do(l.Append(record{key: uint64(i)}))
		}
		for _, from := range []int{0, 1, count / 2, l.written - 1, l.written, count - 2} {
			into := make([]record, min(bufferBytes/16+9, count-from))
			must.Do(l.Read(into, from))
			for i, r := range into {
				if r.key != uint64(from+i) {
					t.Fatalf("record %d is %v", from+i, r)
				}
			}
		}
		must.Do(l.Clear())
	}
	must.Do(l.AppendAll(make([]record, 3)))
	must.Do(l.file.Truncate(16))
	if err := l.Read(make([]record, 3), 0); err == nil {
		t.Error("what is missing was read")
	}
}

// TestErrorsEndWhatIsDone has files be full, and passes be stopped.
func TestErrorsEndWhatIsDone(t *testing.T) {
	full := errors.New("full")
	defer func(before func(*os.File, []byte, int64) (int, error)) { writeAt = before }(writeAt)
	writeAt = func(*os.File, []byte, int64) (int, error) { return 0, full }
	s := NewSorter(scratch(t), 16, byKey)
	must.Do(s.Add(record{}))
	if err := s.Add(record{}); !errors.Is(err, full) {
		t.Error(err)
	}
	k := NewKeys(scratch(t))
	must.Do(k.Put([]uint64{1, 2}))
	must.Do(k.Put([]uint64{3}))
	must.Do(k.Put([]uint64{4}))
	if err := k.Settle(func() error { return errStopped }); !errors.Is(err, errStopped) {
		t.Error(err)
	}
	long := make([]uint64, 2*blockKeys)
	if err := k.Put(long); !errors.Is(err, full) {
		t.Error(err)
	}
}
