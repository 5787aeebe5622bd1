package bridge

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"sync"

	"harrier/internal/model"
	"harrier/internal/process/files"
)

// Disk says what there is of a program on the disk. What Java says of a program once it is loaded depends on that and on the Source.
type Disk interface {
	// Digest stands for the program with its class path, harrier and Java.
	Digest() (string, error)
	// Besides stands for what is found by some names beside the program's classes.
	Besides(names []string) (string, error)
}

// loader asks Java about a program, which is loaded when the first question comes that an earlier check did not ask right after it
// loaded the program.
type loader struct {
	jvm      *JVM
	question []byte // that loads it
	path     string // of the file with what Java says of it; "" for none

	mu   sync.Mutex
	said map[int][]byte // by operation, what an earlier check was told right after loading; nil once the program is loaded
}

// saidFirst are the operations that are asked without more once a program is loaded.
var saidFirst = []int{opLoad, opFingerprint, opNotes, opCoverage}

// saidFile is the form of a file.
type saidFile struct {
	Asked   []string // what the program looked for beside its classes
	Besides string   // a digest of what it found
	Said    map[int][]byte
	Sum     string // a hash of the rest
}

// keptLoaded is of how many programs and settings it is kept what Java says of them.
const keptLoaded = 200

// load loads a program, unless it is known what Java says of it, and returns that.
func (j *JVM) load(ctx context.Context, s Source, question []byte) (*loader, *reader, error) {
	a, digest := &loader{jvm: j, question: question}, ""
	if s.Disk != nil {
		var err error
		if digest, err = s.Disk.Digest(); err == nil { // else Java says what is wrong
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

// load loads a program of which it is known what Java says.
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

// find looks for what an earlier check kept in a folder. What cannot be read, or is not as it was written, is as good as not there.
func (a *loader) find(folder, digest string, disk Disk) {
	key := sha256.Sum256(append([]byte(digest), a.question...))
	a.path = filepath.Join(folder, "loaded", hex.EncodeToString(key[:16])+".json")
	content, err := files.ReadRegular(a.path)
	if err != nil {
		return
	}
	var f saidFile
	if json.Unmarshal(content, &f) != nil || f.Sum != f.sum() {
		return
	}
	if besides, err := disk.Besides(f.Asked); err == nil && besides == f.Besides {
		a.said = f.Said
	}
}

// keep keeps what Java says of a program that it has just loaded, if that depends on nothing but what disk stands for, which was digest
// before. What cannot be written is not kept.
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
	f.Sum = f.sum()
	if content, err := json.Marshal(f); err == nil && files.WriteWhole(a.path, content) == nil {
		files.DropOldest(filepath.Dir(a.path), ".json", keptLoaded)
	}
	return nil
}

// sum returns the hash of f with Sum empty.
func (f saidFile) sum() string {
	f.Sum = ""
	content, err := json.Marshal(f)
	if err != nil {
		panic(err) // it has strings and bytes
	}
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
