package serializer

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// A member is one element of a set or one entry of a map. Where its parts are written is
// given by offsets, as what they lie in grows meanwhile.
type member struct {
	index int      // where it stands in the tree
	key   interval // the key bytes of the element or of the entry's key, in out
	pair  interval // those of the entry as a whole, in out, if they were needed
	run   interval // what the key numbers, in runs
	free  bool     // whether the key bytes are free of refs
}

type interval struct{ from, to int }

func (s interval) of(b []byte) []byte { return b[s.from:s.to] }

// unordered writes how many elements or entries v has, and these in the order of their key
// bytes, as docs/reference.md defines it under "Order of unordered collections". Key bytes are
// made behind what is written so far, and give way to the sorted members.
func (c *canonical) unordered(v *Value, level int) {
	n := len(v.Elements) + len(v.Entries) // it has one of them only
	if n < 2 || c.asIs {
		c.inOrder(v, level)
		return
	}
	c.out = binary.AppendUvarint(c.out, uint64(n))
	start, first, firstRun := len(c.out), len(c.members), len(c.runs)
	for i := range n {
		it := c.keyed(v, i, level)
		c.members = append(c.members, it)
	}
	c.sort(v, first, level)
	sorted := len(c.out)
	for i := first; i < first+n; i++ {
		c.member(v, c.members[i], level)
	}
	c.out = append(c.out[:start], c.out[sorted:]...)
	c.members, c.runs = c.members[:first], c.runs[:firstRun]
}

// keyed makes the key bytes of the element or of the key at i.
func (c *canonical) keyed(v *Value, i, level int) member {
	refs := c.refs
	key, run := c.measured(func() { c.value(v.keyAt(i), level) })
	return member{index: i, key: key, run: run, free: c.refs == refs}
}

// measured says where the key bytes are that write makes, and what they number: numbering starts anew in them. It counts them.
func (c *canonical) measured(write func()) (key, run interval) {
	outer := c.base
	c.base = len(c.order)
	key.from = len(c.out)
	write()
	key.to = len(c.out)
	run.from = len(c.runs)
	c.runs = append(c.runs, c.order[c.base:]...)
	run.to = len(c.runs)
	for _, old := range c.order[c.base:] {
		c.given[old] = 0
	}
	c.order, c.base = c.order[:c.base], outer
	if c.spent += key.to - key.from; c.spent > c.limit {
		c.fail("too many objects are shared by the elements of nested sets")
	}
	return key, run
}

// sort puts the members from first on in order. Entries whose keys have the same key bytes, as
// they can have once fields are left out, are sorted by the entry as a whole.
func (c *canonical) sort(v *Value, first, level int) {
	if c.err != nil {
		return
	}
	byKey := func(a, b member) int { return bytes.Compare(a.key.of(c.out), b.key.of(c.out)) }
	slices.SortStableFunc(c.members[first:], byKey)
	if len(v.Entries) == 0 {
		return
	}
	for from, n := first, len(c.members); from < n; {
		to := from + 1
		for to < n && byKey(c.members[from], c.members[to]) == 0 {
			to++
		}
		if to > from+1 {
			c.sortPairs(v, from, to, level)
		}
		from = to
	}
}

// sortPairs sorts some of the members by the key bytes of key and value, taken as one.
func (c *canonical) sortPairs(v *Value, from, to, level int) {
	for i := from; i < to; i++ {
		entry := &v.Entries[c.members[i].index]
		pair, _ := c.measured(func() {
			c.value(&entry.Key, level)
			c.value(&entry.Value, level)
		})
		c.members[i].pair = pair // c.members may have moved in between
	}
	if c.err != nil {
		return
	}
	slices.SortStableFunc(c.members[from:to], func(a, b member) int {
		return bytes.Compare(a.pair.of(c.out), b.pair.of(c.out))
	})
}

// member writes one element or entry in its place.
func (c *canonical) member(v *Value, it member, level int) {
	if c.err != nil {
		return
	}
	run := it.run
	// Without refs key bytes say nothing about numbers. So they hold wherever they stand,
	// as long as nothing that they number was met before, in a sibling. Only this keeps
	// sets of sets from being written twice as often with each level.
	if it.free && !slices.ContainsFunc(c.runs[run.from:run.to], c.met) {
		c.out = append(c.out, it.key.of(c.out)...)
		for _, old := range c.runs[run.from:run.to] {
			c.give(old)
		}
	} else {
		c.value(v.keyAt(it.index), level)
	}
	if len(v.Entries) > 0 {
		c.value(&v.Entries[it.index].Value, level)
	}
}

func (c *canonical) met(old int) bool { return c.given[old] > 0 }

// keyAt returns what decides the place of the element or entry at i.
func (v *Value) keyAt(i int) *Value {
	if len(v.Entries) > 0 {
		return &v.Entries[i].Key
	}
	return &v.Elements[i]
}
