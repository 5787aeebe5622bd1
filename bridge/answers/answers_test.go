package answers

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"
)

const fingerprint = "0123456789abcdef"

func question(n int) Key { return KeyOf(1, fmt.Append(nil, n)) }

func answer(n int) string { return fmt.Sprintf("answer %d", n) }

// written is a folder with some answers, and their file.
func written(t *testing.T, count int) (folder, path string) {
	t.Helper()
	folder = t.TempDir()
	s := open(folder, fingerprint)
	for n := range count {
		s.Add(question(n), []byte(answer(n)))
	}
	s.Flush()
	return folder, filepath.Join(folder, fingerprint)
}

// found demands that a store has the right answers to questions below a number, or none, and returns how many it has.
func found(t *testing.T, s *Store, below int) (count int) {
	t.Helper()
	for n := range below {
		if got := s.Find(question(n)); got != nil {
			if count++; string(got) != answer(n) {
				t.Errorf("the answer to %d is %q", n, got)
			}
		}
	}
	return count
}

func TestAnswersAreFoundAgain(t *testing.T) {
	folder, _ := written(t, 3)
	s := open(folder, fingerprint)
	if s.Damaged() || found(t, s, 4) != 3 {
		t.Errorf("damaged %v, %d answers, want 3", s.Damaged(), found(t, s, 4))
	}
	if KeyOf(2, []byte("1")) == question(1) {
		t.Error("the kind of a question does not count")
	}
	if other := open(folder, "another"); other.HasAny() {
		t.Error("the fingerprint does not count")
	}
}

// Wherever a file ends early, has another byte or is another file, there are right answers or none, and later checks add to it.
func TestDamageIsNoticed(t *testing.T) {
	_, path := written(t, 3)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := range whole {
		for _, damaged := range [][]byte{whole[:at], slices.Concat(whole[:at], []byte{whole[at] ^ 1}, whole[at+1:])} {
			folder := t.TempDir()
			path := filepath.Join(folder, fingerprint)
			if err := os.WriteFile(path, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			s := open(folder, fingerprint)
			if found(t, s, 3) == 3 || len(damaged) == len(whole) && !s.Damaged() {
				t.Fatalf("with %d of %d bytes, changed at %d, nothing is noticed", len(damaged), len(whole), at)
			}
			s.Add(question(3), []byte(answer(3)))
			s.Flush()
			if again := open(folder, fingerprint); again.Damaged() || again.Find(question(3)) == nil || found(t, again, 3) != found(t, s, 3) {
				t.Fatalf("with %d bytes, changed at %d, nothing can be added", len(damaged), at)
			}
		}
	}
}

// Two that write at once do each other no harm, in one process or several.
func TestWritersAtOnce(t *testing.T) {
	folder := t.TempDir()
	const each, count = 100, 4
	var all sync.WaitGroup
	first := open(folder, fingerprint)
	for w := range count {
		all.Go(func() {
			s := first
			if w%2 == 1 {
				s = open(folder, fingerprint)
			}
			for n := range each {
				s.Add(question(w*each+n), []byte(answer(w*each+n)))
				s.Flush()
			}
		})
	}
	all.Wait()
	if s := open(folder, fingerprint); s.Damaged() || found(t, s, each*count) != each*count {
		t.Errorf("damaged %v, %d answers, want %d", s.Damaged(), found(t, s, each*count), each*count)
	}
}

func TestWhatCannotBeWrittenIsNotKept(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "folder")
	if err := os.WriteFile(folder, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := open(folder, fingerprint)
	s.Add(question(1), []byte(answer(1)))
	s.Flush()
	if s.Damaged() || found(t, open(folder, fingerprint), 2) != 0 {
		t.Error("a file was taken for a folder")
	}
}

func TestPipeIsNoFileOfAnswers(t *testing.T) {
	folder := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(folder, fingerprint), 0o600); err != nil {
		t.Fatal(err)
	}
	s := open(folder, fingerprint)
	s.Add(question(1), []byte(answer(1)))
	s.Flush() // which must return
	if !s.Damaged() {
		t.Error("nothing is noticed")
	}
}
