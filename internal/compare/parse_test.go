package compare

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"harrier/internal/check"
	"harrier/internal/model"
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

func TestParseModes(t *testing.T) {
	modes, err := ParseModes("dbss, stateful")
	if diff := cmp.Diff([]string{"dbss", "stateful"}, ModeNames(modes)); diff != "" || err != nil {
		t.Error(err, diff)
	}
	if b := Baseline(modes); b != "stateful" {
		t.Error(b)
	}
	if b := Baseline(modes[:1]); b != "dbss" {
		t.Error(b)
	}
	for list, part := range map[string]string{
		"dbss,fast": `no mode "fast": the modes are stateless, dynamic, stateful, static, dbss-all, dbss,`,
		"":          `no mode ""`,
		"dbss,dbss": "named twice",
	} {
		if _, err := ParseModes(list); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q: %v", list, err)
		}
	}
}

// TestModesAreChecks has each mode set what a check accepts: a setting that there is not, or that does not go with the others, fails.
func TestModesAreChecks(t *testing.T) {
	for _, m := range Modes {
		o := check.Default()
		m.Set(&o)
		if err := o.Validate(); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
}
