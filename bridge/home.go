package bridge

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"harrier/internal/model"
	"harrier/internal/process/files"
)

// The jars are made by `make jars`.
var (
	//go:embed jar/harrier-api.jar
	apiJar []byte
	//go:embed jar/harrier-runtime.jar
	runtimeJar []byte
)

// Home is where the virtual machine finds its files. It is prepared before the process that runs it is confined, and is
// only read there, but for Classes.
type Home struct {
	API, Runtime string // the embedded jars
	Cache        string // the folder for other checks; "" for none
	Archive      string // of loaded classes; "" for none
	Rewritten    string // the JDK's rewritten classes; "" for none
	Classes      string // the folder of a program's compiled classes; "" for none
	Verdicts     string // the folder of verdicts that are kept, which the process that runs Java cannot write to; "" for none
	Temporary    string // a folder to be removed at the end; "" for none
}

// Prepare unpacks the embedded jars and finds the archive, in the user's cache folder if nobody else can write there: who can change the
// jars, or compiled classes, decides about verdicts. Without such a folder the jars go to a temporary one, and nothing is kept.
func Prepare(jdk *JDK) (*Home, error) {
	h := &Home{}
	folder, err := CacheFolder()
	if err != nil {
		if folder, err = files.TemporaryFolder(); err != nil {
			return nil, &model.UsageError{Text: fmt.Sprintf("there is no folder for harrier's Java runtime: %v; set XDG_CACHE_HOME or TMPDIR to a folder of yours", err)}
		}
		h.Temporary = folder
	} else {
		h.Cache = folder
	}
	if h.API, err = unpack(folder, "harrier-api", apiJar); err == nil {
		h.Runtime, err = unpack(folder, "harrier-runtime", runtimeJar)
	}
	if err != nil {
		h.Remove()
		return nil, &model.UsageError{Text: fmt.Sprintf("unpacking harrier's Java runtime: %v; set XDG_CACHE_HOME to another folder", err)}
	}
	if h.Cache == "" {
		return h, nil
	}
	if a := findArchive(h.Cache, jdk, options(h)); a.path != "" {
		h.Archive, h.Rewritten = a.path, a.rewritten()
	}
	return h, nil
}

// Keep finds the folder kept for the program at a path, with libraries that a hash stands for: they may be able to write to it, so no other
// ones get to see it.
func (h *Home) Keep(program, libs string) {
	if absolute, err := filepath.Abs(program); err == nil && h.Cache != "" {
		h.Classes, _ = folderOf(filepath.Join(h.Cache, "classes"), absolute, libs)
	}
}

// KeepIn has the files kept for the program at a path, with libraries, in a folder of the user's, which several machines may share: the
// path counts as it is given.
func (h *Home) KeepIn(folder, program, libs string) error {
	err := os.MkdirAll(folder, 0o700)
	if err == nil {
		folder, err = filepath.Abs(folder)
	}
	if err == nil {
		folder, err = filepath.EvalSymlinks(folder)
	}
	if err == nil {
		err = files.CheckOwned(folder)
	}
	if err == nil {
		h.Verdicts = filepath.Join(folder, "harrier", "verdicts")
		h.Classes, err = folderOf(filepath.Join(folder, "harrier", "classes"), filepath.Clean(program), libs)
	}
	return err
}

// Leave makes the archive with which the next check starts sooner.
func (h *Home) Leave(jdk *JDK) {
	if h.Cache != "" && h.Archive == "" {
		findArchive(h.Cache, jdk, options(h)).provide(jdk, options(h))
	}
}

// Remove removes temporary files.
func (h *Home) Remove() {
	if h.Temporary != "" {
		files.RemoveTemporary(h.Temporary)
	}
}

// CacheFolder is the user's cache folder for harrier, which is made if it is missing. The error says why it
// cannot be used.
func CacheFolder() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return "", err
	}
	// Links are followed once: the checked folder is the one used.
	if cache, err = filepath.EvalSymlinks(cache); err != nil {
		return "", err
	}
	if err := files.CheckOwned(cache); err != nil {
		return "", err
	}
	folder := filepath.Join(cache, "harrier")
	if err := os.Mkdir(folder, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return "", err
	}
	if err := files.CheckOwned(folder); err != nil {
		return "", err
	}
	return folder, os.Chmod(folder, 0o700)
}

// unpack puts a jar where the virtual machine can read it, named after its content, so that it happens once.
func unpack(folder, name string, content []byte) (string, error) {
	sum := sha256.Sum256(content)
	path := filepath.Join(folder, name+"-"+hex.EncodeToString(sum[:6])+".jar")
	if old, err := files.ReadRegular(path); err == nil && bytes.Equal(old, content) {
		return path, nil
	}
	return path, files.WriteWhole(path, content)
}

// keptPrograms is of how many programs the compiled classes are kept.
const keptPrograms = 100

// folderOf returns the folder for the files kept of a program with a name, with libraries. Each has one of its own, since a library may be able
// to write to it: none can change the classes of another program, or of the same one with other libraries.
func folderOf(all, program, libs string) (string, error) {
	sum := sha256.Sum256([]byte(program + "\x00" + libs))
	folder := filepath.Join(all, hex.EncodeToString(sum[:8]))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	now := time.Now()
	_ = os.Chtimes(folder, now, now) // the one used last is dropped last
	files.DropOldest(all, "", keptPrograms)
	return folder, nil
}
