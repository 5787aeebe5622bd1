// Package wordset holds a set of 64-bit words that is made for hundreds of millions of them: at most
// ten to twelve bytes a word, nearly all of it outside Go's heap, and no long stop when it grows.
//
// The set is divided into segments by the upper bits of a word's hash. A segment is an open-addressed
// table in address space that is reserved for it, so it grows in place, by a fifth at a time and
// by itself, while others grow as well. Where a word belongs in a segment follows from the next bits of its hash,
// scaled to the segment's size.
//
// Many goroutines may use a Set at once. Looking a word up takes no lock: slots hold whole words, and
// words are never removed, so a word that is seen is in the set, even in a segment that is growing just
// then. If a word is not seen, its segment is locked and searched again before it is added.
package wordset

import (
	"fmt"
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Set is a set of words. All words but Invalid may be in it.
type Set struct {
	alone    bool // only one goroutine uses the set, so that no lock and no barrier is needed
	segments []segment
	bits     int // of a hash that say in which segment a word is
	reserved []byte

	lending sync.Mutex    // guards scratch
	scratch [][]uint64    // room for the words of segments that grow, of which several may at once
	room    atomic.Uint64 // of what was ever in scratch, in words
}

// Invalid is the one word that cannot be in a set.
const Invalid = ^uint64(0)

type segment struct {
	slots *uint64       // complements of words, so that 0 is free
	size  atomic.Uint64 // number of slots
	_     [cacheLine - 16]byte
	// What adding changes is in a cache line of its own, as looking up reads what is above all the time.
	mu    sync.Mutex
	count uint64 // of words; guarded by mu
	_     [cacheLine - 16]byte
}

const cacheLine = 64

const (
	wordBytes = 8
	firstSize = 64      // slots
	allSpace  = 1 << 40 // bytes of address space reserved for all segments
)

// New reserves address space for a set that so many goroutines add to. Close gives it back.
func New(goroutines int) (*Set, error) {
	// Address space that nothing may touch takes no memory. It counts against a limit of address space
	// (ulimit -v), if there is one.
	space, err := unix.Mmap(-1, 0, allSpace, unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, fmt.Errorf("reserving a terabyte of address space for the visited set (ulimit -v must be unlimited): %w", err)
	}
	// Sixteen segments for each goroutine: if all of them grow one at once, that takes a sixteenth more memory. More segments would be
	// too small for large pages for longer.
	bits := 4 + bits.Len(uint(goroutines-1))
	s := &Set{alone: goroutines == 1, segments: make([]segment, 1<<bits), bits: bits, reserved: space}
	for i := range s.segments {
		s.segments[i].slots = (*uint64)(unsafe.Pointer(&space[i*(allSpace>>bits)]))
	}
	return s, nil
}

// Close gives the memory back. The set must not be used any more.
func (s *Set) Close() error { return unix.Munmap(s.reserved) }

// Add puts a word in the set and reports whether it is new. The error is that of a system without memory.
func (s *Set) Add(word uint64) (fresh bool, err error) {
	g, h := s.segment(word)
	at, found := g.find(h, ^word, g.size.Load())
	if found {
		return false, nil
	}
	if !s.alone {
		g.mu.Lock()
		defer g.mu.Unlock()
	}
	size := g.size.Load()
	grows := 6*(g.count+1) > 5*size
	if grows {
		if err := s.grow(g, size); err != nil {
			return false, err
		}
	}
	if grows || !s.alone {
		at, found = g.find(h, ^word, g.size.Load())
	}
	if !found {
		s.put(g.slot(at), ^word)
		g.count++
	}
	return !found, nil
}

// put stores a complement, or 0, in a slot.
func (s *Set) put(slot *uint64, complement uint64) {
	if s.alone {
		*slot = complement
	} else {
		atomic.StoreUint64(slot, complement)
	}
}

// segment is where a word belongs, with the rest of its hash.
func (s *Set) segment(word uint64) (g *segment, rest uint64) {
	h := hash(word)
	return &s.segments[h>>(64-s.bits)], h << s.bits
}

// Prefetch begins to load the memory that Add of this word will look at.
func (s *Set) Prefetch(word uint64) {
	g, h := s.segment(word)
	if size := g.size.Load(); size != 0 {
		prefetch(g.slot(home(h, size)))
	}
}

// PrefetchAt begins to load the memory at p.
func PrefetchAt(p *uint64) { prefetch(p) }

// Bytes is the memory that the set takes.
func (s *Set) Bytes() uint64 {
	slots := s.room.Load()
	for i := range s.segments {
		slots += s.segments[i].size.Load()
	}
	return slots * wordBytes
}

// find returns the slot that holds a complement, or the free slot where it belongs.
func (g *segment) find(h, complement, size uint64) (at uint64, found bool) {
	if size == 0 {
		return 0, false
	}
	// Where a segment has grown many times since its size was read, there may be nothing free up to that size.
	at = home(h, size)
	for range size {
		switch atomic.LoadUint64(g.slot(at)) {
		case complement:
			return at, true
		case 0:
			return at, false
		}
		if at++; at == size {
			at = 0
		}
	}
	return 0, false
}

func (g *segment) slot(at uint64) *uint64 {
	return (*uint64)(unsafe.Add(unsafe.Pointer(g.slots), at*wordBytes))
}

// grow makes a segment larger by a fifth. Its words are taken out and put in again, one after another in
// the order of their hashes, so nearly all of it is done in memory that is at hand.
func (s *Set) grow(g *segment, size uint64) error {
	larger := max(firstSize, size+size/5)
	if larger > allSpace/wordBytes>>s.bits {
		return fmt.Errorf("a segment of the visited set is full with %d words", g.count)
	}
	page := uint64(unix.Getpagesize())
	memory := unsafe.Slice((*byte)(unsafe.Pointer(g.slots)), (larger*wordBytes+page-1)/page*page)
	if err := unix.Mprotect(memory, unix.PROT_READ|unix.PROT_WRITE); err != nil {
		return fmt.Errorf("getting memory for the visited set: %w", err)
	}
	slots := unsafe.Slice(g.slots, larger)
	words := s.borrow(slots[:size])
	defer s.giveBack(words)
	useHugePages(memory) // which clears what it covers
	if s.alone {
		clear(slots[:size])
	} else {
		for i := range size {
			atomic.StoreUint64(&slots[i], 0)
		}
	}
	g.size.Store(larger)
	for _, complement := range words {
		if complement != 0 {
			_, h := s.segment(^complement)
			at, _ := g.find(h, complement, larger)
			s.put(g.slot(at), complement)
		}
	}
	return nil
}

// borrow copies words to room that others have given back, if there is some.
func (s *Set) borrow(words []uint64) []uint64 {
	s.lending.Lock()
	var room []uint64
	if last := len(s.scratch) - 1; last >= 0 {
		room, s.scratch = s.scratch[last], s.scratch[:last]
	}
	s.lending.Unlock()
	before := cap(room)
	room = append(room[:0], words...)
	s.room.Add(uint64(cap(room) - before))
	return room
}

func (s *Set) giveBack(room []uint64) {
	s.lending.Lock()
	defer s.lending.Unlock()
	s.scratch = append(s.scratch, room)
}

// home is the first slot where a word may be, h being the rest of its hash.
func home(h, size uint64) uint64 {
	high, _ := bits.Mul64(h, size)
	return high
}

// Mix is the finalizer of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators).
func Mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// hash spreads words that count up over all bits.
func hash(word uint64) uint64 {
	h := word * 0x9e3779b97f4a7c15
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>32
}
