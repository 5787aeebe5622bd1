package model

// table gives equal keys equal ids, from 1 up.
type table[T any] struct {
	ids   map[string]uint32
	items []T // items[0] is the zero value: id 0 means none
}

func newTable[T any]() table[T] {
	return table[T]{ids: map[string]uint32{}, items: make([]T, 1)}
}

// intern returns the id of key. If it is new, item is stored for it.
func (t *table[T]) intern(key string, item func() T) uint32 {
	if id, ok := t.ids[key]; ok {
		return id
	}
	id := uint32(len(t.items))
	t.ids[key] = id
	t.items = append(t.items, item())
	return id
}

func (t *table[T]) at(id uint32) *T { return &t.items[id] }

// count is the number of ids given.
func (t *table[T]) count() int { return len(t.items) - 1 }

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
