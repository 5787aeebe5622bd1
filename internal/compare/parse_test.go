package compare

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"harrier/internal/model"
	"harrier/internal/plan"
	"harrier/internal/testkit/must"
)

func TestParseProgram(t *testing.T) {
	common := map[string]string{"n": "1", "m": "5"}
	for argument, want := range map[string]Program{
		"examples/paxos":         {Path: "examples/paxos", Parameters: []model.Parameter{{Name: "m", Value: "5"}, {Name: "n", Value: "1"}}},
		"examples/paxos:n=2,o=x": {Path: "examples/paxos", Parameters: []model.Parameter{{Name: "m", Value: "5"}, {Name: "n", Value: "2"}, {Name: "o", Value: "x"}}},
		"a:b/c:n=h:1,m=":         {Path: "a:b/c", Parameters: []model.Parameter{{Name: "m", Value: ""}, {Name: "n", Value: "h:1"}}},
		"a:b":                    {Path: "a:b", Parameters: []model.Parameter{{Name: "m", Value: "5"}, {Name: "n", Value: "1"}}},
	} {
		got, err := ParseProgram(argument, "", common)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v %s", argument, err, diff)
		}
	}
	if len(common) != 2 || common["n"] != "1" {
		t.Error("the common parameters were changed")
	}
	for _, argument := range []string{"p:a=1,b", "p:a=1,", "p:a=1,=2", "p:a=1,a=2"} {
		if p, err := ParseProgram(argument, "", nil); err == nil {
			t.Errorf("%s: %v, want an error", argument, p)
		}
	}
}

func TestBaseline(t *testing.T) {
	for list, want := range map[string]string{"dbss,stateful": "stateful", "dbss,bfs": "dbss"} {
		if b := Baseline(must.Get(plan.ParseModes(list))); b != want {
			t.Errorf("of %s it is %s", list, b)
		}
	}
}
