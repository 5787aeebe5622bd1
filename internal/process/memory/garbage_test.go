package memory

import "testing"

func TestGarbageIsLimitedAsTheHeapGrows(t *testing.T) {
	for _, c := range []struct {
		percent, want int
		live          uint64
	}{
		{400, 400, 1 << 20},
		{400, 400, 64 << 20},
		{400, 200, 65 << 20},
		{400, 100, 256 << 20},
		{400, 50, 257 << 20},
		{400, 50, 64 << 30},
		{30, 30, 64 << 30},
	} {
		if got := garbagePercent(c.percent, c.live); got != c.want {
			t.Errorf("%d percent of %d MiB are limited to %d percent, not %d", c.percent, c.live>>20, got, c.want)
		}
	}
	LimitGarbage(100)()
}
