package serializer

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"sync"
)

// A canonical writes the bytes that Java would write for what a tree holds, whatever order
// its sets and maps are in and wherever in it a shared value comes first. docs/reference.md
// defines these bytes; Java's codec.graph.Encoder is the model for this one.
//
// The tree is read as a graph: a Ref stands for the value that it names, and each numbered
// value is written out where it is first met. So a tree may be changed before it is
// written: projection takes fields away, renaming gives names other texts.
type canonical struct {
	out      []byte
	asIs     bool     // the tree is written as it stands: refs, and the order of sets and maps
	numbered []*Value // what a Ref in the tree names, by number; may stand outside of the tree

	given []int // the new numbers of numbered values plus 1, by old number; 0 for none
	order []int // the old numbers, by new number
	base  int   // numbers from here on are local to the element whose key bytes are made
	refs  int   // how many refs were written

	members []member // those of the unordered collections that are being written
	runs    []int    // the old numbers of what the members' keys number
	spent   int      // how many key bytes were made
	limit   int      // how many may be
	err     error    // the first failure; what is written after it is meaningless
}

// outerRef is the tag of a ref, in key bytes, to a value outside of them.
const outerRef = 0xff

// Without sharing, key bytes take a few times the bytes of the value. Where elements share
// objects they can take more: the square of it for a set of linked nodes, exponentially
// many for sets inside shared elements of sets. A limit keeps hostile bytes from running
// long. It is far above what states of sensible programs take.
const (
	usualKeyBytes   = 1 << 23
	keyBytesPerByte = 64
)

// null is what the format has for an absent parameter and in an empty optional.
var null Value

// The slices of a canonical are worth using again: it is needed for each outcome of a step.
var canonicals = sync.Pool{New: func() any { return new(canonical) }}

// encodeCanonical gives the canonical bytes of a tree as Decode makes it, changed or not.
// Size is about how many bytes it came from.
func encodeCanonical(root *Value, numbered []*Value, size int) ([]byte, error) {
	c := canonicals.Get().(*canonical)
	defer canonicals.Put(c)
	*c = canonical{
		out: c.out[:0], order: c.order[:0], members: c.members[:0], runs: c.runs[:0],
		numbered: numbered,
		given:    zeros(c.given, len(numbered)),
		limit:    usualKeyBytes + keyBytesPerByte*size,
	}
	c.value(root, 1)
	c.numbered = nil // the pool must not keep trees
	if c.err != nil {
		return nil, c.err
	}
	return append([]byte(nil), c.out...), nil
}

// zeros returns n zeros, in s if it has room.
func zeros(s []int, n int) []int {
	if cap(s) < n {
		return make([]int, n)
	}
	s = s[:n]
	clear(s)
	return s
}

func (c *canonical) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("canonical bytes: "+format, args...)
	}
}

// value writes v at that level.
func (c *canonical) value(v *Value, level int) {
	if level > maxDepth && !c.asIs {
		c.fail("values nest more than %d deep", maxDepth)
	}
	if c.err != nil {
		return
	}
	if v.Kind == Ref && !c.asIs {
		v = c.numbered[v.Number]
	}
	if v.Kind.Numbered() && !c.asIs && c.known(v.Number) {
		return
	}
	c.out = appendStart(c.out, v)
	if v.Kind >= Optional {
		c.inner(v, level+1)
	}
}

// known writes a ref to the value of that old number if it has a new one, and gives it the
// next one otherwise.
func (c *canonical) known(old int) bool {
	number := c.given[old] - 1
	switch {
	case number < 0:
		c.give(old)
		return false
	case number >= c.base:
		c.out = binary.AppendUvarint(append(c.out, byte(Ref)), uint64(number-c.base))
	default:
		c.out = binary.AppendUvarint(append(c.out, outerRef), uint64(number))
	}
	c.refs++
	return true
}

func (c *canonical) give(old int) {
	c.order = append(c.order, old)
	c.given[old] = len(c.order)
}

// inner writes the values inside v, which are at that level.
func (c *canonical) inner(v *Value, level int) {
	switch v.Kind {
	case Optional:
		content := &null
		if len(v.Elements) > 0 {
			content = &v.Elements[0]
		}
		c.value(content, level)
	case Record, Object, Actor:
		c.fields(v, level)
	case Array, ImmutableList, NullableList:
		c.inOrder(v, level)
	case List, OrderedMap:
		c.value(cmp.Or(v.Parameter, &null), level)
		c.inOrder(v, level)
	case Set, Map:
		c.value(cmp.Or(v.Parameter, &null), level)
		c.unordered(v, level)
	case ImmutableSet, ImmutableMap:
		c.unordered(v, level)
	}
}

func (c *canonical) fields(v *Value, level int) {
	c.out = binary.AppendUvarint(c.out, uint64(len(v.Fields)))
	for i := range v.Fields {
		c.out = appendText(c.out, v.Fields[i].Name)
		c.value(&v.Fields[i].Value, level)
	}
}

// inOrder writes the elements or the entries, one of which v has none of, as they stand.
func (c *canonical) inOrder(v *Value, level int) {
	c.out = binary.AppendUvarint(c.out, uint64(len(v.Elements)+len(v.Entries)))
	for i := range v.Elements {
		c.value(&v.Elements[i], level)
	}
	for i := range v.Entries {
		c.value(&v.Entries[i].Key, level)
		c.value(&v.Entries[i].Value, level)
	}
}
