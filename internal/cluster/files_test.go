package cluster

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"harrier/internal/model"
	"harrier/internal/testkit/must"
)

// TestProgramsThatAreTooLarge packs a sparse file, and unpacks an archive that says that it has one.
func TestProgramsThatAreTooLarge(t *testing.T) {
	large := filepath.Join(t.TempDir(), "large.jar")
	must.Do(os.WriteFile(large, nil, 0o600))
	must.Do(os.Truncate(large, mostFiles))
	left := int64(mostFiles - 1)
	var wrong *model.UsageError
	if err := pack(t.Context(), new(bytes.Buffer), []string{large}, &left); !errors.As(err, &wrong) || !strings.Contains(err.Error(), "large.jar") {
		t.Errorf("error %v", err)
	}
	var archive bytes.Buffer
	must.Do(tar.NewWriter(&archive).WriteHeader(&tar.Header{Name: "large.jar", Size: mostFiles + 1}))
	left = mostFiles
	if err := unpack(t.TempDir(), &archive, &left); err == nil || err.Error() != "its files have more than 1 GiB" {
		t.Errorf("error %v", err)
	}
}

func TestPackingEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	left := int64(mostFiles)
	if err := pack(ctx, new(bytes.Buffer), []string{"files.go"}, &left); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestFileThatCannotBeReadIsNoFault sends what cannot be read as a file.
func TestFileThatCannotBeReadIsNoFault(t *testing.T) {
	var usage *model.UsageError
	_, err := (&Engine{}).storeFiles(t.Context(), [][]string{{t.TempDir()}})
	if !errors.As(err, &usage) || !strings.HasPrefix(usage.Text, "--cluster sends the program to workers: ") {
		t.Error(err)
	}
}

// FuzzArchives unpacks what a worker may get from anybody: it writes nowhere but below its folder.
func FuzzArchives(f *testing.F) {
	archive := func(header tar.Header) []byte {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		must.Do(w.WriteHeader(&header))
		must.Do(w.Close())
		return b.Bytes()
	}
	for _, name := range []string{"a/b", "../out", "/out", "a/../../out", ".", "", strings.Repeat("long/", 100)} {
		f.Add(archive(tar.Header{Name: name, Mode: 0o600}))
	}
	f.Add(archive(tar.Header{Name: "link", Typeflag: tar.TypeSymlink, Linkname: "../out"}))
	f.Add(archive(tar.Header{Name: "a"})[:100])
	outside := f.TempDir()
	f.Fuzz(func(t *testing.T, content []byte) {
		into := filepath.Join(outside, "into")
		must.Do(os.Mkdir(into, 0o700))
		most := int64(1 << 20)
		_ = unpack(into, bytes.NewReader(content), &most)
		must.Do(os.RemoveAll(into))
		if left := must.Get(os.ReadDir(outside)); len(left) > 0 {
			t.Errorf("%q writes %v", content, left)
		}
	})
}
