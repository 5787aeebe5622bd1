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
