package tasks_test

import (
	"context"
	"errors"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"harrier/internal/distributed/levels"
	"harrier/internal/distributed/tasks"
	"harrier/internal/model"
	"harrier/internal/testkit/must"
)

// bucket starts a server with the interface of S3 that has a bucket, and returns its place.
func bucket(t *testing.T) string {
	t.Setenv("AWS_ACCESS_KEY_ID", "user")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	backend := s3mem.New()
	must.Do(backend.CreateBucket("levels"))
	server := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(server.Close)
	return "s3+http://" + strings.TrimPrefix(server.URL, "http://") + "/levels/of/harrier"
}

// keep keeps a file with a name and a content.
func keep(f tasks.Files, name, content string) {
	must.Get(f.Keep(context.Background(), func(to io.Writer) (string, error) {
		_, err := io.WriteString(to, content)
		return name, err
	}))
}

func contentOf(f levels.File) string {
	defer f.Close()
	return string(must.Get(io.ReadAll(io.NewSectionReader(f, 0, must.Get(f.Stat()).Size()))))
}

// TestFilesAreKept keeps files in a folder and in a bucket, where another process finds them.
func TestFilesAreKept(t *testing.T) {
	for _, at := range []string{t.TempDir(), bucket(t)} {
		ctx := t.Context()
		one, other := must.Get(tasks.OpenFiles(ctx, at, "search")), must.Get(tasks.OpenFiles(ctx, at, "search"))
		another := must.Get(tasks.OpenFiles(ctx, at, "another"))
		for range 2 { // the second time they are there
			keep(one, "a", "first")
			keep(one, "b", strings.Repeat("second", 100_000))
		}
		keep(another, "a", "third")
		for name, want := range map[string]string{"a": "first", "b": strings.Repeat("second", 100_000)} {
			for range 2 {
				if got := contentOf(must.Get(other.Open(ctx, name))); got != want {
					t.Errorf("%s: %s has %d bytes", at, name, len(got))
				}
			}
		}
		var damaged *levels.DamagedError
		if _, err := other.Open(ctx, "c"); !errors.As(err, &damaged) {
			t.Errorf("%s: a file that is missing: %v", at, err)
		}
		must.Do(one.Clear(ctx))
		if _, err := must.Get(tasks.OpenFiles(ctx, at, "search")).Open(ctx, "a"); !errors.As(err, &damaged) {
			t.Errorf("%s: a file that was removed: %v", at, err)
		}
		if got := contentOf(must.Get(another.Open(ctx, "a"))); got != "third" {
			t.Errorf("%s: another search has %q", at, got)
		}
	}
}

// TestPlacesThatKeepNothing names servers and folders that keep no files.
func TestPlacesThatKeepNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must.Do(os.WriteFile(file, nil, 0o600))
	none := strings.Replace(bucket(t), "/levels/", "/none/", 1)
	for at, want := range map[string]string{
		"ftp://server/levels": "--share ftp://server/levels: name a folder that all machines have, or s3://server/bucket",
		"s3://server":         "--share s3://server: name a server and a bucket, as in s3://s3.example.org/levels",
		file:                  "--share: mkdir " + file,
		none:                  "--share " + strings.Replace(none, "s3+http", "s3", 1) + ": there is no such bucket",
	} {
		var usage *model.UsageError
		if _, err := tasks.OpenFiles(t.Context(), at, "search"); !errors.As(err, &usage) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", at, err)
		}
	}
}

// TestFoldersOfOtherMachines looks for the folder of a search before and after another process has made it.
func TestFoldersOfOtherMachines(t *testing.T) {
	at := t.TempDir()
	var usage *model.UsageError
	if err := tasks.FindFolder(at, "search"); !errors.As(err, &usage) || !strings.HasPrefix(err.Error(), "--share is for a folder that all machines have: stat "+at) {
		t.Errorf("without the folder: %v", err)
	}
	must.Get(tasks.OpenFiles(t.Context(), at, "search"))
	for _, place := range []string{at, "s3://server/bucket"} {
		if err := tasks.FindFolder(place, "search"); err != nil {
			t.Errorf("%s: %v", place, err)
		}
	}
}

// TestFoldersAreRemoved removes the folders of searches while another process writes to them.
func TestFoldersAreRemoved(t *testing.T) {
	at := t.TempDir()
	for range 100 {
		search := must.Get(tasks.OpenFolder(filepath.Join(at, "search")))
		begun, ended := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(ended)
			for i := 0; ; i++ {
				_, err := search.Keep(t.Context(), func(to io.Writer) (string, error) { return strconv.Itoa(i), nil })
				if err != nil {
					return
				}
				if i == 10 {
					close(begun)
				}
			}
		}()
		<-begun
		must.Do(search.Clear(t.Context()))
		<-ended
	}
	if left := must.Get(os.ReadDir(at)); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}
