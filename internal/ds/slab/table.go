package slab

import (
	"encoding/binary"
	"unsafe"
)

// Table gives equal keys equal numbers, from 1 up; 0 means none, whose item is the zero value. Interning is for one goroutine
// at a time; who was given a number may read its item at any time.
type Table[T any] struct {
	numbers map[string]uint32
	items   List[T]
}

// NewTable makes an empty table.
func NewTable[T any]() *Table[T] {
	t := &Table[T]{numbers: map[string]uint32{}}
	var none T
	t.items.Add(none)
	return t
}

// Intern returns the number of key. If it is new, item is stored for it.
func (t *Table[T]) Intern(key string, item func() T) uint32 {
	if number, ok := t.numbers[key]; ok {
		return number
	}
	number := t.items.Add(item())
	t.numbers[key] = number
	return number
}

// Find is the number of key, 0 if it has none.
func (t *Table[T]) Find(key string) uint32 { return t.numbers[key] }

// FindBytes is Find for a key in bytes.
func (t *Table[T]) FindBytes(key []byte) uint32 { return t.numbers[string(key)] }

// At is the item with a number.
func (t *Table[T]) At(number uint32) *T { return t.items.At(number) }

// Len is how many numbers were given.
func (t *Table[T]) Len() int { return t.items.Len() - 1 }

// Text has the memory of b, which must not change any more.
func Text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Key is a key that different lists of numbers do not share.
func Key(numbers ...uint32) string {
	b := make([]byte, 0, 4*len(numbers))
	for _, n := range numbers {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return string(b)
}

// Join joins texts so that different lists of them make different strings.
func Join(parts ...string) string {
	var b []byte
	for _, p := range parts {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(p)))
		b = append(b, p...)
	}
	return string(b)
}
