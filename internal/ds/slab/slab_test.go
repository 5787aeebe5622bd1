package slab

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestItemsStayWhereTheyWereAdded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l List[int]
		type added struct {
			first uint32
			items []int
		}
		var all []added
		pointers := map[uint32]*int{}
		for range rapid.IntRange(1, 60).Draw(t, "additions") {
			items := make([]int, rapid.IntRange(0, 150).Draw(t, "items"))
			for i := range items {
				items[i] = len(all)*1000 + i
			}
			a := added{items: items}
			if len(items) == 1 {
				a.first = l.Add(items[0])
			} else {
				a.first = l.AddAll(items)
			}
			if len(items) > 0 {
				pointers[a.first] = l.At(a.first)
			}
			all = append(all, a)
		}
		end := uint32(0)
		for _, a := range all {
			if a.first < end || !slices.Equal(l.Range(a.first, uint32(len(a.items))), a.items) {
				t.Fatalf("%v is at %d, where %v was added", l.Range(a.first, uint32(len(a.items))), a.first, a.items)
			}
			if len(a.items) > 0 && l.At(a.first) != pointers[a.first] {
				t.Fatal("an item moved")
			}
			end = a.first + uint32(len(a.items))
		}
		if l.Len() != int(end) {
			t.Fatalf("%d places, want %d", l.Len(), end)
		}
	})
}

func TestPointersKeepTheFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p Pointers[int]
		want := map[uint32]*int{}
		for _, place := range rapid.SliceOf(rapid.Uint32Range(0, 5000)).Draw(t, "places") {
			if got := p.Get(place); got != want[place] {
				t.Fatalf("place %d has %v, want %v", place, got, want[place])
			}
			item := new(int)
			if want[place] == nil {
				want[place] = item
			}
			if got := p.GetOrPut(place, item); got != want[place] {
				t.Fatalf("place %d has %v, want the first", place, got)
			}
		}
		n := 0
		for range p.All {
			n++
		}
		if n != len(want) {
			t.Fatalf("%d pointers, want %d", n, len(want))
		}
	})
}
