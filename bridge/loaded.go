package bridge

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"sync"

	"harrier/internal/model"
	"harrier/internal/process/files"
)

// Disk digests the files of a program. What Java answers about a program right after it has loaded it depends on these and on the Source.
type Disk interface {
	// Digest returns a digest of the program with its class path, harrier and Java.
	Digest() (string, error)
	// Besides returns a digest of the files that are found by some names beside the program's classes.
	Besides(names []string) (string, error)
}

// loader asks Java about a program, which is loaded when the first question comes that an earlier check did not ask right after it
// loaded the program.
type loader struct {
	jvm      *JVM
	question []byte // that loads it
	path     string // of the file with Java's answers right after loading; "" for none

	mu   sync.Mutex     // guards said
	said map[int][]byte // by operation, the answers that an earlier check got right after loading; nil once the program is loaded
}

// saidFirst are the operations whose answers are kept. Their questions are empty, but for that of opLoad.
var saidFirst = []int{opLoad, opFingerprint, opNotes, opCoverage}

// saidFile is the content of a file with Java's answers right after loading.
type saidFile struct {
	Asked   []string       // the names that the program looked for beside its classes
	Besides string         // the digest of the files that it found
	Said    map[int][]byte // the answers, by operation
}

// keptLoaded is how many such files are kept, one for each program with its settings.
const keptLoaded = 200

// load loads a program, unless an earlier check kept Java's answers, and returns the answer to the question that loads it.
func (j *JVM) load(ctx context.Context, s Source, question []byte) (*loader, *reader, error) {
	a, digest := &loader{jvm: j, question: question}, ""
	if s.Disk != nil {
		var err error
		if digest, err = s.Disk.Digest(); err == nil { // else Java fails as well, and reports the error
			a.find(s.Answers, digest, s.Disk)
		}
	}
	r, err := a.ask(ctx, opLoad, question)
	if err == nil && a.path != "" && a.said == nil {
		err = a.keep(ctx, r.b, digest, s.Disk)
	}
	return a, r, err
}

// ask has a question answered. The error is a *model.UsageError if the program, when it has to be loaded, turns out to be another one than
// that of which answers were given.
func (a *loader) ask(ctx context.Context, operation int, question []byte) (*reader, error) {
	a.mu.Lock()
	said, known := a.said[operation]
	if a.said != nil && !known {
		if err := a.load(ctx); err != nil {
			a.mu.Unlock()
			return nil, err
		}
	}
	a.mu.Unlock()
	if known {
		return &reader{b: said}, nil
	}
	return a.jvm.ask(ctx, operation, question)
}

// load loads a program of which an earlier check kept Java's answers.
func (a *loader) load(ctx context.Context) error {
	r, err := a.jvm.ask(ctx, opLoad, a.question)
	if err != nil {
		return err
	}
	if !bytes.Equal(r.b, a.said[opLoad]) {
		os.Remove(a.path)
		return &model.UsageError{Text: "the set-up of the program came to something else than in an earlier check, and what that kept is removed now: check again"}
	}
	a.said = nil
	return nil
}

// find looks in a folder for the answers that an earlier check kept. A file that cannot be read, or is not as it was written, does not count.
func (a *loader) find(folder, digest string, disk Disk) {
	key := sha256.Sum256(append([]byte(digest), a.question...))
	a.path = filepath.Join(folder, "loaded", hex.EncodeToString(key[:16])+".json")
	var f saidFile
	if !files.ReadSealed(a.path, nil, &f) {
		return
	}
	if besides, err := disk.Besides(f.Asked); err == nil && besides == f.Besides {
		a.said = f.Said
	}
}

// keep keeps Java's answers about a program that it has just loaded, if they depend on nothing but the files that disk digests, whose
// digest was digest before. If the file cannot be written, nothing is kept.
func (a *loader) keep(ctx context.Context, loaded []byte, digest string, disk Disk) error {
	f := saidFile{Said: map[int][]byte{opLoad: loaded}}
	for _, operation := range saidFirst[1:] {
		r, err := a.jvm.ask(ctx, operation, nil)
		if err != nil {
			return err
		}
		f.Said[operation] = r.b
	}
	r := &reader{b: f.Said[opNotes]}
	n := r.notes()
	if err := r.done(); err != nil || n.Input {
		return err
	}
	f.Asked = n.Asked
	now, err := disk.Digest()
	if err != nil || now != digest {
		return nil
	}
	if f.Besides, err = disk.Besides(f.Asked); err != nil {
		return nil
	}
	if files.WriteSealed(a.path, nil, f) == nil {
		files.DropOldest(filepath.Dir(a.path), ".json", keptLoaded)
	}
	return nil
}
