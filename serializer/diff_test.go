package serializer

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

var diffs = []struct {
	name, before, after string
	want                []Change
}{
	{"two fields of an actor",
		`20 "a1" 00 "Acceptor" 03 "promised" 05 02 "accepted" 05 00 "value" 00`,
		`20 "a1" 00 "Acceptor" 03 "promised" 05 04 "accepted" 05 00 "value" 05 0e`,
		[]Change{{"promised", "1", "2"}, {"value", "null", "7"}}},
	{"children",
		`20 "root" 01 "Root" 01 "n" 05 02`,
		`20 "root" 03 "Root" 01 "n" 05 04`,
		[]Change{{"n", "1", "2"}, {"children", "1", "3"}}},
	{"what an actor has beside its fields",
		`20 "a" 00 "A" 02 "n" 05 02 "pending timers" 18 01 0a "tick"`,
		`20 "a" 00 "A" 03 "n" 05 04 "waiting tasks" 18 00 "logical clock" 0a "then"`,
		[]Change{{"n", "1", "2"}, {"pending timers", `["tick"]`, "absent"}, {"waiting tasks", "absent", "[]"},
			{"logical clock", "absent", `"then"`}}},
	{"what an actor still has beside its fields",
		`20 "a" 00 "A" 02 "pending timers" 18 01 05 02 "waiting tasks" 18 00`,
		`20 "a" 00 "A" 02 "waiting tasks" 18 00 "logical clock" 0a "then"`,
		[]Change{{"pending timers", "[1]", "absent"}, {"logical clock", "absent", `"then"`}}},
	{"other fields of an object",
		`11 "P" 01 "x" 05 02`,
		`11 "P" 02 "x" 05 02 "y" 05 02`,
		[]Change{{"", "P{x=1}", "P{x=1, y=1}"}}},
	{"an actor of another class",
		`20 "a" 00 "Follower" 00`,
		`20 "a" 00 "Leader" 00`,
		[]Change{{"", "a: Follower{}", "a: Leader{}"}}},
	{"a field of an object in a field",
		`20 "a" 00 "A" 01 "log" 11 "Log" 02 "term" 05 02 "size" 05 02`,
		`20 "a" 00 "A" 01 "log" 11 "Log" 02 "term" 05 04 "size" 05 02`,
		[]Change{{"log.term", "1", "2"}}},
	{"a field of a record in a list",
		`20 "a" 00 "A" 01 "log" 14 "L" 00 02 10 "E" 01 "term" 05 02 10 "E" 01 "term" 05 02`,
		`20 "a" 00 "A" 01 "log" 14 "L" 00 02 10 "E" 01 "term" 05 02 10 "E" 01 "term" 05 04`,
		[]Change{{"log[1].term", "1", "2"}}},
	{"a list that grew",
		`20 "a" 00 "A" 01 "log" 14 "L" 00 01 05 02`,
		`20 "a" 00 "A" 01 "log" 14 "L" 00 02 05 02 05 04`,
		[]Change{{"log", "[1]", "[1, 2]"}}},
	{"elements of an array",
		`12 "int" 02 05 02 05 04`,
		`12 "int" 02 05 06 05 08`,
		[]Change{{"[0]", "1", "3"}, {"[1]", "2", "4"}}},
	{"bytes", "13 01 0a", "13 01 0b", []Change{{"", "0x0a", "0x0b"}}},
	{"keys of a map",
		`20 "a" 00 "A" 01 "votes" 16 "M" 00 03 05 02 02 05 04 02 05 06 02`,
		`20 "a" 00 "A" 01 "votes" 16 "M" 00 03 05 02 02 05 06 01 05 08 02`,
		[]Change{{"votes[2]", "true", "absent"}, {"votes[3]", "true", "false"}, {"votes[4]", "absent", "true"}}},
	{"a field of a map's value, by name",
		`1a 01 0c "a1" 10 "P" 01 "n" 05 02`,
		`1a 01 0c "a1" 10 "P" 01 "n" 05 04`,
		[]Change{{"[a1].n", "1", "2"}}},
	{"a key of a list in a map",
		`17 "M" 00 01 0a "x" 18 01 05 02`,
		`17 "M" 00 01 0a "x" 18 01 05 04`,
		[]Change{{`["x"][0]`, "1", "2"}}},
	{"the order of an ordered map",
		`17 "M" 00 02 05 02 00 05 04 00`,
		`17 "M" 00 02 05 04 00 05 02 00`,
		[]Change{{"", "{1: null, 2: null}", "{2: null, 1: null}"}}},
	{"keys with the same text",
		`1a 02 05 02 01 06 02 01`,
		`1a 02 05 02 01 06 02 02`,
		[]Change{{"", "{1: false, 1: false}", "{1: false, 1: true}"}}},
	{"a set as a whole",
		`20 "a" 00 "A" 02 "seen" 19 02 05 02 05 04 "n" 05 02`,
		`20 "a" 00 "A" 02 "seen" 19 02 05 02 05 06 "n" 05 04`,
		[]Change{{"seen", "{1, 2}", "{1, 3}"}, {"n", "1", "2"}}},
	{"an optional as a whole",
		`10 "R" 02 "a" 0e 00 "b" 0e 05 02`,
		`10 "R" 02 "a" 0e 05 02 "b" 0e 05 04`,
		[]Change{{"a", "Optional.empty", "Optional[1]"}, {"b", "Optional[1]", "Optional[2]"}}},
	{"records of different classes",
		`18 01 10 "p.A" 01 "n" 05 02`,
		`18 01 10 "p.B" 01 "n" 05 02`,
		[]Change{{"[0]", "A(n=1)", "B(n=1)"}}},
	{"kinds with the same text", "05 02", "06 02", []Change{{"", "int 1", "long 1"}}},
	{"classes with the same text",
		`14 "java.util.ArrayList" 00 00`,
		`14 "java.util.LinkedList" 00 00`,
		[]Change{{"", "list java.util.ArrayList []", "list java.util.LinkedList []"}}},
	{"a comparator",
		`14 "TreeSet" 00 00`,
		`14 "TreeSet" 0a "reverse" 00`,
		[]Change{{"", "list TreeSet []", "list TreeSet []"}}},
	{"a key that became another kind",
		`1a 01 05 02 01`,
		`1a 01 06 02 01`,
		[]Change{{"[1]", "int 1", "long 1"}}},
	{"a value that reads as absent",
		`1a 00`,
		`1a 01 05 02 0c "absent"`,
		[]Change{{"[1]", "absent", "name absent"}}},
	{"NaNs", "09 7ff8000000000000", "09 7ff8000000000001", []Change{{"", "double NaN", "double NaN"}}},

	// References. Objects are numbered from 0 as they appear; the actor itself is 0.
	{"a ref back to a part that changed",
		`20 "a" 00 "A" 02 "n" 05 02 "inner" 11 "I" 01 "this$0" 0f 00`,
		`20 "a" 00 "A" 02 "n" 05 04 "inner" 11 "I" 01 "this$0" 0f 00`,
		[]Change{{"n", "1", "2"}}},
	{"a ref whose number moved",
		`20 "a" 00 "A" 03 "new" 00 "x" 11 "X" 00 "y" 0f 01`,
		`20 "a" 00 "A" 03 "new" 11 "N" 00 "x" 11 "X" 00 "y" 0f 02`,
		[]Change{{"new", "null", "N{}"}}},
	{"a ref to another object that reads the same",
		`18 03 11 "X" 00 11 "X" 00 0f 00`,
		`18 03 11 "X" 00 11 "X" 00 0f 01`,
		[]Change{{"[2]", "^0 X{}", "^1 X{}"}}},
	{"a ref into a list that grew",
		`18 03 18 00 11 "X" 00 0f 00`,
		`18 03 18 01 11 "X" 00 11 "X" 00 0f 01`,
		[]Change{{"[0]", "[]", "[X{}]"}}},
	{"refs into a list that grew at its front",
		`18 03 18 01 11 "X" 00 0f 00 0f 00`,
		`18 03 18 02 11 "Y" 00 11 "X" 00 0f 01 0f 00`,
		[]Change{{"[0]", "[X{}]", "[Y{}, X{}]"}, {"[2]", "^0 X{}", "^0 Y{}"}}},
	{"a ref to an element of a set that changed",
		`18 02 19 02 05 02 11 "X" 01 "n" 05 02 0f 00`,
		`18 02 19 02 05 02 11 "X" 01 "n" 05 04 0f 00`,
		[]Change{{"[0]", "{1, X{n=1}}", "{1, X{n=2}}"}, {"[1]", "^0 X{n=1}", "^0 X{n=2}"}}},
	{"a ref that became a value",
		`18 02 11 "X" 00 0f 00`,
		`18 02 11 "X" 00 11 "X" 00`,
		[]Change{{"[1]", "^0 X{}", "X{}"}}},
	{"cycles",
		`18 02 11 "N" 02 "v" 05 02 "next" 11 "N" 02 "v" 05 04 "next" 0f 00 0f 01`,
		`18 02 11 "N" 02 "v" 05 02 "next" 11 "N" 02 "v" 05 06 "next" 0f 00 0f 01`,
		[]Change{{"[0].next.v", "2", "3"}}},
}

func TestDiff(t *testing.T) {
	for _, c := range diffs {
		t.Run(c.name, func(t *testing.T) {
			before, err := Decode(bytesOf(t, c.before))
			if err != nil {
				t.Fatal(err)
			}
			after, err := Decode(bytesOf(t, c.after))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, Diff(before, after)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, v := range []Value{before, after} {
				if changes := Diff(v, v); len(changes) > 0 {
					t.Errorf("%s differs from itself: %v", Format(v), changes)
				}
			}
		})
	}
}
