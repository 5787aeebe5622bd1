package macro

import (
	"context"
	"slices"
	"testing"

	"harrier/dbss"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
)

// TestInsidesArePartsOfEachOther compares which insides are part of which with their members, and these with a walk of their own.
func TestInsidesArePartsOfEachOther(t *testing.T) {
	parts, several := 0, 0
	for seed := range uint64(100) {
		p := toy.Messages.Random(seed)
		actors := must.Get(space.NewActors(p, space.Decomposition{}))
		d := New(actors, property.NewChecker(p, actors))
		if _, err := d.Search(context.Background(), dbss.Options{KeepGoing: true, MaxStates: 20}, &dbss.Progress{}); err != nil {
			continue // a program may break a rule
		}
		var all []*inside
		members := map[*inside][]uint32{}
		for in := range d.insides.All {
			if members[in] == nil {
				all = append(all, in)
				members[in] = slices.Sorted(in.members)
			}
		}
		if len(all) > 100 {
			continue // which takes long
		}
		for _, in := range all {
			if len(in.states) > 1 {
				several++
			}
			for _, other := range all {
				_, isMember := slices.BinarySearch(members[in], other.states[0])
				if got := in.has(other); got != (isMember && in.component == other.component) {
					t.Fatalf("seed %d: %d is part of %d: %v", seed, other.number, in.number, got)
				}
				kept := in.digest
				in.digest = digest{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)} // as where it has many parts
				if got := in.has(other); got != (isMember && in.component == other.component) {
					t.Fatalf("seed %d: with a full digest, %d is part of %d: %v", seed, other.number, in.number, got)
				}
				in.digest = kept
				if isMember && in != other {
					parts++
				}
			}
		}
	}
	if t.Logf("%d parts, %d of several states", parts, several); parts == 0 || several == 0 {
		t.Error("these programs prove too little")
	}
}
