package profile

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/pprof/profile"

	"harrier/bridge"
	"harrier/internal/testkit/must"
)

// stack is a sample of functions, the innermost first.
func stack(names ...string) *profile.Sample {
	s := &profile.Sample{}
	for _, n := range names {
		s.Location = append(s.Location, &profile.Location{Line: []profile.Line{{Function: &profile.Function{Name: n}}}})
	}
	return s
}

func TestTimeIsOfTheInnermostPackageThatDoesSomething(t *testing.T) {
	for _, c := range []struct {
		want  string
		names []string
	}{
		{"search", []string{"runtime.memmove", "harrier/internal/ds/wordset.(*Set).Add", "harrier/dbss.(*worker).take", "harrier/por/macro.(*System).Search"}},
		{"reductions", []string{"harrier/por/macro.(*System).Enabled", "harrier/dbss.(*worker).take"}},
		{"reductions", []string{"harrier/internal/lts.(*Graph).Edges"}},
		{"Java", []string{"runtime.cgocall", "harrier/bridge._Cfunc_harrier_call", "harrier/internal/model/space.(*Actors).collect"}},
		{"garbage collection", []string{"runtime.scanobject", "runtime.gcBgMarkWorker.func2", "runtime.systemstack"}},
		{"other", []string{"runtime.schedule"}},
		{"other", []string{"harrier/dbssx.F"}},
		{"", []string{"libc.so.6", "runtime._ExternalCode"}},
	} {
		if got := activity(stack(c.names...)); got != c.want {
			t.Errorf("%v count for %q, not %q", c.names, got, c.want)
		}
	}
}

func TestSharesAreOfAllThatWasSeen(t *testing.T) {
	r := must.Get(Start())
	p, cpu, heap, err := r.Stop([]bridge.Sample{
		{Activity: "encoding", Handler: "Node.on(Vote)", Count: 50},
		{Activity: "code of the program", Handler: "Node.on(Vote)", Place: "Node.java:7", Count: 25},
		{Activity: "loading and analysis", Count: 25},
	}, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(p.Java, []Share{{"encoding", 50}, {"code of the program", 25}, {"loading and analysis", 25}}); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(append(p.Handlers, p.Lines...), []Share{{"Node.on(Vote)", 75}, {"Node.java:7", 25}}); diff != "" {
		t.Error(diff)
	}
	if len(cpu) == 0 || len(heap) == 0 {
		t.Error("the profiles for go tool pprof are empty")
	}
}
