package serializer

import (
	"testing"

	"harrier/internal/testkit/must"
)

func TestLabelsTellNamesakesApart(t *testing.T) {
	inner := Value{Kind: Object, Number: 1, ClassName: "a.Q$Inner", Fields: []Field{
		{"x", Value{Kind: Int, Int: 1}}, {"a.P$Inner.x", Value{Kind: Int, Int: 2}}, {"a.Q$Inner.x", Value{Kind: Int, Int: 3}}}}
	before := Value{Kind: Actor, Text: "n", ClassName: "a.Node", Fields: []Field{{"in", inner}, {"static a.Node.s", Value{Kind: True}}}}
	l := Labels{"a.P$Inner": "P.Inner", "a.Q$Inner": "Q.Inner"}
	want := "n: Node{in=Q.Inner{x=1, P.Inner.x=2, Q.Inner.x=3}, static a.Node.s=true}"
	if got := l.Format(before); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	after := must.Get(Decode(Encode(before)))
	after.Fields[0].Value.Fields[2].Value.Int = 4
	if changes := l.Diff(before, after); len(changes) != 1 || changes[0] != (Change{"in.Q.Inner.x", "3", "4"}) {
		t.Errorf("changes: %v", changes)
	}
}

func TestScalaIsShownAsItIsWritten(t *testing.T) {
	end := Value{Kind: Enum, ClassName: "scala.collection.immutable.Nil$", Text: "Nil"}
	list := func(first int64, rest Value) Value {
		return Value{Kind: Object, ClassName: scalaList, Fields: []Field{{"head", Value{Kind: Int, Int: first}}, {"next", rest}}}
	}
	shared := Value{Kind: Ref, Number: 9}
	for want, v := range map[string]Value{
		"Nil":             end,
		"None":            {Kind: Enum, ClassName: "scala.None$", Text: "MODULE$"},
		"List(1)":         list(1, end),
		"List(1, 2)":      list(1, list(2, end)),
		"List(1, ^9)":     list(1, shared),
		"Hakker{has=1}":   {Kind: Object, ClassName: "hakkers.Hakker", Fields: []Field{{"hakkers$Hakker$$has", Value{Kind: Int, Int: 1}}}},
		"Hakker{has$$=1}": {Kind: Object, ClassName: "hakkers.Hakker", Fields: []Field{{"has$$", Value{Kind: Int, Int: 1}}}},
	} {
		if got := Format(v); got != want {
			t.Errorf("%s is shown, not %s", got, want)
		}
	}
}
