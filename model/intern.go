package model

import "harrier/internal/slab"

// table gives equal keys equal ids, from 1 up. Interning is for one goroutine at a time; who was given
// an id may read its item at any time.
type table[T any] struct {
	ids   map[string]uint32
	items slab.List[T] // the first is the zero value: id 0 means none
}

func newTable[T any]() *table[T] {
	t := &table[T]{ids: map[string]uint32{}}
	var none T
	t.items.Add(none)
	return t
}

// intern returns the id of key. If it is new, item is stored for it.
func (t *table[T]) intern(key string, item func() T) uint32 {
	if id, ok := t.ids[key]; ok {
		return id
	}
	id := t.items.Add(item())
	t.ids[key] = id
	return id
}

func (t *table[T]) at(id uint32) *T { return t.items.At(id) }

// count is the number of ids given.
func (t *table[T]) count() int { return t.items.Len() - 1 }

// key joins parts so that different parts make different keys.
func key(parts ...string) string {
	n := 0
	for _, p := range parts {
		n += len(p) + 4
	}
	b := make([]byte, 0, n)
	for _, p := range parts {
		b = appendID(b, uint32(len(p)))
		b = append(b, p...)
	}
	return string(b)
}

func idsKey(ids ...uint32) string {
	b := make([]byte, 0, 4*len(ids))
	for _, id := range ids {
		b = appendID(b, id)
	}
	return string(b)
}

func appendID(b []byte, id uint32) []byte {
	return append(b, byte(id), byte(id>>8), byte(id>>16), byte(id>>24))
}
