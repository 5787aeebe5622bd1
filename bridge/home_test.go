package bridge

import (
	"os"
	"path/filepath"
	"testing"

	"harrier/internal/testkit/must"
)

// Whoever works in a folder by a link to it may name a folder there.
func TestKeptAnswersInALinkedFolder(t *testing.T) {
	real := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	must.Do(os.Symlink(real, link))
	t.Chdir(link)
	var h Home
	if err := h.KeepIn("kept", "program", ""); err != nil {
		t.Fatal(err)
	}
	if h.Classes == "" {
		t.Error("nothing is kept")
	}
}
