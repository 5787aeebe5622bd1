package levels

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"harrier/internal/process/files"
)

// A Manifest makes a level complete: it names its files. It is written once, after them, and nothing else makes a level complete.
type Manifest struct {
	Level   int
	Variant string          // of the search
	Before  string          // the hash of the manifest of the level before; "" for the first
	States  int             // of the level
	Run     string          // the name of the run file with the states
	Texts   string          // the name of the file with the texts of components that no level before has; "" for none
	News    string          // the name of the file with what else the search has to know to go on
	Search  json.RawMessage // what the search found up to the end of the level
}

// A Place is where the levels of a search are kept.
type Place struct {
	Folder  string                   // of this variant of the search only
	Key     []byte                   // of the seals of manifests
	Every   time.Duration            // how much time is at least between two times that manifests are written; 0 for none
	Flush   func()                   // called before manifests are written; nil for nothing
	Scratch func() (*os.File, error) // makes an empty file of which nothing is left when it is closed or the process ends
}

// A Chain is the levels of a search that are complete, from the first one on. One goroutine may use it at a time.
type Chain struct {
	Place
	variant   string
	manifests []Manifest
	written   int // how many of the manifests are in the folder
	sum       string
	last      time.Time // when manifests were written
}

const (
	manifestEnding = ".manifest"
	writingPrefix  = "writing-"
)

func manifestName(level int) string { return fmt.Sprintf("%08d%s", level, manifestEnding) }

// OpenChain reads the manifests of a search, and makes the folder if there is none. A manifest that is missing, torn, of another search or
// too many is a *DamagedError. Files that no manifest names were left by a process that was killed: they are removed.
func OpenChain(p Place, variant string) (*Chain, error) {
	c := &Chain{Place: p, variant: variant, last: time.Now()}
	if err := os.MkdirAll(p.Folder, 0o700); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(p.Folder)
	if err != nil {
		return nil, err
	}
	named := map[string]bool{}
	for _, e := range entries { // in the order of their names
		if !strings.HasSuffix(e.Name(), manifestEnding) {
			continue
		}
		m, err := c.readManifest(e.Name())
		if err != nil {
			return nil, err
		}
		named[m.Run], named[m.Texts], named[m.News] = true, true, true
	}
	for _, e := range entries {
		if name := e.Name(); !named[name] && !strings.HasSuffix(name, manifestEnding) {
			_ = os.Remove(filepath.Join(p.Folder, name))
		}
	}
	c.written = len(c.manifests)
	return c, nil
}

// readManifest takes over the next manifest, which has a name.
func (c *Chain) readManifest(name string) (m Manifest, err error) {
	level := len(c.manifests)
	switch {
	case name != manifestName(level):
		return m, &DamagedError{filepath.Join(c.Folder, manifestName(level)), "is missing"}
	case !files.ReadSealed(filepath.Join(c.Folder, name), c.Key, &m):
		return m, &DamagedError{filepath.Join(c.Folder, name), "is torn or was changed"}
	case m.Level != level || m.Before != c.sum || m.Variant != c.variant:
		return m, &DamagedError{filepath.Join(c.Folder, name), "is of another search"}
	}
	c.add(m)
	return m, nil
}

func (c *Chain) add(m Manifest) {
	c.manifests = append(c.manifests, m)
	text, _ := json.Marshal(m) // it has numbers and texts
	sum := sha256.Sum256(text)
	c.sum = hex.EncodeToString(sum[:])
}

// Levels are the manifests of the levels that are complete.
func (c *Chain) Levels() []Manifest { return c.manifests }

// Sum identifies all levels that are complete.
func (c *Chain) Sum() string { return c.sum }

// Open opens a file that a manifest names.
func (c *Chain) Open(name string) (*os.File, error) {
	f, err := files.OpenRegular(filepath.Join(c.Folder, name))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, files.ErrIrregular) {
		return nil, &DamagedError{filepath.Join(c.Folder, name), "is missing"}
	}
	return f, err
}

// OpenRun opens the run file of a level. The order has the texts of the levels before.
func (c *Chain) OpenRun(level int, o *Order) (*Run, error) {
	m := c.manifests[level]
	if err := c.readTexts(m.Texts, o); err != nil {
		return nil, err
	}
	f, err := c.Open(m.Run)
	if err != nil {
		return nil, err
	}
	r, err := Open(f, m.Run, o)
	if err == nil && r.States != m.States {
		err = r.blocks.damaged("has another number of states than its manifest says")
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return r, nil
}

// News reads the news of a level.
func (c *Chain) News(level int) ([]byte, error) {
	f, err := c.Open(c.manifests[level].News)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadBytes(f, c.manifests[level].News)
}

// WriteRun writes a run file, and the texts of components that no level before has, and returns their names.
func (c *Chain) WriteRun(o *Order, of Contents) (name, texts string, err error) {
	name, err = c.write(func(to io.Writer) (string, error) { return Write(to, o, of) })
	fresh := o.Untold()
	if len(fresh) == 0 || err != nil {
		return name, "", err
	}
	if texts, err = c.write(func(to io.Writer) (string, error) { return o.WriteTexts(to, fresh) }); err == nil {
		err = c.readTexts(texts, o)
	}
	return name, texts, err
}

// readTexts reads a file of texts, unless the order has them; "" is none.
func (c *Chain) readTexts(name string, o *Order) error {
	if name == "" || o.Knows(name) {
		return nil
	}
	f, err := c.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return o.ReadTexts(f, name)
}

// WriteNews writes a file of news and returns its name.
func (c *Chain) WriteNews(content []byte) (name string, err error) {
	return c.write(func(to io.Writer) (string, error) { return WriteBytes(to, content) })
}

// write writes a file under the name that it turns out to have, unless it is there.
func (c *Chain) write(content func(to io.Writer) (name string, err error)) (name string, err error) {
	f, err := os.CreateTemp(c.Folder, writingPrefix)
	if err != nil {
		return "", err
	}
	name, err = content(limited{f})
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(c.Folder, name))
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return name, err
}

// limited is a file whose disk may be full.
type limited struct{ *os.File }

func (f limited) Write(b []byte) (int, error) { return write(f.File, b) }

// write writes to a file. It is a variable for tests.
var write = (*os.File).Write

// Add makes the next level complete. Its files are written.
func (c *Chain) Add(m Manifest) error {
	m.Level, m.Variant, m.Before = len(c.manifests), c.variant, c.sum
	c.add(m)
	if time.Since(c.last) < c.Every {
		return nil
	}
	return c.Sync()
}

// Sync writes the manifests that are not written yet, once their files are on the disk.
func (c *Chain) Sync() error {
	if c.written == len(c.manifests) {
		return nil
	}
	if c.Flush != nil {
		c.Flush()
	}
	for _, m := range c.manifests[c.written:] {
		for _, name := range []string{m.Run, m.Texts, m.News} {
			if name == "" {
				continue
			}
			if err := c.sync(name); err != nil {
				return err
			}
		}
	}
	for _, m := range c.manifests[c.written:] {
		if err := c.writeManifest(m); err != nil {
			return err
		}
		c.written++
	}
	c.last = time.Now()
	return c.sync("")
}

// sync has a file, or with no name the folder, come to the disk.
func (c *Chain) sync(name string) error {
	f, err := os.Open(filepath.Join(c.Folder, name))
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// writeManifest writes a manifest unless there is one of its level.
func (c *Chain) writeManifest(m Manifest) error {
	path, whole := filepath.Join(c.Folder, manifestName(m.Level)), filepath.Join(c.Folder, writingPrefix+"manifest")
	if err := files.WriteSealed(whole, c.Key, m); err != nil {
		return err
	}
	err := errors.Join(c.sync(filepath.Base(whole)), os.Link(whole, path))
	return errors.Join(err, os.Remove(whole))
}
