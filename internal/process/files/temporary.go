package files

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
)

// Temporary folders are called prefix and a number, and have a file lockName, which their process holds locked: so those that a killed
// process left are told from those in use, and from folders that others made.
const (
	prefix   = "harrier-"
	lockName = "harrier.lock"
)

// locks are the open files that this process holds locked, by folder.
var locks sync.Map

// TemporaryFolder makes a folder that only this user can read and write to, for RemoveTemporary. It removes those of processes that were
// killed.
func TemporaryFolder() (string, error) {
	temporary, err := filepath.EvalSymlinks(os.TempDir())
	if err == nil {
		err = CheckShared(temporary)
	}
	if err != nil {
		return "", err
	}
	removeAbandoned(temporary)
	made, err := os.MkdirTemp(temporary, "making-"+prefix)
	if err != nil {
		return "", err
	}
	folder := filepath.Join(temporary, strings.TrimPrefix(filepath.Base(made), "making-"))
	lock, err := lockIn(made, os.O_CREATE)
	if err == nil {
		err = os.Rename(made, folder) // it has its name only once it is locked
	}
	if err != nil {
		os.RemoveAll(made)
		return "", err
	}
	locks.Store(folder, lock)
	return folder, nil
}

// RemoveTemporary removes a folder that TemporaryFolder made.
func RemoveTemporary(folder string) {
	os.RemoveAll(folder)
	if lock, ok := locks.LoadAndDelete(folder); ok {
		lock.(*os.File).Close()
	}
}

// lockIn locks the file of a folder that its process holds locked. Where files cannot be locked, the folder is never taken for abandoned.
func lockIn(folder string, flags int) (*os.File, error) {
	lock, err := os.OpenFile(filepath.Join(folder, lockName), flags|os.O_RDWR|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err != nil && (flags&os.O_CREATE == 0 || errors.Is(err, syscall.EWOULDBLOCK)) {
		lock.Close()
		return nil, err
	}
	return lock, nil
}

// removeAbandoned removes the folders of this user's processes that have ended.
func removeAbandoned(temporary string) {
	entries, _ := os.ReadDir(temporary)
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), prefix) {
			continue
		}
		folder := filepath.Join(temporary, e.Name())
		if CheckOwned(folder) != nil {
			continue
		}
		if lock, err := lockIn(folder, 0); err == nil {
			os.RemoveAll(folder)
			lock.Close()
		}
	}
}
