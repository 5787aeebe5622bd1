package slab

import "sync/atomic"

// Pointers holds a pointer for some of the numbers that there are. The zero value has none. Several goroutines may use it at
// once; looking up takes no lock.
type Pointers[T any] struct {
	branches [1 << (32 - 2*leafBits)]atomic.Pointer[branch[T]]
}

const leafBits = 11

type (
	branch[T any] [1 << leafBits]atomic.Pointer[leaf[T]]
	leaf[T any]   [1 << leafBits]atomic.Pointer[T]
)

// Get is the pointer for a number, nil if there is none.
func (p *Pointers[T]) Get(number uint32) *T {
	if b := p.branches[number>>(2*leafBits)].Load(); b != nil {
		if l := b[number>>leafBits%(1<<leafBits)].Load(); l != nil {
			return l[number%(1<<leafBits)].Load()
		}
	}
	return nil
}

// GetOrPut is the pointer for a number, the given one if there was none.
func (p *Pointers[T]) GetOrPut(number uint32, item *T) *T {
	b := orNew(&p.branches[number>>(2*leafBits)])
	l := orNew(&b[number>>leafBits%(1<<leafBits)])
	l[number%(1<<leafBits)].CompareAndSwap(nil, item)
	return l[number%(1<<leafBits)].Load()
}

func orNew[T any](p *atomic.Pointer[T]) *T {
	if p.Load() == nil {
		p.CompareAndSwap(nil, new(T))
	}
	return p.Load()
}

// All goes through all pointers, in the order of their numbers.
func (p *Pointers[T]) All(yield func(*T) bool) {
	for i := range p.branches {
		b := p.branches[i].Load()
		for k := 0; b != nil && k < len(b); k++ {
			l := b[k].Load()
			for n := 0; l != nil && n < len(l); n++ {
				if item := l[n].Load(); item != nil && !yield(item) {
					return
				}
			}
		}
	}
}
