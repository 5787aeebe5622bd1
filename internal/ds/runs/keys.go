package runs

import (
	"cmp"
	"errors"
	"slices"
)

// Keys is a set of keys in sorted runs. Each run is at least twice as large as all after it together, so the number of runs is logarithmic.
// A key is in one run only. One goroutine may use Keys at a time.
type Keys struct {
	open Open
	runs []*run
}

// A run is a sorted list of keys. The first key of each block is in memory.
type run struct {
	list   *List[uint64]
	firsts []uint64
}

var blockKeys = perBuffer[uint64]()

// NewKeys makes an empty set.
func NewKeys(open Open) *Keys { return &Keys{open: open} }

// Len is the number of keys.
func (k *Keys) Len() (n int) {
	for _, r := range k.runs {
		n += r.list.Len()
	}
	return n
}

// Bytes is the memory of the set, which is small.
func (k *Keys) Bytes() (n uint64) {
	for _, r := range k.runs {
		n += uint64(cap(r.firsts))*8 + bufferBytes
	}
	return n
}

// Close closes the files.
func (k *Keys) Close() (err error) {
	for _, r := range k.runs {
		err = errors.Join(err, r.list.Close())
	}
	return err
}

func (k *Keys) newRun() (*run, error) {
	list, err := NewList[uint64](k.open)
	if err != nil {
		return nil, err
	}
	r := &run{list: list}
	k.runs = append(k.runs, r)
	return r, nil
}

func (r *run) append(key uint64) error {
	if r.list.Len()%blockKeys == 0 {
		r.firsts = append(r.firsts, key)
	}
	return r.list.Append(key)
}

// A Pass looks up ascending keys, and adds those that are new.
type Pass struct {
	keys    *Keys
	cursors []*cursor
	fresh   *run
	last    uint64 // the key that was added last
}

// Pass begins to add keys. Settle ends the pass; until then the set must not be used otherwise.
func (k *Keys) Pass() (*Pass, error) {
	p := &Pass{keys: k}
	for _, r := range k.runs {
		p.cursors = append(p.cursors, &cursor{run: r, room: make([]uint64, blockKeys)})
	}
	var err error
	p.fresh, err = k.newRun()
	return p, err
}

// Add adds a key that is not less than those added before, and reports whether it is new.
func (p *Pass) Add(key uint64) (fresh bool, err error) {
	if p.fresh.list.Len() > 0 && key == p.last {
		return false, nil
	}
	for _, c := range p.cursors {
		if has, err := c.has(key); has || err != nil {
			return false, err
		}
	}
	p.last = key
	return true, p.fresh.append(key)
}

// Put adds sorted keys, none of which is in the set, as a run of their own. The caller calls Settle after the last Put.
func (k *Keys) Put(sorted []uint64) error {
	r, err := k.newRun()
	for i := 0; i < len(sorted) && err == nil; i++ {
		err = r.append(sorted[i])
	}
	return err
}

// Settle merges runs so that each is at least twice as large as all after it together. It calls between now and then, and ends with its
// error if there is one.
func (k *Keys) Settle(between func() error) error {
	first, after := len(k.runs), 0
	for i := len(k.runs) - 1; i >= 0; i-- {
		n := k.runs[i].list.Len()
		if n < 2*after || n == 0 {
			first = i
		}
		after += n
	}
	if first == len(k.runs) {
		return nil
	}
	return k.merge(first, between)
}

// merge makes one run of the run number first and all after it.
func (k *Keys) merge(first int, between func() error) error {
	old := slices.Clone(k.runs[first:])
	sources := make([]*source[uint64], len(old))
	for i, r := range old {
		sources[i] = partOf(r.list, 0, r.list.Len())
	}
	m, err := newMerger(cmp.Compare[uint64], sources)
	if err != nil {
		return err
	}
	all, err := k.newRun()
	if err != nil {
		return err
	}
	for {
		key, ok, err := m.Next()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if all.list.Len()%blockKeys == 0 {
			if err := between(); err != nil {
				return err
			}
		}
		if err := all.append(key); err != nil {
			return err
		}
	}
	k.runs = append(k.runs[:first], all)
	if all.list.Len() == 0 {
		k.runs, old = k.runs[:first], append(old, all)
	}
	for _, r := range old {
		err = errors.Join(err, r.list.Close())
	}
	return err
}

// A cursor looks up ascending keys in a run.
type cursor struct {
	run   *run
	block []uint64 // the rest of a block of the run, from the last key that was looked up on
	next  int      // the number of the block after it
	room  []uint64
}

// has reports whether a key is in the run. Blocks that cannot have it are not read.
func (c *cursor) has(key uint64) (bool, error) {
	for {
		i := 0
		for i < len(c.block) && c.block[i] < key {
			i++
		}
		if c.block = c.block[i:]; len(c.block) > 0 {
			return c.block[0] == key, nil
		}
		later, found := slices.BinarySearch(c.run.firsts[c.next:], key)
		if found {
			later++
		}
		if later == 0 {
			return false, nil // between the blocks
		}
		from := (c.next + later - 1) * blockKeys
		c.block, c.next = c.room[:min(blockKeys, c.run.list.Len()-from)], c.next+later
		if err := c.run.list.Read(c.block, from); err != nil {
			return false, err
		}
	}
}
