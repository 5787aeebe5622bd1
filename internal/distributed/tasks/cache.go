package tasks

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"

	"github.com/klauspost/compress/zstd"

	"harrier/internal/distributed/levels"
	"harrier/internal/process/files"
)

// An Origin is files elsewhere, by their names.
type Origin interface {
	// Put puts the content of a file there, unless there is one with its name.
	Put(ctx context.Context, name string, content *os.File) error
	// Fetch writes a file into another one, which is empty. One that is missing is a *levels.DamagedError.
	Fetch(ctx context.Context, name string, into *os.File) error
	// Clear removes all files.
	Clear(ctx context.Context) error
}

// A Cache is files elsewhere, with copies here of all that this process has written or opened. The origin has them compressed (RFC 8878):
// about half of the bytes of run files is left. The name of a file is that of its content here.
type Cache struct {
	of     Origin
	copies *Folder
}

// NewCache has copies of files in a temporary folder until the context ends.
func NewCache(ctx context.Context, of Origin) (*Cache, error) {
	path, err := files.TemporaryFolder()
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { files.RemoveTemporary(path) })
	return &Cache{of, &Folder{path}}, nil
}

// Keep implements Files.
func (c *Cache) Keep(ctx context.Context, write func(to io.Writer) (name string, err error)) (name string, err error) {
	err = c.compressed(func(file *os.File) error {
		e := encoders.Get().(*zstd.Encoder)
		defer encoders.Put(e)
		e.Reset(file)
		name, err = c.copies.Keep(ctx, func(to io.Writer) (string, error) { return write(io.MultiWriter(to, e)) })
		if err = errors.Join(err, e.Close()); err != nil {
			return err
		}
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return err
		}
		return c.of.Put(ctx, name, file)
	})
	return name, err
}

// Open implements Files.
func (c *Cache) Open(ctx context.Context, name string) (levels.File, error) {
	if file, err := c.copies.Open(ctx, name); err == nil {
		return file, nil
	}
	fetch := func(to io.Writer) (string, error) {
		return name, c.compressed(func(file *os.File) error {
			if err := c.of.Fetch(ctx, name, file); err != nil {
				return err
			}
			if _, err := file.Seek(0, io.SeekStart); err != nil {
				return err
			}
			return decompress(to, file, name)
		})
	}
	if _, err := c.copies.Keep(ctx, fetch); err != nil {
		return nil, err
	}
	return c.copies.Open(ctx, name)
}

// Clear implements Files.
func (c *Cache) Clear(ctx context.Context) error { return c.of.Clear(ctx) }

// compressed calls use with an empty file for compressed content, which is removed then.
func (c *Cache) compressed(use func(file *os.File) error) error {
	file, err := os.CreateTemp(c.copies.path, unfinished)
	if err != nil {
		return err
	}
	err = use(file)
	return errors.Join(err, file.Close(), os.Remove(file.Name()))
}

// mostWindow bounds the content that is kept in memory to refer to, in bytes.
const mostWindow = 1 << 20

// encoders and decoders are used again, as each has buffers.
var (
	encoders = sync.Pool{New: func() any {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(mostWindow), zstd.WithEncoderCRC(false))
		if err != nil {
			panic(err) // of an option
		}
		return e
	}}
	decoders = sync.Pool{New: func() any {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(mostWindow))
		if err != nil {
			panic(err) // of an option
		}
		return d
	}}
)

// decompress writes compressed content as it was. Content that no encoder has written is a *levels.DamagedError.
func decompress(to io.Writer, content io.Reader, name string) error {
	d := decoders.Get().(*zstd.Decoder)
	defer decoders.Put(d)
	err := d.Reset(content)
	if err == nil {
		_, err = d.WriteTo(to)
	}
	if err == nil || levels.IsOfFile(err) {
		return err
	}
	return &levels.DamagedError{Name: name, Text: "is torn"}
}
