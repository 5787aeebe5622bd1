package answers

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// A Class is a class of a program.
type Class struct {
	Name  string
	Code  []byte   // a hash of its code
	Any   bool     // it may use any class
	Uses  []string // classes that its code may use
	Holds [][]byte // the values of its static fields, and of its actors, after the set-up, in structured bytes
}

// Program has the answers about a program, in a store for each set of classes that answers depend on: those of the objects in a
// question, the classes that their code may use, and so on. Several goroutines may use it at once.
type Program struct {
	folder  string
	common  string // a hash of the facts on which all answers depend
	classes map[string]*Class
	begins  [256]bool // whether names of classes or arrays begin so

	mu     sync.Mutex
	stores map[string]*Store // by the classes that questions begin with, and by fingerprint
}

// Of opens the answers about a program in a folder.
func Of(folder, common string, classes []Class) *Program {
	p := &Program{folder: folder, common: common, classes: map[string]*Class{}, stores: map[string]*Store{}}
	p.begins['['] = true
	for i := range classes {
		p.classes[classes[i].Name] = &classes[i]
		p.begins[classes[i].Name[0]] = true
	}
	for _, c := range p.classes {
		for _, b := range c.Holds {
			c.Uses = p.in(b, c.Uses)
		}
	}
	return p
}

// Store has the answers to questions about objects with these contents, in structured bytes; about anything without contents.
func (p *Program) Store(contents ...[]byte) *Store {
	var roots []string // none stand for all
	for _, b := range contents {
		roots = p.in(b, roots)
	}
	slices.Sort(roots)
	key := strings.Join(slices.Compact(roots), "\n")
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.stores[key]
	if s == nil {
		fingerprint := p.fingerprint(roots)
		if s = p.stores[fingerprint]; s == nil {
			s = open(p.folder, fingerprint)
			p.stores[fingerprint] = s
		}
		p.stores[key] = s
	}
	return s
}

// in adds the program's classes that structured bytes name. Texts are behind their lengths there, of one byte or two; a text that only
// looks like a name does no harm.
func (p *Program) in(b []byte, names []string) []string {
	add := func(at, length int) {
		if length > len(b)-at {
			return
		}
		if c := p.classOf(b[at : at+length]); c != nil && !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	for at := 1; at < len(b); at++ {
		if p.begins[b[at]] {
			add(at, int(b[at-1]))
			if at > 1 {
				add(at, int(b[at-1])<<7|int(b[at-2]&0x7f))
			}
		}
	}
	return names
}

// classOf is the class of a name, be it of an array or of a lambda, which begins with the name of the class that makes it; nil
// if it is not the program's.
func (p *Program) classOf(name []byte) *Class {
	if element, array := bytes.CutPrefix(name, []byte("[")); array {
		name = bytes.TrimPrefix(bytes.TrimSuffix(bytes.TrimLeft(element, "["), []byte(";")), []byte("L"))
	}
	for end := len(name); end > 0; end = bytes.LastIndexByte(name[:end], '$') {
		if c := p.classes[string(name[:end])]; c != nil {
			return c
		}
	}
	return nil
}

// fingerprint is a hash of all that answers depend on which begin with some classes; none stand for all.
func (p *Program) fingerprint(roots []string) string {
	met := map[string]bool{}
	for open := slices.Clone(roots); len(open) > 0; {
		name := open[len(open)-1]
		open = open[:len(open)-1]
		if c := p.classes[name]; c != nil && !met[name] {
			met[name] = true
			open = append(open, c.Uses...)
			if c.Any {
				roots = nil
			}
		}
	}
	var names []string
	for name := range p.classes {
		if roots == nil || met[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	h := sha256.New()
	add := func(b []byte) {
		h.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(b))))
		h.Write(b)
	}
	add([]byte(p.common))
	for _, name := range names {
		c := p.classes[name]
		add([]byte(name))
		add(c.Code)
		add(fmt.Append(nil, len(c.Holds)))
		for _, b := range c.Holds {
			add(b)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Fingerprint gives hashes of each class and of the other facts on which answers depend, in texts.
func (p *Program) Fingerprint() (common string, classes map[string]string) {
	classes = map[string]string{}
	for name, c := range p.classes {
		h := sha256.New()
		h.Write(c.Code)
		for _, b := range c.Holds {
			h.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(b))))
			h.Write(b)
		}
		classes[name] = hex.EncodeToString(h.Sum(nil)[:8])
	}
	return p.common, classes
}

// any reports whether some store satisfies is, which is called for each store. A nil Program has no stores.
func (p *Program) any(is func(*Store) bool) bool {
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	found := false
	for _, s := range p.stores {
		found = is(s) || found
	}
	return found
}

// HasAny reports whether there are answers, or some were added.
func (p *Program) HasAny() bool { return p.any((*Store).HasAny) }

// Damaged reports whether some files were not as they were written, so that answers were lost.
func (p *Program) Damaged() bool { return p.any((*Store).Damaged) }

// Flush writes the added answers.
func (p *Program) Flush() {
	p.any(func(s *Store) bool {
		s.Flush()
		return false
	})
}
