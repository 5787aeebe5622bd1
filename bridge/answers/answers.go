// Package answers keeps what Java answered about a program under check, for later checks.
//
//	Program (on which answers depend beside the questions: harrier.runtime.program.Fingerprint) -> Store (a file for each fingerprint of that)
//
// A file is only appended to, in whole records with a checksum each. So checks may write at once, a killed one leaves the records that it
// wrote, and a damaged record ends a file: it is written anew up to that. A file is only read as a whole
// and appended to, so it is no database.
package answers

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"sync"
	"time"

	"harrier/internal/process/files"
)

// Key is a hash of a question.
type Key [16]byte

// KeyOf is the key of a question of some kind.
func KeyOf(kind int, question []byte) Key {
	h := sha256.New()
	h.Write([]byte{byte(kind)})
	h.Write(question)
	return Key(h.Sum(nil))
}

// Store has the answers of a fingerprint. Several goroutines may use it at once.
type Store struct {
	path    string
	known   map[Key][]byte
	damaged bool

	mu     sync.Mutex
	added  []byte // records that are not in the file yet
	hasAny bool
}

const (
	version = "harrier answers 2 " // the file begins with it, the fingerprint and a new line
	head    = 4 + 4 + len(Key{})   // of a record: length of the answer, checksum of the rest, key
	atOnce  = 1 << 20              // records are written when they have so many bytes
	kept    = 200                  // files, those used last
)

// open opens the store of a fingerprint in a folder.
func open(folder, fingerprint string) *Store {
	s := &Store{path: filepath.Join(folder, fingerprint), known: map[Key][]byte{}}
	begin := []byte(version + fingerprint + "\n")
	content, err := files.ReadRegular(s.path)
	whole := begin
	if bytes.HasPrefix(content, begin) {
		whole = content[:len(begin)+s.read(content[len(begin):])]
	}
	if s.damaged = err == nil && len(whole) != len(content) || errors.Is(err, files.ErrIrregular); s.damaged || err != nil {
		_ = files.WriteWhole(s.path, whole) // if it cannot be written, nothing is kept
		files.DropOldest(folder, "", kept)
	}
	now := time.Now()
	_ = os.Chtimes(s.path, now, now) // the one used last is dropped last
	return s
}

// read takes records until there is no whole one, and returns how long they are.
func (s *Store) read(records []byte) (whole int) {
	for {
		b := records[whole:]
		if len(b) < head {
			return whole
		}
		size := int(binary.LittleEndian.Uint32(b))
		if size > len(b)-head || checksum(b[8:head+size]) != binary.LittleEndian.Uint32(b[4:]) {
			return whole
		}
		s.known[Key(b[8:head])] = b[head : head+size : head+size]
		whole += head + size
	}
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// Damaged reports whether the file was not as it was written, so that answers were lost.
func (s *Store) Damaged() bool { return s.damaged }

// HasAny reports whether there are answers, or some were added.
func (s *Store) HasAny() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hasAny || len(s.known) > 0
}

// Find is the answer to a question, nil if it is not known. It must not be changed.
func (s *Store) Find(k Key) []byte { return s.known[k] }

// Add adds an answer, for later checks.
func (s *Store) Add(k Key, answer []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	begin := len(s.added)
	s.hasAny = true
	s.added = binary.LittleEndian.AppendUint32(s.added, uint32(len(answer)))
	s.added = append(s.added, 0, 0, 0, 0)
	s.added = append(append(s.added, k[:]...), answer...)
	binary.LittleEndian.PutUint32(s.added[begin+4:], checksum(s.added[begin+8:]))
	if len(s.added) >= atOnce {
		s.write()
	}
}

// Flush writes the added answers. Answers that cannot be written are not kept.
func (s *Store) Flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.added) > 0 {
		s.write()
	}
}

func (s *Store) write() {
	if info, err := os.Stat(s.path); err == nil && info.Mode().IsRegular() {
		if f, err := os.OpenFile(s.path, os.O_WRONLY|os.O_APPEND, 0); err == nil {
			_, _ = f.Write(s.added)
			f.Close()
		}
	}
	s.added = s.added[:0]
}
