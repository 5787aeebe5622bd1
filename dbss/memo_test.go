package dbss

import (
	"reflect"
	"testing"

	"harrier/internal/ds/vectors"
	"harrier/internal/model"
)

// TestMemosKeepWhatIsLookedUp has memos follow each other, each full at once, and looks up one of two halves in between.
func TestMemosKeepWhatIsLookedUp(t *testing.T) {
	c := &composer{tree: &vectors.Tree{}, memo: newMemo(nil), split: 2}
	id := func(half ...uint32) uint32 {
		id, err := c.id(half)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	often, once := id(1, 2), id(3, 4)
	actions := []action{{model.Transition{Slot: 1, Step: 2}, 7, 9, 3, 1}, {model.Transition{Slot: 2}, unsettled, 8, 0, 0}}
	h := c.half(lower, often)
	c.memo.expand(h, actions, 1)
	c.memo.move(h, 9, 5)
	bytes := c.memo.bytes()
	c.half(lower, once)
	for range 3 {
		before := h
		c.economize(0)
		if h = c.half(lower, often); h == before {
			t.Fatal("a half lies in the memory of the memo before")
		}
		if c.memo.before.Load().before.Load() != nil {
			t.Fatal("a memo keeps more than the one before")
		}
		to, known := h.moves.get(9)
		if !h.expanded.Load() || h.certain != 1 || !reflect.DeepEqual(h.actions, actions) || !known || to != 5 || h.hash != before.hash {
			t.Fatalf("of a half that was looked up, another is left: %+v, of its moves %d, %v", h, to, known)
		}
		if used := uint64(c.memo.used.Load()); used != bytes {
			t.Fatalf("a copy takes %d bytes in place of %d", used, bytes)
		}
	}
	if h := c.memo.before.Load().halves[lower].Get(once); h != nil {
		t.Error("a half that was not looked up was taken over")
	}
	c.economize(0)
	c.economize(^uint64(0)) // is not full
	if c.memo.before.Load() == nil || c.memo.bytes() != bytes {
		t.Error("a memo that is not full was followed, or the one before is forgotten")
	}
	c.half(lower, once)
	c.economize(0)
	if c.half(lower, often).expanded.Load() {
		t.Error("a half that two memos in a row did not look up stays")
	}
}
