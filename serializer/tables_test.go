package serializer

import (
	"encoding/hex"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"harrier/internal/testkit/must"

	"github.com/google/go-cmp/cmp"
)

// bytesOf reads hex in which white space parts the pieces and "quoted" stands for a string of
// the format: its length and its bytes.
func bytesOf(t testing.TB, s string) []byte {
	t.Helper()
	var b []byte
	for i, part := range strings.Split(s, `"`) {
		if i%2 == 1 {
			b = appendText(b, part)
			continue
		}
		raw, err := hex.DecodeString(strings.Join(strings.Fields(part), ""))
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		b = append(b, raw...)
	}
	return b
}

// A sample is a case of a file of testdata: values as bytesOf reads them, and what is expected.
type sample struct {
	name, before, after string
	more                []string
}

// readSamples reads a file in which each sample has a line "## name", a line for each value, and further ones. Lines that begin with a
// space go on with the one before, and other lines that begin with # are comments.
func readSamples(t testing.TB, path string) (samples []sample) {
	t.Helper()
	b := must.Get(os.ReadFile(path))
	for _, text := range strings.Split(strings.ReplaceAll(string(b), "\n  ", " "), "\n## ")[1:] {
		lines := slices.DeleteFunc(strings.Split(strings.TrimSpace(text), "\n"), func(line string) bool { return strings.HasPrefix(line, "#") })
		samples = append(samples, sample{lines[0], lines[1], lines[2], lines[3:]})
	}
	return samples
}

func int32Value(n int64) Value   { return Value{Kind: Int, Int: n} }
func stringValue(s string) Value { return Value{Kind: String, Text: s} }

func object(number int, class string, fields ...Field) Value {
	return Value{Kind: Object, Number: number, ClassName: class, Fields: fields}
}

// Every tag, its content, and how it reads.
var valid = []struct {
	name, bytes string
	value       Value
	text        string
}{
	{"null", "00", Value{}, "null"},
	{"false", "01", Value{Kind: False}, "false"},
	{"true", "02", Value{Kind: True}, "true"},
	{"smallest byte", "03 ff01", Value{Kind: Byte, Int: -128}, "-128"},
	{"largest byte", "03 fe01", Value{Kind: Byte, Int: 127}, "127"},
	{"short", "04 ffff03", Value{Kind: Short, Int: -32768}, "-32768"},
	{"int", "05 54", int32Value(42), "42"},
	{"smallest int", "05 ffffffff0f", int32Value(-1 << 31), "-2147483648"},
	{"smallest long", "06 ffffffffffffffffff01", Value{Kind: Long, Int: -1 << 63}, "-9223372036854775808"},
	{"largest long", "06 feffffffffffffffff01", Value{Kind: Long, Int: 1<<63 - 1}, "9223372036854775807"},
	{"char", "07 63", Value{Kind: Char, Int: 'c'}, "'c'"},
	{"char that is quoted", "07 0a", Value{Kind: Char, Int: '\n'}, `'\n'`},
	{"char that is a surrogate", "07 80b003", Value{Kind: Char, Int: 0xd800}, `'\ud800'`},
	{"largest char", "07 ffff03", Value{Kind: Char, Int: 0xffff}, `'\uffff'`},
	{"float", "08 3fc00000", Value{Kind: Float, Int: 0x3fc00000}, "1.5"},
	{"float, shortest as a float", "08 3dcccccd", Value{Kind: Float, Int: 0x3dcccccd}, "0.1"},
	{"float with the highest bit", "08 ff800000", Value{Kind: Float, Int: 0xff800000}, "-Inf"},
	{"double", "09 3fb999999999999a", Value{Kind: Double, Int: 0x3fb999999999999a}, "0.1"},
	{"minus zero", "09 8000000000000000", Value{Kind: Double, Int: -1 << 63}, "-0"},
	{"infinity", "09 7ff0000000000000", Value{Kind: Double, Int: 0x7ff0000000000000}, "+Inf"},
	{"NaN with a payload", "09 7ff8000000000001", Value{Kind: Double, Int: 0x7ff8000000000001}, "NaN"},
	{"string", `0a "str"`, stringValue("str"), `"str"`},
	{"string that is quoted", "0a 05 61 0a e282ac", stringValue("a\n€"), `"a\n€"`},
	{"code units", "0b 04 0061 d800 d83d de00", Value{Kind: CodeUnits, Text: "\x00a\xd8\x00\xd8\x3d\xde\x00"}, `"a\ud800😀"`},
	{"code units, low before high", "0b 02 de00 d83d", Value{Kind: CodeUnits, Text: "\xde\x00\xd8\x3d"}, `"\ude00\ud83d"`},
	{"name", `0c "acceptor1"`, Value{Kind: Name, Text: "acceptor1"}, "acceptor1"},
	{"name that is quoted", `0c 03 61 0a 62`, Value{Kind: Name, Text: "a\nb"}, `"a\nb"`},
	{"name that is empty", "0c 00", Value{Kind: Name}, `""`},
	{"enum constant", `0d "p.Raft$Role" "LEADER"`, Value{Kind: Enum, ClassName: "p.Raft$Role", Text: "LEADER"}, "LEADER"},
	{"empty optional", "0e 00", Value{Kind: Optional}, "Optional.empty"},
	{"optional", "0e 05 02", Value{Kind: Optional, Elements: []Value{int32Value(1)}}, "Optional[1]"},
	{"ref", `11 "p.Node" 01 "next" 0f 00`, object(0, "p.Node", Field{"next", Value{Kind: Ref}}), "Node{next=^Node}"},
	{"record", `10 "p.Paxos$Prepare" 01 "ballot" 05 02`,
		Value{Kind: Record, ClassName: "p.Paxos$Prepare", Fields: []Field{{"ballot", int32Value(1)}}}, "Prepare(ballot=1)"},
	{"record without fields", `10 "Tick" 00`, Value{Kind: Record, ClassName: "Tick"}, "Tick()"},
	{"object", `11 "Acceptor" 02 "promised" 05 02 "value" 00`,
		object(0, "Acceptor", Field{"promised", int32Value(1)}, Field{"value", Value{}}), "Acceptor{promised=1, value=null}"},
	{"class whose name ends with $", `11 "p.Main$" 00`, object(0, "p.Main$"), "Main{}"},
	{"array", `12 "int" 02 05 02 05 04`,
		Value{Kind: Array, ClassName: "int", Elements: []Value{int32Value(1), int32Value(2)}}, "[1, 2]"},
	{"bytes", "13 02 0a0b", Value{Kind: Bytes, Text: "\x0a\x0b"}, "0x0a0b"},
	{"list", `14 "java.util.ArrayList" 00 02 00 0a "x"`,
		Value{Kind: List, ClassName: "java.util.ArrayList", Elements: []Value{{}, stringValue("x")}}, `[null, "x"]`},
	{"list with a parameter", `14 "java.util.TreeSet" 11 "C" 00 01 11 "D" 00`,
		Value{Kind: List, ClassName: "java.util.TreeSet", Parameter: &Value{Kind: Object, Number: 1, ClassName: "C"}, Elements: []Value{object(2, "D")}}, "{D{}}"},
	{"set", `15 "java.util.HashSet" 00 02 05 02 05 04`,
		Value{Kind: Set, ClassName: "java.util.HashSet", Elements: []Value{int32Value(1), int32Value(2)}}, "{1, 2}"},
	{"set with equal elements", `15 "S" 00 02 11 "A" 00 11 "A" 00`,
		Value{Kind: Set, ClassName: "S", Elements: []Value{object(1, "A"), object(2, "A")}}, "{A{}, A{}}"},
	{"set whose refs are not compared", `15 "S" 00 03 05 02 0f 00 05 02`,
		Value{Kind: Set, ClassName: "S", Elements: []Value{int32Value(1), {Kind: Ref}, int32Value(1)}}, "{1, ^set, 1}"},
	{"map", `16 "java.util.HashMap" 00 02 05 02 02 05 04 01`,
		Value{Kind: Map, ClassName: "java.util.HashMap", Entries: []Entry{{int32Value(1), Value{Kind: True}}, {int32Value(2), Value{Kind: False}}}}, "{1: true, 2: false}"},
	{"ordered map", `17 "java.util.EnumMap" 0a "Role" 02 05 04 02 05 02 01`,
		Value{Kind: OrderedMap, ClassName: "java.util.EnumMap", Parameter: &Value{Kind: String, Text: "Role"},
			Entries: []Entry{{int32Value(2), Value{Kind: True}}, {int32Value(1), Value{Kind: False}}}}, "{2: true, 1: false}"},
	{"immutable list", "18 02 05 04 05 02", Value{Kind: ImmutableList, Elements: []Value{int32Value(2), int32Value(1)}}, "[2, 1]"},
	{"immutable list that takes null", "1b 02 05 04 00", Value{Kind: NullableList, Elements: []Value{int32Value(2), {}}}, "[2, null]"},
	{"empty immutable list", "18 00", Value{Kind: ImmutableList}, "[]"},
	{"immutable set", "19 01 05 02", Value{Kind: ImmutableSet, Elements: []Value{int32Value(1)}}, "{1}"},
	{"immutable map", "1a 01 05 02 00", Value{Kind: ImmutableMap, Entries: []Entry{{int32Value(1), Value{}}}}, "{1: null}"},
	{"actor", `20 "acceptor1" c801 "p.Acceptor" 01 "promised" 05 02`,
		Value{Kind: Actor, Text: "acceptor1", Int: 200, ClassName: "p.Acceptor", Fields: []Field{{"promised", int32Value(1)}}}, "acceptor1: Acceptor{promised=1}"},
}

func TestValid(t *testing.T) {
	tags := map[Kind]bool{}
	for _, c := range valid {
		t.Run(c.name, func(t *testing.T) {
			in := bytesOf(t, c.bytes)
			v := must.Get(Decode(in))
			if diff := cmp.Diff(c.value, v); diff != "" {
				t.Errorf("Decode (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(in, Encode(v)); diff != "" {
				t.Errorf("Encode (-want +got):\n%s", diff)
			}
			if got := Format(v); got != c.text {
				t.Errorf("Format gives %s, want %s", got, c.text)
			}
			if changes := Diff(v, v); len(changes) > 0 {
				t.Errorf("Diff with itself: %v", changes)
			}
		})
		tags[c.value.Kind] = true
		c.value.Each(func(inner *Value) { tags[inner.Kind] = true })
	}
	for kind := range Kind(0xff) {
		if kind.known() && !tags[kind] {
			t.Errorf("no case for tag %02x, %v", uint8(kind), kind)
		}
	}
}

// Every refusal, with the offset that it names and a part of what it says.
var refused = []struct {
	name, bytes string
	offset      int
	says        string
}{
	{"nothing", "", 0, "end too early"},
	{"a byte left over", "00 00", 1, "1 bytes left over"},
	{"bytes left over", "00 00 00", 1, "2 bytes left over"},
	{"unknown tag between", "18 01 1c", 2, "unknown tag 1c"},
	{"unknown tag above", "21", 0, "unknown tag 21"},
	{"key byte", "ff 00", 0, "unknown tag ff"},
	{"varint cut short", "06 80", 2, "end too early"},
	{"varint not shortest", "06 8000", 1, "shortest form"},
	{"varint not shortest, ten bytes", "06 80808080808080808000", 1, "shortest form"},
	{"varint of 65 bits", "06 80808080808080808002", 1, "more than 64 bits"},
	{"varint of eleven bytes", "06 ffffffffffffffffff8101", 1, "more than 64 bits"},
	{"count not shortest", "18 8100 00", 1, "shortest form"},
	{"byte too large", "03 8002", 1, "128 is not between"},
	{"byte too small", "03 8102", 1, "-129 is not between"},
	{"short too large", "04 808004", 1, "32768 is not between"},
	{"short too small", "04 818004", 1, "-32769 is not between"},
	{"int too large", "05 8080808010", 1, "2147483648 is not between"},
	{"int too small", "05 8180808010", 1, "-2147483649 is not between"},
	{"char too large", "07 808004", 1, "char 65536 is above 65535"},
	{"float cut short", "08 000000", 1, "4 bytes wanted, 3 left"},
	{"double cut short", "09 00000000000000", 1, "8 bytes wanted, 7 left"},
	{"string longer than the bytes", "0a 03 6161", 1, "count of 3 with 2 bytes left"},
	{"string not UTF-8", "0a 02 61ff", 2, "not UTF-8"},
	{"string with an overlong form", "0a 02 c080", 2, "not UTF-8"},
	{"string with a surrogate", "0a 03 eda080", 2, "not UTF-8"},
	{"name not UTF-8", "0c 01 80", 2, "not UTF-8"},
	{"class not UTF-8", "10 01 80 00", 2, "not UTF-8"},
	{"field name not UTF-8", `10 "A" 01 01 80 00`, 5, "not UTF-8"},
	{"constant not UTF-8", `0d "A" 01 80`, 4, "not UTF-8"},
	{"code units longer than the bytes", "0b 02 d800 d8", 2, "4 bytes wanted, 3 left"},
	{"no code units", "0b 00", 1, "without an unpaired surrogate"},
	{"code units of plain text", "0b 01 0061", 1, "without an unpaired surrogate"},
	{"code units all paired", "0b 04 d83d de00 d83d de00", 1, "without an unpaired surrogate"},
	{"optional cut short", "0e", 1, "end too early"},
	{"ref to nothing", "0f 00", 1, "number 0, which is not yet given"},
	{"ref to a later value", `18 02 0f 00 11 "A" 00`, 3, "number 0, which is not yet given"},
	{"ref to a record", `18 02 10 "A" 00 0f 00`, 7, "number 0, which is not yet given"},
	{"ref beyond all numbers", `11 "A" 01 "f" 0f ffffffffffffffffff01`, 7, "not yet given"},
	{"fields cut short", `10 "A" 02 "f" 00`, 7, "end too early"},
	{"more fields than bytes", `11 "A" 02 00`, 3, "count of 2 with 1 bytes left"},
	{"more elements than bytes", `12 "int" 02 00`, 5, "count of 2 with 1 bytes left"},
	{"more bytes than bytes", "13 02 00", 1, "count of 2 with 1 bytes left"},
	{"a huge count", "18 ffffffffffffffffff01 00", 1, "count of 18446744073709551615"},
	{"more entries than bytes", "1a 02 00", 1, "count of 2 with 1 bytes left"},
	{"entry without a value", "1a 01 00", 3, "end too early"},
	{"list without a count", `14 "L" 00`, 4, "end too early"},
	{"set out of order", `15 "S" 00 02 05 04 05 02`, 7, "out of order"},
	{"set out of order about a ref", `15 "S" 00 03 05 04 0f 00 05 02`, 9, "out of order"},
	{"immutable set out of order", "19 02 0a 01 61 05 02", 5, "out of order"},
	{"map out of order", `16 "M" 00 02 05 04 00 05 02 00`, 8, "out of order"},
	{"immutable map out of order", "1a 02 05 04 00 05 02 00", 5, "out of order"},
	{"actor in a list", `18 01 20 "a" 00 "A" 00`, 2, "an actor inside another value"},
	{"actor in an actor", `20 "a" 00 "A" 01 "f" 20 "b" 00 "B" 00`, 9, "an actor inside another value"},
	{"too many children", `20 "a" 8080808008 "A" 00`, 3, "count of children 2147483648"},
	{"actor cut short", `20 "a" 00 "A"`, 6, "end too early"},
}

func TestRefused(t *testing.T) {
	for _, c := range refused {
		t.Run(c.name, func(t *testing.T) {
			v, err := Decode(bytesOf(t, c.bytes))
			if err == nil {
				t.Fatalf("decoded as %s", Format(v))
			}
			want := "structured bytes: offset " + strconv.Itoa(c.offset) + ": "
			if !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %q, want offset %d and %q", err, c.offset, c.says)
			}
			if diff := cmp.Diff(Value{}, v); diff != "" {
				t.Errorf("a value beside the error:\n%s", diff)
			}
		})
	}
}

// The values that docs/reference.md marks with a star, and only these, can be named by a ref.
func TestNumbered(t *testing.T) {
	const starred = "\x11\x12\x13\x14\x15\x16\x17\x20"
	for _, c := range valid {
		if c.value.Kind == Actor || strings.Contains(c.text, "^") {
			continue // an actor can be in no list; a ref would make the numbers differ
		}
		inner := bytesOf(t, c.bytes)
		in := append(append([]byte{byte(ImmutableList), 2}, inner...), byte(Ref), 0)
		_, err := Decode(in)
		if named := err == nil; named != strings.Contains(starred, string(inner[:1])) {
			t.Errorf("%s: ref to it: %v", c.name, err)
		}
	}
}

// Every proper prefix of valid bytes is refused.
func TestPrefixes(t *testing.T) {
	for _, c := range valid {
		in := bytesOf(t, c.bytes)
		for n := range in {
			if v, err := Decode(in[:n]); err == nil {
				t.Errorf("%s: the first %d bytes decode as %s", c.name, n, Format(v))
			}
		}
	}
}
