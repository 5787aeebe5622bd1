package serializer

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDiff(t *testing.T) {
	for _, c := range readSamples(t, "testdata/diffs.txt") {
		t.Run(c.name, func(t *testing.T) {
			before, after := mustDecode(t, bytesOf(t, c.before)), mustDecode(t, bytesOf(t, c.after))
			got := []string{}
			for _, change := range Diff(before, after) {
				got = append(got, fmt.Sprintf("%s: %s -> %s", change.Path, change.Old, change.New))
			}
			if diff := cmp.Diff(c.more, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, v := range []Value{before, after} {
				if changes := Diff(v, v); len(changes) > 0 {
					t.Errorf("%s differs from itself: %v", Format(v), changes)
				}
			}
		})
	}
}

func TestChangeHasPathsIntoItsPart(t *testing.T) {
	for path, has := range map[string]bool{"log": true, "log.term": true, "log[2].term": true, "logged": false, "lo": false, "": false, "old.log": false} {
		if got := (Change{Path: "log"}).Has(path); got != has {
			t.Errorf("%q: %v", path, got)
		}
		if !(Change{}).Has(path) {
			t.Errorf("the whole has no %q", path)
		}
	}
}
