// Package sequences interns sequences of numbers. Equal sequences get equal ids, and sequences that differ in few places share all
// but a logarithmic part of their memory, wherever these places are.
package sequences

import (
	"encoding/binary"
	"iter"

	"harrier/internal/ds/slab"
)

// A Table gives equal sequences equal ids; 0 is the empty one. Interning is for one goroutine at a time; who was given an id may
// read its sequence at any time.
//
// A sequence is a tree whose shape depends on the sequence alone and, at each place, on what is near: equal items that follow one
// another are one run; the runs are cut into blocks where an item has a lower hash than both of its neighbours; the blocks are
// interned and are the items of the level above, up to the level that has one block. So a change of some places changes a bounded
// number of blocks on each level. (Locally consistent parsing: Mehlhorn, Sundar and Uhrig, Maintaining dynamic sequences under
// equality tests in polylogarithmic time, Algorithmica 1997, sections 3 and 4, with hashes in the place of deterministic coins.)
type Table struct {
	blocks *slab.Table[block]
}

// A block is runs that follow one another on a level, whose items are those of the level below.
type block struct {
	key   string // the level, and the runs
	size  int    // how many numbers it stands for
	level int    // 1 if its items are numbers
}

// A run is equal items that follow one another.
type run struct{ item, count uint32 }

const runBytes = 8

// New makes an empty table.
func New() *Table { return &Table{slab.NewTable[block]()} }

// Intern returns the id of a sequence.
func (t *Table) Intern(numbers []uint32) uint32 { return t.root(runsOf(numbers), 0) }

// Len returns how many numbers a sequence has.
func (t *Table) Len(id uint32) int { return t.blocks.At(id).size }

// Blocks returns how many blocks are interned, for all sequences together.
func (t *Table) Blocks() int { return t.blocks.Len() }

// All returns the numbers of a sequence.
func (t *Table) All(id uint32) []uint32 {
	if id == 0 {
		return nil
	}
	return t.appendAll(make([]uint32, 0, t.Len(id)), id)
}

func (t *Table) appendAll(all []uint32, id uint32) []uint32 {
	b := t.blocks.At(id)
	for i := range b.runs() {
		r := b.run(i)
		for range r.count {
			if b.level == 1 {
				all = append(all, r.item)
			} else {
				all = t.appendAll(all, r.item)
			}
		}
	}
	return all
}

// Run is equal numbers that follow one another in a sequence.
type Run struct {
	Place  int // of the first
	Number uint32
	Count  int
}

// Runs yields the longest runs of a sequence, in their order. It takes time in proportion to their number.
func (t *Table) Runs(id uint32) iter.Seq[Run] {
	return func(yield func(Run) bool) {
		if id != 0 {
			t.eachRun(id, 0, yield)
		}
	}
}

// eachRun yields the runs of a block that begins at a place. It reports whether yield wants more.
func (t *Table) eachRun(id uint32, place int, yield func(Run) bool) bool {
	b := t.blocks.At(id)
	for i := range b.runs() {
		r := b.run(i)
		if b.level == 1 { // all equal numbers that follow one another are in one block
			if !yield(Run{place, r.item, int(r.count)}) {
				return false
			}
			place += int(r.count)
			continue
		}
		for range r.count {
			if !t.eachRun(r.item, place, yield) {
				return false
			}
			place += t.size(r.item, b.level-1)
		}
	}
	return true
}

// At returns the number at a place of a sequence.
func (t *Table) At(id uint32, place int) uint32 {
	b := t.blocks.At(id)
	for i := range b.runs() {
		r := b.run(i)
		size := t.size(r.item, b.level-1)
		switch all := size * int(r.count); {
		case place >= all:
			place -= all
		case b.level == 1:
			return r.item
		default:
			return t.At(r.item, place%size)
		}
	}
	panic("sequences: a place behind the end")
}

// Splice returns the sequence with other numbers for those that are removed from a place on.
func (t *Table) Splice(id uint32, place, removed int, numbers ...uint32) uint32 {
	if id == 0 {
		return t.Intern(numbers)
	}
	level := t.blocks.At(id).level - 1
	return t.root(t.splice(t.blocks.At(id).all(), level, place, removed, runsOf(numbers)), level)
}

// margin is how many blocks beside those of a change are parsed again. The change of a level is within 4 runs of the numbers that
// change or touch those: 4 runs are in 3 blocks at most beside, of which each end may move the end of one block more, and an equal
// neighbour makes one run with what has changed. The outermost block of what is parsed again stays as it is.
const margin = 4

// splice is Splice of the runs of a level that are cut out of a sequence: at its ends, or margin blocks from the change.
func (t *Table) splice(runs []run, level, place, removed int, by []run) []run {
	if level == 0 {
		return concat(cut(runs, 0, place), by, cut(runs, place+removed, count(runs)))
	}
	first := max(t.itemAt(runs, level, max(place-1, 0))-margin, 0)
	end := min(t.itemAt(runs, level, place+removed)+1+margin, count(runs))
	before := cut(runs, 0, first)
	var below []run
	for _, r := range cut(runs, first, end) {
		for range r.count {
			below = append(below, t.blocks.At(r.item).all()...)
		}
	}
	for _, r := range before {
		place -= t.size(r.item, level) * int(r.count)
	}
	return concat(before, t.parse(t.splice(below, level-1, place, removed, by), level), cut(runs, end, count(runs)))
}

// itemAt returns the place among the items of runs of the one that holds the number at a place, the last one behind the end.
func (t *Table) itemAt(runs []run, level, place int) int {
	items := 0
	for _, r := range runs {
		size := t.size(r.item, level)
		if all := size * int(r.count); place >= all {
			place -= all
			items += int(r.count)
			continue
		}
		return items + place/size
	}
	return items - 1
}

// root interns the runs of a level that are a whole sequence.
func (t *Table) root(runs []run, level int) uint32 {
	if len(runs) == 0 {
		return 0
	}
	for level == 0 || len(runs) > 1 || runs[0].count > 1 {
		level++
		runs = t.parse(runs, level)
	}
	id := runs[0].item
	for b := t.blocks.At(id); b.level > 1 && b.runs() == 1 && b.run(0).count == 1; b = t.blocks.At(id) {
		id = b.run(0).item
	}
	return id
}

// parse cuts runs into blocks of a level.
func (t *Table) parse(runs []run, level int) []run {
	var blocks []run
	for start := 0; start < len(runs); {
		end := start + 1
		for end < len(runs) && !isMinimum(runs, end) {
			end++
		}
		blocks = appendRun(blocks, run{t.intern(runs[start:end], level), 1})
		start = end
	}
	return blocks
}

// isMinimum reports whether the item of a run has a lower hash than both of its neighbours. So no two such runs are next to each other.
func isMinimum(runs []run, i int) bool {
	return i > 0 && i+1 < len(runs) && hash(runs[i].item) < min(hash(runs[i-1].item), hash(runs[i+1].item))
}

// hash is a bijection (the finalizer of MurmurHash3), so that different items have different hashes.
func hash(item uint32) uint32 {
	item = (item ^ item>>16) * 0x85ebca6b
	item = (item ^ item>>13) * 0xc2b2ae35
	return item ^ item>>16
}

func (t *Table) intern(runs []run, level int) uint32 {
	key := make([]byte, 0, 1+runBytes*len(runs))
	key = append(key, byte(level))
	size := 0
	for _, r := range runs {
		key = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(key, r.item), r.count)
		size += t.size(r.item, level-1) * int(r.count)
	}
	text := slab.Text(key)
	return t.blocks.Intern(text, func() block { return block{text, size, level} })
}

// size is how many numbers an item of a level stands for.
func (t *Table) size(item uint32, level int) int {
	if level == 0 {
		return 1
	}
	return t.blocks.At(item).size
}

// runs is how many runs the block has.
func (b *block) runs() int { return len(b.key) / runBytes }

func (b *block) run(i int) run {
	at := b.key[1+runBytes*i:]
	return run{number(at), number(at[4:])}
}

func number(s string) uint32 {
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

func (b *block) all() []run {
	all := make([]run, b.runs())
	for i := range all {
		all[i] = b.run(i)
	}
	return all
}

func runsOf(numbers []uint32) (runs []run) {
	for _, n := range numbers {
		runs = appendRun(runs, run{n, 1})
	}
	return runs
}

func appendRun(runs []run, r run) []run {
	if last := len(runs) - 1; last >= 0 && runs[last].item == r.item {
		runs[last].count += r.count
		return runs
	}
	return append(runs, r)
}

func concat(parts ...[]run) (all []run) {
	for _, p := range parts {
		for _, r := range p {
			all = appendRun(all, r)
		}
	}
	return all
}

// cut returns the items of runs from a place up to an end.
func cut(runs []run, from, end int) (part []run) {
	for _, r := range runs {
		n := int(r.count)
		if taken := min(end, n) - max(from, 0); taken > 0 {
			part = append(part, run{r.item, uint32(taken)})
		}
		from, end = from-n, end-n
	}
	return part
}

// count is how many items are in runs.
func count(runs []run) int {
	n := 0
	for _, r := range runs {
		n += int(r.count)
	}
	return n
}
