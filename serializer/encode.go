package serializer

import (
	"encoding/binary"
	"math"
)

// Encode gives the bytes of a tree: those from which Decode made it. It writes what the
// tree holds and checks nothing; from a tree that breaks the format's rules (an unsorted
// set, say, or a Ref to no value) it makes bytes that Decode need not accept.
func Encode(v Value) []byte {
	c := canonical{asIs: true, limit: math.MaxInt}
	c.value(&v, 1)
	return c.out
}

// appendStart writes what comes before the values inside v, which is all of v if its kind
// holds none.
func appendStart(b []byte, v *Value) []byte {
	b = append(b, byte(v.Kind))
	switch v.Kind {
	case Byte, Short, Int, Long:
		return binary.AppendVarint(b, v.Int)
	case Char:
		return binary.AppendUvarint(b, uint64(v.Int))
	case Float:
		return binary.BigEndian.AppendUint32(b, uint32(v.Int))
	case Double:
		return binary.BigEndian.AppendUint64(b, uint64(v.Int))
	case String, Name, Bytes:
		return appendText(b, v.Text)
	case CodeUnits:
		return append(binary.AppendUvarint(b, uint64(len(v.Text)/2)), v.Text...)
	case Enum:
		return appendText(appendText(b, v.ClassName), v.Text)
	case Actor:
		b = binary.AppendUvarint(appendText(b, v.Text), uint64(v.Int))
		return appendText(b, v.ClassName)
	case Record, Object, Array, List, Set, Map, OrderedMap:
		return appendText(b, v.ClassName)
	case Ref:
		return binary.AppendUvarint(b, uint64(v.Number))
	}
	return b
}
