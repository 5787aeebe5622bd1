package slab

import (
	"sync"
	"sync/atomic"
)

// Pointers holds a pointer for some of the places of a List. The zero value has none. Several goroutines may use it at once;
// looking up takes no lock.
type Pointers[T any] struct {
	chunks [maxChunks]atomic.Pointer[[]atomic.Pointer[T]]
	mu     sync.Mutex // held while a chunk is made
}

// Get is the pointer for a place, nil if there is none.
func (p *Pointers[T]) Get(place uint32) *T {
	c := chunkOf(place)
	if chunk := p.chunks[c].Load(); chunk != nil {
		return (*chunk)[place-chunkStart(c)].Load()
	}
	return nil
}

// GetOrPut is the pointer for a place, the given one if there was none.
func (p *Pointers[T]) GetOrPut(place uint32, item *T) *T {
	c := chunkOf(place)
	if p.chunks[c].Load() == nil {
		p.mu.Lock()
		if p.chunks[c].Load() == nil {
			chunk := make([]atomic.Pointer[T], 1<<(firstBits+c))
			p.chunks[c].Store(&chunk)
		}
		p.mu.Unlock()
	}
	slot := &(*p.chunks[c].Load())[place-chunkStart(c)]
	if slot.CompareAndSwap(nil, item) {
		return item
	}
	return slot.Load()
}

// All goes through all pointers, in the order of their places.
func (p *Pointers[T]) All(yield func(*T) bool) {
	for c := range p.chunks {
		chunk := p.chunks[c].Load()
		if chunk == nil {
			continue
		}
		for i := range *chunk {
			if item := (*chunk)[i].Load(); item != nil && !yield(item) {
				return
			}
		}
	}
}
