package files_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"harrier/internal/process/files"
	"harrier/internal/testkit/must"
)

// TestChangedFilesAreNoSealedOnes changes each byte of a file, and cuts the file off behind each.
func TestChangedFilesAreNoSealedOnes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	var read string
	if files.ReadSealed(path, nil, &read) {
		t.Error("no file is read")
	}
	must.Do(files.WriteSealed(path, nil, "a <document>"))
	if !files.ReadSealed(path, nil, &read) || read != "a <document>" {
		t.Errorf("%q is read", read)
	}
	if files.ReadSealed(path, []byte("a key"), &read) {
		t.Error("what was sealed with no key is read with one")
	}
	whole := must.Get(os.ReadFile(path))
	for i := range whole {
		changed := slices.Clone(whole)
		changed[i] ^= 1
		for _, content := range [][]byte{changed, whole[:i]} {
			must.Do(os.WriteFile(path, content, 0o600))
			if files.ReadSealed(path, nil, &read) {
				t.Errorf("%s is read", content)
			}
		}
	}
}
