package bridge

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"harrier/internal/model"
	"harrier/internal/testkit/must"

	"github.com/google/go-cmp/cmp"
)

// everything has facts of each kind that differ from their neighbours.
const everything = `import harrier.*;
import java.util.*;
public class Main extends Scenario {
    @Parameter int limit = 3;
    record Ask(int n) {}
    record Told(int n) {}
    static abstract class Counting extends Actor { int count; }
    static class Host extends Counting {
        boolean open = true;
        @Auxiliary int asked;
        @Handler(when = "isOpen") void on(Ask m, ActorName from) {
            asked++;
            count = m.n();
            send(from, new Told(count));
            if (m.n() > 1) stop();
        }
        boolean isOpen(Ask m) { return open; }
    }
    static class Guest extends Actor {
        final ActorName host;
        Guest(ActorName host) { this.host = host; }
        @Override protected void start() { invoked("ask"); send(host, new Ask(2)); }
        @Handler void on(Told m) { assert m.n() > 0; returned(m.n()); }
    }
    @Override protected void setUp() {
        ActorName host = create("host", new Host());
        create("guest", new Guest(host));
        network().lossy(2, "host").from("guest");
        faults().crashes(1, "host").withinHandlers().stops(1);
        fairness().strong("host").unfair("guest").unfair(Told.class);
    }
    @Invariant("few are open") boolean open() { return actors(Host.class).filter(h -> h.open).count() < limit; }
    @Final("all is read") boolean read() { return inFlight().count() == 0; }
    @Sometimes("one is asked") boolean asks() { return actors(Host.class).anyMatch(h -> h.count > 0); }
}`

// TestWire demands that each field of the facts and of an outcome has what Java wrote for it, also where neighbours have one
// type.
func TestWire(t *testing.T) {
	file := filepath.Join(t.TempDir(), "Main.java")
	must.Do(os.WriteFile(file, []byte(everything), 0o644))
	p := must.Get(jvm.Load(t.Context(), Source{Path: file, Recheck: "all", Footprints: true}))
	f := p.Program()
	var got []string
	show(&got, f.Handlers...)
	show(&got, f.Properties...)
	show(&got, f.Liveness...)
	show(&got, f.Objects...)
	show(&got, f.Fairness)
	show(&got, f.Faults...)
	for _, field := range f.Fields {
		type plain model.Field // without its String
		show(&got, plain(field))
	}
	show(&got, f.Senders...)
	show(&got, f.Footprints...)
	show(&got, fmt.Sprintf("sees in flight %t, stopped %t, asserts %t", f.SeesInFlight, f.SeesStopped, f.Asserts))
	for _, kind := range []model.EventKind{model.Receive, model.RestartWithin} {
		event := model.Event{Kind: kind, Messages: f.Initial.Messages}
		for _, o := range must.Get(p.Steps(t.Context(), []model.Question{{Local: f.Initial.Actors[0].Local, Event: event}}))[0].Outcomes {
			show(&got, fmt.Sprintf("%s: acts %t, stopped %t, %+v", o.Handler, o.Acts, o.Stopped, o.Point))
		}
	}
	if diff := cmp.Diff(strings.Split(strings.TrimSpace(string(must.Get(os.ReadFile("testdata/wire.txt")))), "\n"), got); diff != "" {
		t.Errorf("what came over the wire (-want +got):\n%s", diff)
	}
}

// show appends a line for each value, with the names of its fields.
func show[T any](lines *[]string, values ...T) {
	for _, v := range values {
		*lines = append(*lines, fmt.Sprintf("%+v", v))
	}
}
