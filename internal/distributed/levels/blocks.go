package levels

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// A file consists of blocks, all but the last one of blockBytes, and after them the SHA-256 of each block. Its name is the hash of these
// hashes and of the size of the file. So a reader that knows the name verifies each block as it reads it.
const (
	blockBytes = 64 << 10
	hashBytes  = sha256.Size
)

// A DamagedError is the error of a file that is not what was written under its name.
type DamagedError struct{ Name, Text string }

func (e *DamagedError) Error() string { return fmt.Sprintf("%s %s", e.Name, e.Text) }

// IsOfFile reports whether an error is that of a file that could not be opened, written or read.
func IsOfFile(err error) bool {
	var path *fs.PathError
	var link *os.LinkError
	return errors.As(err, &path) || errors.As(err, &link) || errors.Is(err, syscall.ENOSPC)
}

// nameOf is the name of a file with the hashes of its blocks and a size.
func nameOf(hashes []byte, size int64) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%d\n", size)
	sum.Write(hashes)
	return hex.EncodeToString(sum.Sum(nil))
}

// A blockWriter writes the blocks of a file.
type blockWriter struct {
	to     io.Writer
	block  []byte // that is not full
	hashes []byte
	size   int64 // of the full blocks
}

func newBlockWriter(to io.Writer) *blockWriter {
	return &blockWriter{to: to, block: make([]byte, 0, blockBytes)}
}

// offset is how many bytes were written.
func (w *blockWriter) offset() int64 { return w.size + int64(len(w.block)) }

// Write implements io.Writer.
func (w *blockWriter) Write(b []byte) (n int, err error) {
	for rest := b; len(rest) > 0 && err == nil; {
		k := min(len(rest), blockBytes-len(w.block))
		w.block, rest = append(w.block, rest[:k]...), rest[k:]
		if len(w.block) == blockBytes {
			err = w.flush()
		}
	}
	return len(b), err
}

func (w *blockWriter) flush() error {
	sum := sha256.Sum256(w.block)
	w.hashes = append(w.hashes, sum[:]...)
	_, err := w.to.Write(w.block)
	w.size, w.block = w.size+int64(len(w.block)), w.block[:0]
	return err
}

// close writes the end of the file and returns its name.
func (w *blockWriter) close() (name string, err error) {
	if len(w.block) > 0 {
		err = w.flush()
	}
	if err == nil {
		_, err = w.to.Write(w.hashes)
	}
	return nameOf(w.hashes, w.size+int64(len(w.hashes))), err
}

// A File is what is read of a file.
type File interface {
	io.ReaderAt
	io.Closer
	Stat() (fs.FileInfo, error)
}

// InMemory is a file with some content.
func InMemory(content []byte) File { return inMemory{bytes.NewReader(content)} }

type inMemory struct{ *bytes.Reader }

func (inMemory) Close() error { return nil }

func (m inMemory) Stat() (fs.FileInfo, error) { return sizeOnly{size: m.Reader.Size()}, nil }

// sizeOnly says of a file how large it is, and nothing else.
type sizeOnly struct {
	fs.FileInfo
	size int64
}

func (s sizeOnly) Size() int64 { return s.size }

// blocks are those of a file that exists.
type blocks struct {
	file   File
	name   string
	hashes []byte
	size   int64 // of what is in the blocks
}

// openBlocks reads the hashes of a file.
func openBlocks(file File, name string) (*blocks, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	whole := info.Size()
	count := (whole + blockBytes + hashBytes - 1) / (blockBytes + hashBytes)
	b := &blocks{file: file, name: name, hashes: make([]byte, count*hashBytes), size: whole - count*hashBytes}
	if b.size < 0 {
		return nil, b.damaged("is torn")
	}
	if _, err := file.ReadAt(b.hashes, b.size); err != nil {
		return nil, b.failed(err)
	}
	if nameOf(b.hashes, whole) != name {
		return nil, b.damaged("is torn, or another file")
	}
	return b, nil
}

func (b *blocks) damaged(text string) error { return &DamagedError{b.name, text} }

// failed is the error of a file that cannot be read.
func (b *blocks) failed(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return b.damaged("is torn")
	}
	return err
}

// from returns what reads a part of the file.
func (b *blocks) from(offset, end int64) *blockReader {
	return &blockReader{blocks: b, at: offset, end: min(end, b.size)}
}

// WriteBytes writes a file with some content and returns its name.
func WriteBytes(to io.Writer, content []byte) (name string, err error) {
	w := newBlockWriter(to)
	if _, err := w.Write(content); err != nil {
		return "", err
	}
	return w.close()
}

// ReadBytes reads the content of a file with a name.
func ReadBytes(file File, name string) ([]byte, error) {
	b, err := openBlocks(file, name)
	if err != nil {
		return nil, err
	}
	in := b.from(0, b.size)
	content, err := io.ReadAll(in)
	return content, errors.Join(err, in.err)
}

// A blockReader reads a part of a file, and verifies the blocks that it is in. After an error, which it keeps, it reads zeros.
type blockReader struct {
	*blocks
	at, end int64  // of what was not read into rest
	rest    []byte // of the block that was read last
	room    []byte
	err     error
}

// fill reads the next block if nothing of the last one is left, and reports whether there is something.
func (r *blockReader) fill() bool {
	if len(r.rest) > 0 {
		return true
	}
	if r.err != nil || r.at >= r.end {
		return false
	}
	number := r.at / blockBytes
	if r.room == nil {
		r.room = make([]byte, blockBytes)
	}
	block := r.room[:min(blockBytes, r.size-number*blockBytes)]
	if _, err := r.file.ReadAt(block, number*blockBytes); err != nil {
		r.err = r.failed(err)
		return false
	}
	if sum := sha256.Sum256(block); !bytes.Equal(sum[:], r.hashes[number*hashBytes:][:hashBytes]) {
		r.err = r.damaged(fmt.Sprintf("was changed in block %d", number))
		return false
	}
	r.rest = block[r.at-number*blockBytes : min(int64(len(block)), r.end-number*blockBytes)]
	r.at += int64(len(r.rest))
	return true
}

// offset is where the next byte is.
func (r *blockReader) offset() int64 { return r.at - int64(len(r.rest)) }

// skip passes some bytes, which need not be read.
func (r *blockReader) skip(n uint64) {
	switch {
	case n <= uint64(len(r.rest)):
		r.rest = r.rest[n:]
	case n > uint64(r.end-r.offset()):
		r.refuse("has an end where something should be")
	default:
		r.at, r.rest = r.offset()+int64(n), nil
	}
}

// ReadByte implements io.ByteReader.
func (r *blockReader) ReadByte() (byte, error) {
	if !r.fill() {
		return 0, r.ended()
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b, nil
}

// Read implements io.Reader.
func (r *blockReader) Read(into []byte) (int, error) {
	if !r.fill() {
		return 0, r.ended()
	}
	n := copy(into, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

func (r *blockReader) ended() error {
	if r.err != nil {
		return r.err
	}
	return io.EOF
}

// number reads an unsigned varint.
func (r *blockReader) number() (n uint64) {
	for shift := 0; shift < 64; shift += 7 {
		if len(r.rest) == 0 && !r.fill() {
			break
		}
		b := r.rest[0]
		r.rest = r.rest[1:]
		if n |= uint64(b&0x7f) << shift; b < 0x80 {
			return n
		}
	}
	if r.err == nil {
		r.err = r.damaged("has an end where a number should be")
	}
	return 0
}

// refuse has the reader end with what is wrong, unless it has ended with something before.
func (r *blockReader) refuse(text ...string) error {
	if r.err == nil {
		r.err = r.damaged(strings.Join(text, ""))
	}
	return r.err
}
