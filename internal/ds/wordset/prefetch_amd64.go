package wordset

// prefetch begins to load the cache line of p. It does not wait for it.
//
//go:noescape
func prefetch(p *uint64)
