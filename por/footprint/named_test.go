package footprint_test

import (
	"slices"
	"strings"
	"testing"

	"harrier/internal/model"
	"harrier/por/footprint"
	"harrier/serializer"
)

// TestFieldsNameActors: by themselves, in collections, in objects within the actor, by a reference to another object, and as a role.
func TestFieldsNameActors(t *testing.T) {
	name := func(text string) serializer.Value { return serializer.Value{Kind: serializer.Name, Text: text} }
	field := func(name string, v serializer.Value) serializer.Field { return serializer.Field{Name: name, Value: v} }
	role := serializer.Value{Kind: serializer.Record, ClassName: "harrier.Role", Fields: []serializer.Field{
		field("role", serializer.Value{Kind: serializer.String, Text: "server"}), field("size", serializer.Value{Kind: serializer.Int, Int: 2})}}
	helper := serializer.Value{Kind: serializer.Object, Number: 1, ClassName: "Main$Helper", Fields: []serializer.Field{
		field("inner", serializer.Value{Kind: serializer.ImmutableList, Elements: []serializer.Value{name("bob"), name("cid")}})}}
	ann := serializer.Value{Kind: serializer.Actor, Text: "ann", ClassName: "Main$Ann", Fields: []serializer.Field{
		field("peer", name("bob")), field("helper", helper), field("same", serializer.Value{Kind: serializer.Ref, Number: 1}), field("servers", role),
		field("count", serializer.Value{Kind: serializer.Int, Int: 1}),
	}}
	p := &model.Program{
		Initial: model.Initial{Actors: []model.Actor{{Name: "ann", Class: "Main$Ann", Local: serializer.Encode(ann)},
			{Name: "bob", Class: "Main$Bob"}, {Name: "cid", Class: "Main$Bob"}, {Name: "server1", Class: "S"}, {Name: "server2", Class: "S"}}},
	}
	p.Roles = []model.Role{{Name: "server", Actors: []string{"server1", "server2"}}}
	w := footprint.WiringOf(p)
	for of, want := range map[string]string{
		"Main$Ann.peer": "bob", "Main$Helper.inner": "bob cid", "Main$Ann.same": "bob cid", "Main$Ann.servers": "server1 server2", "Main$Ann.count": "",
	} {
		who, ok := w.Receivers(model.Sending{To: model.ToField, Field: of}, "ann", nil)
		slices.Sort(who)
		if got := strings.Join(who, " "); !ok || got != want {
			t.Errorf("%s names %q, want %q", of, got, want)
		}
	}
	if _, ok := w.Receivers(model.Sending{To: model.ToField, Field: "Main$Ann.other"}, "ann", nil); ok {
		t.Error("a field that is not there is said to name nobody")
	}
}
