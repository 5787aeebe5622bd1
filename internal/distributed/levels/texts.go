package levels

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"io"
	"slices"
	"sync"
)

// textsMagic is how a file of texts begins.
const textsMagic = "harrier texts 1\n"

// mostPacked is about how many bytes DEFLATE can pack into one.
const mostPacked = 1100

// deflaters are used again for other files, as each takes more memory than most files that it packs.
var deflaters = sync.Pool{New: func() any {
	w, _ := flate.NewWriter(nil, flate.BestSpeed) // the level is valid
	return w
}}

// Untold returns the components of run files that were written since the last call, in their order, but for
// components of files of texts that were read.
func (o *Order) Untold() []Component {
	o.mu.Lock()
	defer o.mu.Unlock()
	var fresh []Component
	for hash := range o.written {
		if !o.told[hash] {
			fresh = append(fresh, o.components[hash])
		}
	}
	clear(o.written)
	slices.SortFunc(fresh, o.compareComponents)
	return fresh
}

// WriteTexts writes a file of texts, those of some components, and returns its name.
func (o *Order) WriteTexts(to io.Writer, of []Component) (name string, err error) {
	var texts, packed bytes.Buffer
	for _, c := range of {
		text, err := o.Write(c.Position, c.ID)
		if err != nil {
			return "", err
		}
		texts.Write(binary.AppendUvarint(nil, uint64(len(text))))
		texts.Write(text)
	}
	packed.WriteString(textsMagic)
	packed.Write(binary.AppendUvarint(nil, uint64(texts.Len())))
	deflate := deflaters.Get().(*flate.Writer)
	defer deflaters.Put(deflate)
	deflate.Reset(&packed)
	_, _ = deflate.Write(texts.Bytes()) // to memory
	_ = deflate.Close()
	return WriteBytes(to, packed.Bytes())
}

// Knows reports whether a file of texts was read.
func (o *Order) Knows(name string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.texts[name]
}

// ReadTexts reads a file of texts, whose components run files may then have.
func (o *Order) ReadTexts(file File, name string) error {
	content, err := ReadBytes(file, name)
	if err != nil {
		return err
	}
	texts, problem := unpackedTexts(content)
	for len(texts) > 0 && problem == "" {
		n, k := binary.Uvarint(texts)
		if k <= 0 || n > uint64(len(texts)-k) {
			problem = "has texts without an end"
			break
		}
		position, id, err := o.Read(texts[k : k+int(n)])
		if err != nil {
			problem = "has a component that this program cannot have: " + err.Error()
			break
		}
		o.tell(Component{position, id})
		texts = texts[k+int(n):]
	}
	if problem != "" {
		return &DamagedError{name, problem}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.texts[name] = true
	return o.failed
}

// unpackedTexts are the texts in a file with some content.
func unpackedTexts(content []byte) (texts []byte, problem string) {
	packed, is := bytes.CutPrefix(content, []byte(textsMagic))
	size, k := binary.Uvarint(packed)
	if !is || k <= 0 {
		return nil, "is no file of texts of this version"
	}
	if packed = packed[k:]; size > mostPacked*uint64(len(packed)) {
		return nil, "has numbers that are too large"
	}
	texts = make([]byte, size)
	if _, err := io.ReadFull(flate.NewReader(bytes.NewReader(packed)), texts); err != nil {
		return nil, "has texts that cannot be unpacked"
	}
	return texts, ""
}

// tell notes that a file of texts has a component.
func (o *Order) tell(c Component) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.told[o.hash(c)] = true
}
