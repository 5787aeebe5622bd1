package model

import "context"

// Portable is implemented by systems that write the parts of their states in terms that every process that checks the program can read.
// A part is an id at a position; ids are those of one process.
type Portable interface {
	// Write returns a part in portable terms. The id is not 0.
	Write(position, id uint32) ([]byte, error)
	// Read returns the position and the id, in this process, of a part that another process wrote.
	Read(b []byte) (position, id uint32, err error)
	// Hash returns a hash of a part, which is the same in all processes. Parts that a search does not tell apart, as they differ only
	// in auxiliary state, have the same hash.
	Hash(position, id uint32) (uint64, error)
}

// Shared is implemented by systems that several processes search together. Each of these processes works out the local steps of the
// states that it meets. One process computes what depends on all local steps, and learns the others' news.
type Shared interface {
	System
	Portable
	// News returns the nodes or component states whose steps the search in this process worked out since the last call; nil for none.
	News() ([]byte, error)
	// Learn takes over the news of another process, and works out the local steps of the states in it.
	Learn(ctx context.Context, news []byte) error
	// Variant describes in what the system differs from a new one after searches that had to begin anew.
	Variant() []byte
	// Adopt makes a new system one of a variant.
	Adopt(variant []byte) error
}
