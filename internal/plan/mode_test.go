package plan

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestParseModes(t *testing.T) {
	modes, err := ParseModes("dbss, stateful")
	if diff := cmp.Diff([]string{"dbss", "stateful"}, ModeNames(modes)); diff != "" || err != nil {
		t.Error(err, diff)
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

// TestModesAreChecks has each mode set what a check accepts: a setting that there is not, or that does not go with the others, fails. The
// options of which a plan is made stay as they are.
func TestModesAreChecks(t *testing.T) {
	for _, m := range Modes {
		o := Default()
		o.Mode, o.Given = m.Name, map[string]string{"mode": m.Name}
		before := o
		before.Given = maps.Clone(o.Given)
		if _, err := Resolve(o); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
		if diff := cmp.Diff(before, o, cmpopts.IgnoreUnexported(MemoryLimit{})); diff != "" {
			t.Errorf("%s changes the options: %s", m.Name, diff)
		}
	}
}
