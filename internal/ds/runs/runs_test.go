package runs

import (
	"os"
	"testing"

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

type record struct {
	key uint64
	_   uint64
}

// TestListsAreRead reads parts of a list, which are in its file, after it, or both.
func TestListsAreRead(t *testing.T) {
	const count = 3*bufferBytes/16 + 5
	l := NewList[record](scratch(t))
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
		for part, n := l.From(3, count-1), 3; ; n++ {
			r, ok, err := part.Next()
			must.Do(err)
			if !ok {
				if n != count-1 {
					t.Errorf("the part ends before record %d", n)
				}
				break
			}
			if r.key != uint64(n) {
				t.Fatalf("record %d is %v", n, r)
			}
		}
		must.Do(l.Clear())
	}
	for range count {
		must.Do(l.Append(record{}))
	}
	must.Do(l.file.Truncate(16))
	if err := l.Read(make([]record, 3), 0); err == nil {
		t.Error("what is missing was read")
	}
}
