package cluster

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"harrier/internal/process/files"
)

// Files and questions go through an object store, each named by the SHA-256 of its content: so content that is there already is not sent
// again, and whoever fetches content can check it.

// hashOf returns the name of content in the object store.
func hashOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// store puts content into the object store, unless it is there, and returns its hash.
func (e *Engine) store(ctx context.Context, content io.ReadSeeker) (hash string, err error) {
	h := sha256.New()
	size, err := io.Copy(h, content)
	if err != nil {
		return "", err
	}
	hash = hex.EncodeToString(h.Sum(nil))
	if info, err := e.objects.GetInfo(ctx, hash); err == nil && int64(info.Size) == size {
		return hash, nil
	}
	if _, err = content.Seek(0, io.SeekStart); err == nil {
		_, err = e.objects.Put(ctx, jetstream.ObjectMeta{Name: hash}, content)
	}
	return hash, err
}

// fetch returns the content with a hash, as a file without a name, which the caller closes.
func (e *Engine) fetch(ctx context.Context, hash string) (*os.File, error) {
	ctx, cancel := context.WithTimeout(ctx, mostAway)
	defer cancel()
	content, err := e.objects.Get(ctx, hash)
	if err != nil {
		return nil, fmt.Errorf("fetching %s: %w", hash, err)
	}
	defer content.Close()
	file, err := files.Scratch("", "harrier-cluster-")
	if err != nil {
		return nil, err
	}
	h := sha256.New()
	_, err = io.Copy(io.MultiWriter(h, file), content)
	if err == nil && hex.EncodeToString(h.Sum(nil)) != hash {
		err = errors.New("its content has another hash")
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("fetching %s: %w", hash, err)
	}
	return file, nil
}

// storeFiles stores an archive for each of some absolute paths at which there is anything, and returns the hashes of the archives.
func (e *Engine) storeFiles(ctx context.Context, paths []string) (hashes []string, err error) {
	for _, path := range paths {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		hash, err := e.storeArchive(ctx, path)
		if err != nil {
			return nil, err
		}
		hashes = append(hashes, hash)
	}
	return hashes, nil
}

func (e *Engine) storeArchive(ctx context.Context, path string) (hash string, err error) {
	file, err := files.Scratch("", "harrier-cluster-")
	if err != nil {
		return "", err
	}
	defer file.Close()
	if err = pack(file, path); err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", path, err)
	}
	if hash, err = e.store(ctx, file); err != nil {
		return "", fmt.Errorf("sending %s: %w", path, err)
	}
	return hash, nil
}

// pack writes an archive of the regular files at a path and below it, by their paths. It is the same for the same files. Where a link
// leads to a file or a folder, that is there under the link's path.
func pack(to io.Writer, path string) error {
	w := tar.NewWriter(to)
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		err = packBelow(w, real, path, []string{real})
	}
	return errors.Join(err, w.Close())
}

// packBelow writes what is at a path, and below it, as if it were at another one. within are the folders that it is in, beyond links.
func packBelow(w *tar.Writer, path, as string, within []string) error {
	return filepath.WalkDir(path, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := as + strings.TrimPrefix(file, path)
		info, err := os.Stat(file) // of where a link leads
		switch {
		case err != nil:
			return nil
		case info.Mode().IsRegular():
			return packFile(w, file, name)
		case !info.IsDir() || entry.IsDir():
			return nil
		}
		target, err := filepath.EvalSymlinks(file)
		isAbove := func(folder string) bool { return strings.HasPrefix(folder+"/", target+"/") }
		if err != nil || slices.ContainsFunc(within, isAbove) { // else it would have no end
			return nil
		}
		return packBelow(w, target, name, append(slices.Clip(within), target))
	})
}

func packFile(w *tar.Writer, file, name string) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	header := tar.Header{Name: strings.TrimPrefix(filepath.ToSlash(name), "/"), Mode: 0o600, Size: int64(len(content))}
	if err := w.WriteHeader(&header); err != nil {
		return err
	}
	_, err = w.Write(content)
	return err
}

// unpack writes the files of an archive below a folder, and nowhere else.
func unpack(folder string, archive io.Reader) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	for r := tar.NewReader(archive); ; {
		header, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if header.Typeflag != tar.TypeReg {
			return fmt.Errorf("%s is no file", header.Name)
		}
		if err := root.MkdirAll(filepath.Dir(header.Name), 0o700); err != nil {
			return err
		}
		file, err := root.Create(header.Name)
		if err != nil {
			return err
		}
		_, err = io.Copy(file, r)
		if err = errors.Join(err, file.Close()); err != nil {
			return err
		}
	}
}

// fetchFiles unpacks the files of a job below a folder.
func (e *Engine) fetchFiles(ctx context.Context, j Job, folder string) error {
	for _, hash := range j.Files {
		archive, err := e.fetch(ctx, hash)
		if err != nil {
			return err
		}
		err = unpack(folder, archive)
		archive.Close()
		if err != nil {
			return fmt.Errorf("unpacking %s: %w", hash, err)
		}
	}
	return nil
}

// storeBytes stores a question.
func (e *Engine) storeBytes(ctx context.Context, content []byte) (hash string, err error) {
	return e.store(ctx, bytes.NewReader(content))
}

// fetchBytes returns the question with a hash.
func (e *Engine) fetchBytes(ctx context.Context, hash string) ([]byte, error) {
	file, err := e.fetch(ctx, hash)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}
