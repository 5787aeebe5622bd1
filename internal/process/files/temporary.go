package files

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
)

// Temporary folders are called prefix and a number, and have a file lockName, which their process holds locked: so those that a killed
// process left are told from those in use, and from folders that others made. The file says where its lock is seen: a file system
// that machines share may keep locks to each of them.
const (
	prefix   = "harrier-"
	lockName = "harrier.lock"
)

// locks are the open files that this process holds locked, by folder.
var locks sync.Map

// TemporaryFolder makes a folder that only this user can read and write to, for RemoveTemporary. It removes folders of processes that were
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
	folder, err := os.MkdirTemp(temporary, prefix)
	if err != nil {
		return "", err
	}
	lock, err := makeLock(folder)
	if err != nil {
		os.RemoveAll(folder)
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

// system names the running system, whose processes see each other's locks; "" where it has no name.
func system() string {
	id, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return string(id)
}

// makeLock makes the file of a folder that this process holds locked. Where files cannot be locked, the folder is never taken for abandoned.
func makeLock(folder string) (*os.File, error) {
	path := filepath.Join(folder, lockName)
	lock, err := os.OpenFile(path+".new", os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	_ = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	_, err = lock.WriteString(system())
	if err == nil {
		err = os.Rename(lock.Name(), path) // it has its name only once it is locked
	}
	if err != nil {
		lock.Close()
		return nil, err
	}
	return lock, nil
}

// isAbandoned reports whether a process of this system made a folder and has ended.
func isAbandoned(folder string) bool {
	lock, err := os.OpenFile(filepath.Join(folder, lockName), os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer lock.Close()
	of, err := io.ReadAll(io.LimitReader(lock, int64(len(system())+1)))
	return err == nil && string(of) == system() && syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

// removeAbandoned removes the folders of this user's processes that have ended.
func removeAbandoned(temporary string) {
	entries, _ := os.ReadDir(temporary)
	for _, e := range entries {
		folder := filepath.Join(temporary, e.Name())
		if e.IsDir() && strings.HasPrefix(e.Name(), prefix) && CheckOwned(folder) == nil && isAbandoned(folder) {
			os.RemoveAll(folder)
		}
	}
}
