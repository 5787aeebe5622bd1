package files

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// CheckOwned returns an error unless a folder is the user's own and nobody else, but for the administrator, can change what
// is at its path. The path must have no symbolic links.
func CheckOwned(folder string) error {
	info, err := os.Lstat(folder)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is no folder", folder)
	}
	if owner := ownerOf(info); owner != os.Geteuid() {
		return fmt.Errorf("%s belongs to another user", folder)
	}
	if info.Mode()&0o022 != 0 {
		return fmt.Errorf("other users can write to %s", folder)
	}
	return CheckShared(filepath.Dir(folder))
}

// CheckShared returns an error if somebody else can move away what the user makes in a folder: each folder of its
// path must belong to the user or the administrator, and be one that others cannot write to or remove other users' files from.
func CheckShared(folder string) error {
	for {
		info, err := os.Lstat(folder)
		if err != nil {
			return err
		}
		owner := ownerOf(info)
		switch {
		case owner != os.Geteuid() && owner != 0:
			return fmt.Errorf("%s belongs to another user", folder)
		case info.Mode()&0o022 != 0 && info.Mode()&fs.ModeSticky == 0:
			return fmt.Errorf("other users can write to %s", folder)
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return nil
		}
		folder = parent
	}
}
