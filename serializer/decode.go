package serializer

import (
	"fmt"
	"math"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth is how deep values may nest. The outermost value is at level 1.
const maxDepth = 1000

// Decode reads one complete value. The error names the offset and what is wrong. The value
// shares no memory with b.
func Decode(b []byte) (Value, error) {
	d := decoder{in: string(b)}
	v := d.value(1)
	if left := len(d.in) - d.at; left > 0 {
		d.fail(d.at, "%d bytes left over", left)
	}
	if d.err != nil {
		return Value{}, d.err
	}
	return v, nil
}

// A decoder reads in from offset at onward. The first failure stays in err; what is read
// after it is meaningless, and every loop ends at it.
type decoder struct {
	in   string // a string, so that the texts of the tree are parts of it, not copies
	at   int
	next int // the number that the next numbered value gets
	refs int // how many refs have been read
	err  error
}

func (d *decoder) fail(at int, format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("structured bytes: offset %d: %s", at, fmt.Sprintf(format, args...))
	}
}

// value reads one value. Its content, if any, is at the next level.
func (d *decoder) value(level int) Value {
	at := d.at
	if level > maxDepth {
		d.fail(at, "values nest more than %d deep", maxDepth)
	}
	v := Value{Kind: Kind(d.byte())}
	if !v.Kind.known() {
		d.fail(at, "unknown tag %02x", uint8(v.Kind))
	}
	if v.Kind == Actor && level > 1 {
		d.fail(at, "an actor inside another value")
	}
	if d.err != nil {
		return v
	}
	if v.Kind.Numbered() {
		v.Number = d.next
		d.next++
	}
	if v.Kind < Optional {
		d.scalar(&v)
	} else {
		d.compound(&v, level+1)
	}
	return v
}

// scalar reads the content of a value that holds no other.
func (d *decoder) scalar(v *Value) {
	switch v.Kind {
	case Byte:
		v.Int = d.zigzag(math.MinInt8, math.MaxInt8)
	case Short:
		v.Int = d.zigzag(math.MinInt16, math.MaxInt16)
	case Int:
		v.Int = d.zigzag(math.MinInt32, math.MaxInt32)
	case Long:
		v.Int = d.zigzag(math.MinInt64, math.MaxInt64)
	case Char:
		v.Int = d.upTo(math.MaxUint16, "char")
	case Float:
		v.Int = d.bigEndian(4)
	case Double:
		v.Int = d.bigEndian(8)
	case String, Name:
		v.Text = d.text()
	case CodeUnits:
		d.codeUnits(v)
	case Enum:
		v.ClassName = d.text()
		v.Text = d.text()
	}
}

// compound reads the content of a value that may hold others, which are at that level.
func (d *decoder) compound(v *Value, level int) {
	switch v.Kind {
	case Optional:
		if content := d.value(level); content.Kind != Null {
			v.Elements = []Value{content}
		}
	case Ref:
		d.ref(v)
	case Actor:
		v.Text = d.text()
		v.Int = d.upTo(math.MaxInt32, "count of children")
		v.ClassName = d.text()
		v.Fields = d.fields(level)
	case Record, Object:
		v.ClassName = d.text()
		v.Fields = d.fields(level)
	case Array:
		v.ClassName = d.text()
		v.Elements = d.elements(level, false)
	case Bytes:
		v.Text = d.take(d.count())
	case List, Set:
		v.ClassName = d.text()
		v.Parameter = d.parameter(level)
		v.Elements = d.elements(level, v.Kind == Set)
	case Map, OrderedMap:
		v.ClassName = d.text()
		v.Parameter = d.parameter(level)
		v.Entries = d.entries(level, v.Kind == Map)
	case ImmutableList, NullableList, ImmutableSet:
		v.Elements = d.elements(level, v.Kind == ImmutableSet)
	case ImmutableMap:
		v.Entries = d.entries(level, true)
	}
}

// roomAtFirst is for how many values there is room before they are read, whatever a count promises: counts inside one another
// could promise far more than the bytes can hold.
const roomAtFirst = 8

// counted reads a count and as many values.
func counted[T any](d *decoder, read func() T) []T {
	n := d.count()
	if n == 0 {
		return nil
	}
	list := make([]T, 0, min(n, roomAtFirst))
	for ; n > 0 && d.err == nil; n-- {
		list = append(list, read())
	}
	return list
}

func (d *decoder) fields(level int) []Field {
	return counted(d, func() Field { return Field{Name: d.text(), Value: d.value(level)} })
}

func (d *decoder) elements(level int, sorted bool) []Value {
	keys := keyOrder{decoder: d, sorted: sorted}
	return counted(d, func() Value { return keys.next(level) })
}

func (d *decoder) entries(level int, sorted bool) []Entry {
	keys := keyOrder{decoder: d, sorted: sorted}
	return counted(d, func() Entry { return Entry{Key: keys.next(level), Value: d.value(level)} })
}

func (d *decoder) parameter(level int) *Value {
	v := d.value(level)
	if v.Kind == Null {
		return nil
	}
	return &v
}

// A keyOrder reads keys and checks that they come in order, if they are sorted. The key bytes of a value without refs are its
// bytes. Values with refs are passed over.
type keyOrder struct {
	*decoder
	sorted bool
	last   string
}

func (k *keyOrder) next(level int) Value {
	from, refs := k.at, k.refs
	v := k.value(level)
	if !k.sorted || k.err != nil || k.refs > refs {
		return v
	}
	key := k.in[from:k.at]
	if key < k.last {
		k.fail(from, "elements of a set or keys of a map out of order")
	}
	k.last = key
	return v
}

func (d *decoder) ref(v *Value) {
	at := d.at
	n := d.varint()
	if n >= uint64(d.next) {
		d.fail(at, "ref to number %d, which is not yet given", n)
		return
	}
	v.Number = int(n)
	d.refs++
}

func (d *decoder) codeUnits(v *Value) {
	at := d.at
	n := d.count()
	v.Text = d.take(2 * n)
	if d.err == nil && !hasUnpaired(v.units()) {
		d.fail(at, "a string of code units without an unpaired surrogate")
	}
}

func hasUnpaired(units []uint16) bool {
	for i := 0; i < len(units); i++ {
		if !utf16.IsSurrogate(rune(units[i])) {
			continue
		}
		if !pairAt(units, i) {
			return true
		}
		i++
	}
	return false
}

// pairAt reports whether a high and a low surrogate stand at i and i+1.
func pairAt(units []uint16, i int) bool {
	return i+1 < len(units) && utf16.DecodeRune(rune(units[i]), rune(units[i+1])) != utf8.RuneError
}
