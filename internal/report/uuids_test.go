package report

import (
	"slices"
	"testing"
)

func TestUUIDsAreShownAsFarAsTheyDiffer(t *testing.T) {
	for _, c := range []struct{ texts, want []string }{
		{[]string{"Pay(id=00000000-0000-0001-0000-000000000002)"}, []string{"Pay(id=…0002)"}},
		{[]string{"550e8400-e29b-41d4-a716-446655440000 -> null", `"650E8400-e29b-41d4-a716-446655440001"`, "to 550e8400-e29b-41d4-a716-446655440000"},
			[]string{"…0000 -> null", `"…0001"`, "to …0000"}},
		{[]string{"550e8400-e29b-41d4-a716-446655440000 550e8400-e29b-41d4-a716-446655540000"}, []string{"…440000 …540000"}},
		{[]string{"00000000-0000-0001-0000-000000000000", "10000000-0000-0001-0000-000000000000"},
			[]string{"00000000-0000-0001-0000-000000000000", "10000000-0000-0001-0000-000000000000"}},
		{[]string{"a550e8400-e29b-41d4-a716-446655440000", "1-2-3-4-5"}, []string{"a550e8400-e29b-41d4-a716-446655440000", "1-2-3-4-5"}},
	} {
		var u UUIDs
		NoteUUIDs(&u, c.texts)
		if got := CutUUIDs(&u, c.texts); !slices.Equal(got, c.want) {
			t.Errorf("%q is cut to %q, want %q", c.texts, got, c.want)
		}
	}
}
