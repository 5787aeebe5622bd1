package plan

import (
	"strings"
	"testing"
)

func TestLimitSaysWhereItComesFrom(t *testing.T) {
	for _, c := range []struct {
		limit MemoryLimit
		want  string
	}{
		{MemoryLimit{Bytes: 4 << 30}, "the memory of 4 GiB is used up (--max-memory)"},
		{MemoryLimit{Bytes: 3 << 29, share: "this machine's memory"},
			"the memory of 1.5 GiB is used up: nine tenths of this machine's memory (--max-memory sets another limit)"},
	} {
		if got := c.limit.UsedUp(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestJavasHeapFitsUnderTheLimit(t *testing.T) {
	machine := "this machine's memory"
	for _, c := range []struct {
		limit MemoryLimit
		flag  string
		want  uint64 // 0 for an error that names the limit
	}{
		{MemoryLimit{}, "", 1 << 30},
		{MemoryLimit{}, "8g", 8 << 30},
		{MemoryLimit{Bytes: 4 << 30}, "", 1 << 30},
		{MemoryLimit{Bytes: 328 << 20}, "", 100 << 20},
		{MemoryLimit{Bytes: 144 << 20}, "", 16 << 20},
		{MemoryLimit{Bytes: 100 << 20, share: machine}, "", 16 << 20}, // no wrong use, whatever comes of it
		{MemoryLimit{Bytes: 384 << 20}, "256m", 256 << 20},
		{MemoryLimit{Bytes: 384<<20 - 1}, "256m", 0},
		{MemoryLimit{Bytes: 2 << 30, share: machine}, "2g", 0},
	} {
		got, err := c.limit.Heap(c.flag)
		if got != c.want || (err == nil) != (c.want > 0) {
			t.Errorf("%+v, %q: %d, %v; want %d", c.limit, c.flag, got, err, c.want)
		}
		if err != nil && !strings.Contains(err.Error(), c.limit.share) {
			t.Errorf("%q does not say %q", err, c.limit.share)
		}
	}
}

func TestMaxMemoryCanBeSwitchedOff(t *testing.T) {
	for _, flag := range []string{"none", "0"} {
		if limit, err := NewMemoryLimit(flag); err != nil || limit != (MemoryLimit{}) {
			t.Errorf("%s: %+v, %v", flag, limit, err)
		}
	}
	if limit, err := NewMemoryLimit("2g"); err != nil || limit != (MemoryLimit{Bytes: 2 << 30}) {
		t.Errorf("2g: %+v, %v", limit, err)
	}
}
