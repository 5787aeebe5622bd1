package files

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"harrier/internal/testkit/must"
)

func TestFoldersThatOthersCanChangeAreRefused(t *testing.T) {
	base := must.Get(filepath.EvalSymlinks(t.TempDir()))
	folder := filepath.Join(base, "around", "own")
	must.Do(os.MkdirAll(folder, 0o700))
	link := filepath.Join(base, "link")
	must.Do(os.Symlink(folder, link))
	refused := func(what, path, want string) {
		t.Helper()
		if err := CheckOwned(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", what, err, want)
		}
	}
	if err := CheckOwned(folder); err != nil {
		t.Error(err)
	}
	refused("a link", link, "is no folder")
	refused("nothing", filepath.Join(base, "nothing"), "no such file")
	os.Chmod(folder, 0o770)
	refused("a folder of the group", folder, "can write to "+folder)
	os.Chmod(folder, 0o700)
	os.Chmod(filepath.Dir(folder), 0o777)
	refused("a folder in one of all", folder, "can write to "+filepath.Dir(folder))
	os.Chmod(filepath.Dir(folder), 0o777|os.ModeSticky)
	if err := CheckOwned(folder); err != nil {
		t.Errorf("in a folder that is sticky: %v", err)
	}
	if os.Geteuid() == 0 {
		os.Chown(filepath.Dir(folder), 12345, -1)
		refused("a folder in another user's", folder, filepath.Dir(folder)+" belongs to another user")
		os.Chown(filepath.Dir(folder), 0, -1)
		os.Chown(folder, 12345, -1)
		refused("another user's", folder, folder+" belongs to another user")
	}
}
