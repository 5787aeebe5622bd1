package section

import (
	"encoding/json"
	"reflect"
	"testing"

	"harrier/internal/testkit/must"
)

// TestSectionsThatWereReadBackAreTheSame has a number that no float64 holds.
func TestSectionsThatWereReadBackAreTheSame(t *testing.T) {
	s := Section{Name: "states", Value: struct {
		States uint64 `json:"states"`
	}{1<<63 + 1}}
	s.Add("states", "%s of %s", Count(12_345), Plural(1, "actor"))
	var back Section
	must.Do(json.Unmarshal(must.Get(json.Marshal(s)), &back))
	if !reflect.DeepEqual(back.Lines, []Line{{"states", "12,345 of 1 actor"}}) || back.Name != s.Name {
		t.Errorf("it is %+v", back)
	}
	if got := string(must.Get(Join(back.Value, struct{}{}, map[string]int{"a": 1}))); got != `{"states":9223372036854775809,"a":1}` {
		t.Errorf("joined: %s", got)
	}
	if _, err := Join(back.Value, []int{1}); err == nil {
		t.Error("a list is joined")
	}
}
