package serializer

import (
	"slices"
	"testing"
)

func TestPendingOperations(t *testing.T) {
	operation := func(actor string, returnedAt int64) Value {
		return Value{Kind: Record, ClassName: "harrier.Operation", Fields: []Field{
			{"actor", Value{Kind: Name, Text: actor}}, {"invocation", Value{Kind: String, Text: "read"}}, {"result", Value{Kind: Null}},
			{"invokedAt", Value{Kind: Int}}, {"returnedAt", Value{Kind: Int, Int: returnedAt}},
		}}
	}
	history := Encode(Value{Kind: Record, ClassName: historyClass, Fields: []Field{{operationsName, Value{Kind: ImmutableList,
		Elements: []Value{operation("ann", 0), operation("bob", -1), operation("cid", -2), operation("dan", -1)}}}}})
	if got := PendingOperations(history); !slices.Equal(got, []string{"bob", "dan"}) {
		t.Errorf("%v are pending", got)
	}
	for _, none := range [][]byte{nil, {9, 9, 9}, Encode(operation("ann", -1))} {
		if got := PendingOperations(none); got != nil {
			t.Errorf("%v are pending in %v", got, none)
		}
	}
}
