package files

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"harrier/internal/testkit/must"
)

// TestTemporaryFolderOfAKilledProcess has another process make a folder and end, beside folders that are in use, others' or of another
// machine.
func TestTemporaryFolderOfAKilledProcess(t *testing.T) {
	if os.Getenv("MAKE_FOLDER") != "" {
		must.Get(TemporaryFolder())
		os.Exit(0)
	}
	temporary := must.Get(filepath.EvalSymlinks(t.TempDir()))
	t.Setenv("TMPDIR", temporary)
	other := filepath.Join(temporary, "harrier-1")
	must.Do(os.Mkdir(other, 0o700))
	used := must.Get(TemporaryFolder())
	c := exec.Command(os.Args[0], "-test.run=^TestTemporaryFolderOfAKilledProcess$")
	c.Env = append(os.Environ(), "MAKE_FOLDER=1")
	must.Do(c.Run())
	if n := len(must.Get(os.ReadDir(temporary))); n != 3 {
		t.Errorf("there are %d folders, want 3", n)
	}
	RemoveTemporary(must.Get(TemporaryFolder()))
	must.Do(os.WriteFile(filepath.Join(other, lockName), []byte("another machine"), 0o600))
	RemoveTemporary(must.Get(TemporaryFolder()))
	if n := len(must.Get(os.ReadDir(temporary))); n != 2 {
		t.Errorf("there are %d folders, want 2", n)
	}
	RemoveTemporary(used)
	if found := must.Get(os.ReadDir(temporary)); len(found) != 1 || found[0].Name() != "harrier-1" {
		t.Errorf("what is left is %v", found)
	}
}
