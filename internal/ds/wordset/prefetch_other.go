//go:build !amd64

package wordset

import "sync/atomic"

// prefetch begins to load the cache line of p.
func prefetch(p *uint64) { atomic.LoadUint64(p) }
