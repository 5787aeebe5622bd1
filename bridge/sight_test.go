package bridge

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"harrier/model"
	"harrier/serializer"
)

const waiter = `
public class Main extends Scenario {
    record Tick(int n) {}
    static class Waiter extends Actor {
        int seen = 1;
        int hidden = 2;
        Tick last = new Tick(3);
        @Override protected void start() { setTimer(new Tick(0), java.time.Duration.ofSeconds(1)); }
        @Handler void on(Tick t) { seen++; hidden++; last = t; reply(hidden); }
        Object clock(int n) { return clock(); }
    }
    @Override protected void setUp() { create("waiter", new Waiter()); }
    %PROPERTY
}`

// What a property cannot read is left out of the visible part: fields, fields of messages, and what actors are to do.
func TestVisiblePartOfAProgram(t *testing.T) {
	for _, c := range []struct{ name, property, want string }{
		{"a field", `@Invariant boolean holds() { return actors(Waiter.class).allMatch(w -> w.seen > 0); }`,
			`waiter: Waiter{seen=1}`},
		{"a field of a message", `@Invariant boolean holds() { return actors(Waiter.class).allMatch(w -> w.last.n() > 0); }`,
			`waiter: Waiter{last=Tick(n=3)}`},
		{"which object", `@Invariant boolean holds() { return actors(Waiter.class).allMatch(w -> w.last != null); }`,
			`waiter: Waiter{last=Tick()}`},
		{"the final condition", `@Override protected boolean expectFinal() { return actors(Waiter.class).allMatch(w -> w.seen > 0); }`,
			`waiter: Waiter{seen=1}`},
		{"nothing", `@Invariant boolean holds() { return true; }`, `waiter: Waiter{}`},
		{"timers", `@Invariant boolean holds() { return actors(Waiter.class).allMatch(w -> w.clock(1) != null); }`,
			`waiter: Waiter{pending timers=[Tick()]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := loadSource(t, strings.Replace(waiter, "%PROPERTY", c.property, 1))
			if err != nil {
				t.Fatal(err)
			}
			b, err := p.Decomposition(model.Selective).Visible(0, p.Program().Initial.Actors[0].Local)
			if err != nil {
				t.Fatal(err)
			}
			v, err := serializer.Decode(b)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, serializer.Format(v)); diff != "" {
				t.Errorf("visible (-want +got):\n%s", diff)
			}
		})
	}
}
