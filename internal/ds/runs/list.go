// Package runs keeps in files what does not fit into memory: a List has records in the order in which they were appended. Records hold no
// pointers and are written as they are in memory, so only the process that wrote a file can read it. The error of a function is that of a
// file that could not be opened, written or read.
package runs

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"unsafe"
)

// Open makes an empty file that nothing else uses. The caller closes it.
type Open func() (*os.File, error)

// bufferBytes is how much is read or written at once.
const bufferBytes = 64 << 10

// A List is a list of records in a file, to which records are appended. One goroutine may use it at a time.
type List[T any] struct {
	open    Open
	file    *os.File // nil while no record is in it
	written int      // records in the file
	tail    []T      // the records after those in the file
}

// NewList makes an empty list, which opens a file when it needs one.
func NewList[T any](open Open) *List[T] { return &List[T]{open: open} }

// perBuffer is how many records are read or written at once.
func perBuffer[T any]() int { return max(1, bufferBytes/size[T]()) }

func size[T any]() int { return int(unsafe.Sizeof(*new(T))) }

// bytesOf are the bytes of records.
func bytesOf[T any](records []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(records))), len(records)*size[T]())
}

// Len is the number of records.
func (l *List[T]) Len() int { return l.written + len(l.tail) }

// Append adds a record at the end.
func (l *List[T]) Append(record T) error {
	if len(l.tail) == perBuffer[T]() {
		if err := l.write(l.tail); err != nil {
			return err
		}
		l.tail = l.tail[:0]
	}
	l.tail = append(l.tail, record)
	return nil
}

func (l *List[T]) write(records []T) (err error) {
	if l.file == nil {
		if l.file, err = l.open(); err != nil {
			return err
		}
	}
	_, err = writeAt(l.file, bytesOf(records), int64(l.written)*int64(size[T]()))
	l.written += len(records)
	return err
}

// writeAt writes to a file at a place. It is a variable for tests.
var writeAt = (*os.File).WriteAt

// Read fills into with the records from a place on. The list must have as many there.
func (l *List[T]) Read(into []T, from int) error {
	inFile := into[:min(len(into), max(0, l.written-from))]
	if len(inFile) == 0 {
		copy(into, l.tail[from-l.written:])
		return nil
	}
	if _, err := l.file.ReadAt(bytesOf(inFile), int64(from)*int64(size[T]())); err != nil {
		if errors.Is(err, io.EOF) {
			err = &fs.PathError{Op: "read", Path: l.file.Name(), Err: io.ErrUnexpectedEOF}
		}
		return err
	}
	copy(into[len(inFile):], l.tail[max(0, from-l.written):])
	return nil
}

// Clear removes all records.
func (l *List[T]) Clear() error {
	l.written, l.tail = 0, l.tail[:0]
	if l.file == nil {
		return nil
	}
	return l.file.Truncate(0)
}

// Close closes the file.
func (l *List[T]) Close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}

// A Part reads some records of a list one after another.
type Part[T any] struct {
	records  []T // that were read and not returned
	list     *List[T]
	from, to int // what was not read
	room     []T
}

// From reads the records from a place to another one.
func (l *List[T]) From(from, to int) *Part[T] {
	return &Part[T]{list: l, from: from, to: to, room: make([]T, min(to-from, perBuffer[T]()))}
}

// Next returns the next record; ok is false at the end.
func (p *Part[T]) Next() (record T, ok bool, err error) {
	if len(p.records) == 0 {
		if p.from == p.to {
			return record, false, nil
		}
		p.records = p.room[:min(len(p.room), p.to-p.from)]
		if err := p.list.Read(p.records, p.from); err != nil {
			return record, false, err
		}
		p.from += len(p.records)
	}
	record, p.records = p.records[0], p.records[1:]
	return record, true, nil
}
