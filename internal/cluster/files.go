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
	"os"
	"path/filepath"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"harrier/internal/model"
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
	_, err = io.Copy(io.MultiWriter(h, file), io.LimitReader(content, 2*mostFiles)) // an archive has headers beside files
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

// mostFiles is how many bytes the files of a program have at most together: a check fills no disk of its server or its workers.
const mostFiles = 1 << 30

// storeFiles stores an archive of each list of files, by their absolute paths, and returns the hashes of the archives.
func (e *Engine) storeFiles(ctx context.Context, lists [][]string) (hashes []string, err error) {
	left := int64(mostFiles)
	for _, list := range lists {
		hash, err := e.storeArchive(ctx, list, &left)
		if err != nil {
			return nil, err
		}
		hashes = append(hashes, hash)
	}
	return hashes, nil
}

func (e *Engine) storeArchive(ctx context.Context, list []string, left *int64) (hash string, err error) {
	file, err := files.Scratch("", "harrier-cluster-")
	if err != nil {
		return "", err
	}
	defer file.Close()
	if err = pack(ctx, file, list, left); err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return "", err
	}
	if hash, err = e.store(ctx, file); err != nil {
		return "", fmt.Errorf("sending the program: %w", err)
	}
	return hash, nil
}

// pack writes an archive of regular files, which is the same for the same ones. They take their bytes from those that are left.
func pack(ctx context.Context, to io.Writer, list []string, left *int64) error {
	w := tar.NewWriter(to)
	for _, path := range list {
		if err := packFile(w, path, left); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return w.Close()
}

func packFile(w *tar.Writer, path string, left *int64) error {
	file, err := files.OpenRegular(path)
	if err != nil {
		return &model.UsageError{Text: fmt.Sprintf("--cluster sends the program to workers: %v: move it elsewhere, or let it be read", err)}
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if *left -= info.Size(); *left < 0 {
		return &model.UsageError{Text: fmt.Sprintf("--cluster: with %s, the program and its class path have more than 1 GiB, "+
			"which is not sent to workers: leave out jars that it does not need", path)}
	}
	header := tar.Header{Name: strings.TrimPrefix(filepath.ToSlash(path), "/"), Mode: 0o600, Size: info.Size()}
	if err := w.WriteHeader(&header); err != nil {
		return err
	}
	if _, err = io.CopyN(w, file, info.Size()); err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	return nil
}

// unpack writes the files of an archive below a folder, and nowhere else. They take their bytes from those that are left.
func unpack(folder string, archive io.Reader, left *int64) error {
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
		if *left -= header.Size; *left < 0 {
			return errors.New("its files have more than 1 GiB")
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
	left := int64(mostFiles)
	for _, hash := range j.Files {
		archive, err := e.fetch(ctx, hash)
		if err != nil {
			return err
		}
		err = unpack(folder, archive, &left)
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
