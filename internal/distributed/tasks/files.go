package tasks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"harrier/internal/distributed/levels"
	"harrier/internal/model"
	"harrier/internal/process/files"
)

// OpenFiles opens the files of a search, by its name, at a place: a folder, or s3://server/bucket/prefix (s3.go).
func OpenFiles(ctx context.Context, at, search string) (Files, error) {
	scheme, rest, isURL := strings.Cut(at, "://")
	switch {
	case !isURL:
		return OpenFolder(filepath.Join(at, search))
	case scheme == "s3" || scheme == "s3+http":
		bucket, err := openS3(ctx, rest, search, scheme == "s3")
		if err != nil {
			return nil, err
		}
		return NewCache(ctx, bucket)
	}
	return nil, &model.UsageError{Text: fmt.Sprintf("--share %s: name a folder that all machines have, or s3://server/bucket", at)}
}

// FindFolder refuses a place of a search, by its name, that is a folder which this machine does not have: the process that begins the search
// has made it, and others must not make another one.
func FindFolder(at, search string) error {
	if strings.Contains(at, "://") {
		return nil
	}
	if _, err := os.Stat(filepath.Join(at, search)); err != nil {
		return &model.UsageError{Text: fmt.Sprintf("--share is for a folder that all machines have: %v", err)}
	}
	return nil
}

// A Folder is files in a folder, which machines may share.
type Folder struct{ path string }

// OpenFolder makes a folder if there is none.
func OpenFolder(path string) (*Folder, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, &model.UsageError{Text: fmt.Sprintf("--share: %v", err)}
	}
	return &Folder{path}, nil
}

// unfinished begins the names of files that are being written.
const unfinished = "writing-"

// Keep implements Files. It leaves it to the system when the file comes to the disk: one that is torn is known by its name.
func (f *Folder) Keep(_ context.Context, write func(to io.Writer) (name string, err error)) (name string, err error) {
	whole, err := os.CreateTemp(f.path, unfinished)
	if err != nil {
		return "", err
	}
	name, err = write(whole)
	if err = errors.Join(err, whole.Close()); err == nil {
		err = os.Rename(whole.Name(), filepath.Join(f.path, name))
	}
	if err != nil {
		os.Remove(whole.Name())
	}
	return name, err
}

// Open implements Files.
func (f *Folder) Open(_ context.Context, name string) (levels.File, error) {
	file, err := files.OpenRegular(filepath.Join(f.path, name))
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, files.ErrIrregular):
		return nil, &levels.DamagedError{Name: name, Text: "is missing"}
	case err != nil:
		return nil, err
	}
	return file, nil
}

// Clear implements Files. Files that other processes go on writing are not kept: the folder has another name before it is removed.
func (f *Folder) Clear(context.Context) error {
	gone := f.path + "-removed"
	if err := os.Rename(f.path, gone); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.RemoveAll(gone)
}

// An Origin is files elsewhere, by their names.
type Origin interface {
	// Put puts the content of a file there, unless there is one with its name.
	Put(ctx context.Context, name string, content *os.File) error
	// Fetch writes a file into another one, which is empty. One that is missing is a *levels.DamagedError.
	Fetch(ctx context.Context, name string, into *os.File) error
	// Clear removes all files.
	Clear(ctx context.Context) error
}

// A Cache is files elsewhere, with copies here of all that this process has written or opened.
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
	if name, err = c.copies.Keep(ctx, write); err != nil {
		return "", err
	}
	file, err := os.Open(filepath.Join(c.copies.path, name))
	if err != nil {
		return "", err
	}
	defer file.Close()
	return name, c.of.Put(ctx, name, file)
}

// Open implements Files.
func (c *Cache) Open(ctx context.Context, name string) (levels.File, error) {
	if file, err := c.copies.Open(ctx, name); err == nil {
		return file, nil
	}
	fetch := func(to io.Writer) (string, error) { return name, c.of.Fetch(ctx, name, to.(*os.File)) }
	if _, err := c.copies.Keep(ctx, fetch); err != nil {
		return nil, err
	}
	return c.copies.Open(ctx, name)
}

// Clear implements Files.
func (c *Cache) Clear(ctx context.Context) error { return c.of.Clear(ctx) }
