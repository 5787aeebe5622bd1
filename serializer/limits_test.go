package serializer

import (
	"bytes"
	"runtime"
	"strings"
	"testing"

	"harrier/internal/testkit/must"
)

// nested gives optionals inside one another, with null in the innermost.
func nested(levels int) []byte {
	return append(bytes.Repeat([]byte{byte(Optional)}, levels-1), byte(True))
}

func TestDepth(t *testing.T) {
	v, err := Decode(nested(1000))
	if err != nil {
		t.Fatalf("1,000 levels: %v", err)
	}
	if !bytes.Equal(Encode(v), nested(1000)) || len(Diff(v, v)) > 0 || len(Format(v)) != 999*len("Optional[]")+len("true") {
		t.Error("1,000 levels do not survive")
	}
	for _, levels := range []int{1001, 1 << 20} {
		_, err := Decode(nested(levels))
		if err == nil || !strings.Contains(err.Error(), "offset 1000: values nest more than 1000 deep") {
			t.Errorf("%d levels: error %v", levels, err)
		}
	}
}

// Lists inside one another that all claim to hold as many values as there are bytes left.
func TestClaimsOfNestedCounts(t *testing.T) {
	var in []byte
	for range 900 {
		in = append(in, byte(ImmutableList), 0x80, 0x80, 0x04) // 65,536 elements
	}
	in = append(in, make([]byte, 1<<16)...)
	if got := allocated(func() { Decode(in) }); got > 1000*uint64(len(in)) {
		t.Errorf("%d bytes made Decode allocate %d", len(in), got)
	}
}

// The values that take most memory for their bytes.
func TestMemoryOfNulls(t *testing.T) {
	in := append([]byte{byte(ImmutableList), 0x80, 0x80, 0x40}, make([]byte, 1<<20)...)
	if got := allocated(func() { Decode(in) }); got > 1000*uint64(len(in)) {
		t.Errorf("%d bytes made Decode allocate %d", len(in), got)
	}
}

func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// The tree is not part of the bytes that it came from: callers use their buffers again.
func TestDecodeCopies(t *testing.T) {
	in := []byte{byte(String), 1, 'a'}
	v, err := Decode(in)
	in[2] = 'b'
	if err != nil || v.Text != "a" {
		t.Errorf("%v, %v", v, err)
	}
}

// Trees that no bytes give must not crash what reads them.
func TestMalformedTrees(t *testing.T) {
	for _, v := range []Value{
		{Kind: 0x77},
		{Kind: Ref, Number: 5},
		{Kind: Ref, Number: -1},
		{Kind: CodeUnits, Text: "odd"},
		{Kind: Char, Int: -1},
		{Kind: Map, Number: 9, Entries: []Entry{{}, {}}},
		{Kind: ImmutableList, Elements: []Value{{Kind: Actor}, {Kind: Object, Number: -3}}},
	} {
		Decode(Encode(v))
		Format(v)
		Diff(v, v)
		Diff(v, Value{Kind: Ref, Number: 7})
	}
}

func TestReading(t *testing.T) {
	v := must.Get(Decode(bytesOf(t, `20 "acceptor1" 02 "p.Paxos$Acceptor" 02 "promised" 05 02 "x" 09 3ff8000000000000`)))
	if v.Name() != "acceptor1" || v.Class() != "Acceptor" {
		t.Errorf("read as %s %s", v.Name(), v.Class())
	}
	x := v.Fields[1].Value
	if x.Float() != 1.5 || x.Name() != "" || x.Class() != "" {
		t.Errorf("x is %v", x)
	}
	if Kind(0x77).String() != "unknown" || Set.String() != "set" {
		t.Error("kinds are misnamed")
	}
}
