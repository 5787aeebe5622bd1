package bridge

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"harrier/internal/process/files"
)

// An archive holds the classes that a check needs, of harrier's runtime and of the compiler, as the
// virtual machine has them in memory (class data sharing). With one, classes need not be read,
// parsed and verified at each start. The virtual machine tests whether an archive was made for it, and
// does without it if not. It does not test whether the file is whole: we do.
//
// Another process makes the archive, after the first check that misses one, in the background: the
// same Java, which rehearses a check (harrier.runtime.Rehearsal) and archives its loaded classes as it
// ends. That takes some two seconds. The next check finds the file, and puts its checksum into its name.
type archive struct {
	folder string
	name   string // up to the checksum
	path   string // "" if there is none
}

const (
	archives  = 3       // are kept; each has some 14 MB
	suffix    = ".jsa"  // of their names
	rewritten = ".jdk"  // of the names of archives made with them
	made      = ".made" // of those that nobody used since they were made
)

// findArchive looks for the archive for a Java installation and the options of its virtual machine.
func findArchive(folder string, jdk *JDK, options []string) archive {
	release, _ := os.ReadFile(filepath.Join(jdk.Home, "release"))
	sum := sha256.Sum256(fmt.Append(release, jdk.Home, options))
	a := archive{folder: folder, name: "archive-" + hex.EncodeToString(sum[:6])}
	switch info, err := os.Stat(a.made()); {
	case err != nil:
	case info.Size() == 0 && time.Since(info.ModTime()) > 24*time.Hour:
		os.Remove(a.made())
	case info.Size() > 0:
		if sum, err := checksum(a.made()); err == nil {
			os.Rename(a.made(), a.pathWith(sum))
		}
	}
	for _, path := range a.files(a.name + "-") {
		switch sum, err := checksum(path); {
		case err != nil:
		case path == a.pathWith(sum):
			a.path = path
		default:
			os.Remove(path)
		}
	}
	return a
}

// made is where an archive is put when it is whole. If it is empty, none could be made, which is tried again
// after a day.
func (a archive) made() string { return filepath.Join(a.folder, a.name+made) }

// rewritten is the file of the JDK's classes as the virtual machine is to have them, which is made with the archive.
func (a archive) rewritten() string { return filepath.Join(a.folder, a.name+rewritten) }

func (a archive) pathWith(sum uint32) string {
	return filepath.Join(a.folder, fmt.Sprintf("%s-%08x"+suffix, a.name, sum))
}

func checksum(path string) (uint32, error) {
	f, err := files.OpenRegular(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	sum := crc32.NewIEEE()
	_, err = io.Copy(sum, f)
	return sum.Sum32(), err
}

// provide makes the archive in the background if there is none. It takes a lock, which the process that it
// starts holds until it has ended, so that one is made at a time. Whatever fails, there just is no archive.
func (a archive) provide(jdk *JDK, options []string) {
	if a.path != "" {
		return
	}
	lock, err := os.OpenFile(filepath.Join(a.folder, "archive.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return
	}
	defer lock.Close()
	if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		return
	}
	if _, err := os.Stat(a.made()); err != nil && len(a.files(a.name+"-")) == 0 {
		for _, of := range []string{suffix, rewritten, made} {
			files.DropOldest(a.folder, of, archives-1) // there is room for one more
		}
		a.start(jdk, options, lock)
	}
}

// making runs a command that writes the file $1, and puts it at $2 when it is whole, or an empty one if
// it cannot be had. If the command was killed, it is worth another attempt.
const making = `file=$1 made=$2; shift 2; nice -n 19 "$@" && mv -f "$file" "$made" || [ $? -gt 128 ] || : >"$made"`

func (a archive) start(jdk *JDK, options []string, lock *os.File) {
	file := filepath.Join(a.folder, "archive.making")
	c := exec.Command("sh", "-c", making, "sh", file, a.made(), filepath.Join(jdk.Home, "bin", "java"))
	c.Args = append(c.Args, options...)
	c.Args = append(c.Args, "-XX:ArchiveClassesAtExit="+file, "-Dharrier.jdk="+a.rewritten(),
		"--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED", // jni.c has programs not see it
		"harrier.runtime.Rehearsal")
	c.Env, _ = Environment() // an archive made with other options could not be used
	c.ExtraFiles = []*os.File{lock}
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // Ctrl-C is not for this one
	_ = c.Start()
}

func (a archive) files(prefix string) []string {
	var paths []string
	entries, _ := os.ReadDir(a.folder)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix) {
			paths = append(paths, filepath.Join(a.folder, e.Name()))
		}
	}
	return paths
}
