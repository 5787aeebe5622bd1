// Package slab holds lists that only grow and whose items never move, so that items can be read while
// others are added.
package slab

import (
	"math/bits"
	"sync/atomic"
	"unsafe"
)

// List is a list of items at places counted from 0. The zero value is empty. One goroutine may add at a
// time. An item may be read by whoever learnt its place after it was added.
type List[T any] struct {
	chunks [maxChunks][]T // each twice as large as the one before
	used   atomic.Uint32  // places given, some of which may be left out
}

const (
	firstBits = 6
	maxChunks = 32 - firstBits
)

// Add puts an item at the end and returns its place.
func (l *List[T]) Add(item T) uint32 {
	place := l.used.Load()
	*l.reserve(place) = item
	l.used.Store(place + 1)
	return place
}

// AddAll puts items at places that follow one another, and returns the first of these. Places before
// it may be left out.
func (l *List[T]) AddAll(items []T) uint32 {
	first := l.used.Load()
	if n := uint32(len(items)); n > 0 {
		for chunkOf(first) != chunkOf(first+n-1) {
			first = chunkStart(chunkOf(first) + 1)
		}
	}
	for i, item := range items {
		*l.reserve(first + uint32(i)) = item
	}
	l.used.Store(first + uint32(len(items)))
	return first
}

// At is the item at a place.
func (l *List[T]) At(place uint32) *T {
	c := chunkOf(place)
	return &l.chunks[c][place-chunkStart(c)]
}

// Range is the items that AddAll put at first.
func (l *List[T]) Range(first, n uint32) []T {
	if n == 0 {
		return nil
	}
	c := chunkOf(first)
	start := first - chunkStart(c)
	return l.chunks[c][start : start+n]
}

// Len is the number of places given.
func (l *List[T]) Len() int { return int(l.used.Load()) }

// Bytes is the memory that the list takes.
func (l *List[T]) Bytes() uint64 {
	var item T
	used := l.used.Load()
	if used == 0 {
		return 0
	}
	return uint64(chunkStart(chunkOf(used-1)+1)) * uint64(unsafe.Sizeof(item))
}

// reserve is At for a place that is not given yet.
func (l *List[T]) reserve(place uint32) *T {
	if c := chunkOf(place); l.chunks[c] == nil {
		l.chunks[c] = make([]T, 1<<(firstBits+c))
	}
	return l.At(place)
}

// chunkOf is the number of the chunk that a place is in, chunkStart the first place of a chunk.
func chunkOf(place uint32) uint32 { return uint32(bits.Len32(place+1<<firstBits)) - firstBits - 1 }

func chunkStart(chunk uint32) uint32 { return 1<<(firstBits+chunk) - 1<<firstBits }
