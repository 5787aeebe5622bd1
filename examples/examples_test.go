// Package examples holds example programs. Its test checks each against the verdict that its comment
// states and against the golden counts.
package examples

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"harrier/bridge"
	"harrier/dbss"
	"harrier/internal/check"
	"harrier/internal/model"
	"harrier/internal/model/network"
	"harrier/internal/model/space"
	"harrier/internal/plan"
	"harrier/internal/process/files"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/twin"
	"harrier/serializer"
	"harrier/symmetry"
)

// jvm is the virtual machine of all tests: a process can have one.
var jvm *bridge.JVM

func TestMain(m *testing.M) {
	debug.SetGCPercent(300) // the twin makes much garbage and keeps little
	jdk, err := bridge.FindJDK("")
	var home *bridge.Home
	if err == nil {
		home, err = bridge.Prepare(jdk)
	}
	// Many tests check the same programs, which are compiled and analysed once.
	var kept string
	if err == nil {
		kept, err = os.MkdirTemp("", "kept-")
	}
	if err == nil {
		err = home.KeepIn(kept, "", "")
	}
	if err == nil {
		jvm, err = bridge.Open(jdk, home, bridge.Options{Threads: 4})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(kept)
	os.Exit(code)
}

// golden is a line of golden.txt.
type golden struct {
	program, parameters, search, hashing string
	verdict                              string
	states, transitions                  uint64
	depth                                int
}

func (g golden) String() string {
	return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%d\t%d\t%d", g.program, g.parameters, g.search, g.hashing, g.verdict, g.states, g.transitions, g.depth)
}

// isAbout reports whether two lines are about the same search.
func (g golden) isAbout(h golden) bool {
	return g.program == h.program && g.parameters == h.parameters && g.search == h.search && g.hashing == h.hashing
}

// manner is how a golden line searches, and how its messages pass. The column has the order, then how messages pass if it is not M,
// then whether steps are macro steps and actors are permuted, as in dfs or
// bfs+M-MP+macro+symmetry; or local, if there is a search for suspicious combinations only.
func (g golden) manner(t *testing.T) (plan.Options, network.DeliveryModel) {
	t.Helper()
	words := strings.Split(g.search, "+")
	o, delivery := single(words[0]), model.M
	for _, word := range words[1:] {
		switch word {
		case "macro":
			o.Reduction, o.Given = "macro", map[string]string{"reduction": ""} // as it is not the default where clocks drift
		case "symmetry":
			o.Symmetry = "on"
		case "local":
			o.Search = "local"
		default:
			var err error
			if delivery, err = network.ParseDeliveryModel(word); err != nil {
				t.Fatalf("%v: %v", g, err)
			}
		}
	}
	return o, delivery
}

// single are options of a search over single steps.
func single(search string) plan.Options {
	o := plan.Default()
	o.Search, o.Reduction, o.Symmetry = search, "off", "off"
	return o
}

var (
	update = flag.Bool("update", false, "write the counts that are found into golden.txt")
	all    = flag.Bool("all", false, "run what takes long, too")
)

// isLong reports whether a line is counted with -all alone: it has many states, and is of macro steps or another line of the same
// program and parameters has fewer; it is of macro steps with senders, beside the same without; or it is of a library, whose steps take
// Java long; or it is depth-first and of threads, beside the same breadth-first; or it is of a local search that has many local states. Single steps of
// millions that have no such line are counted always.
func (g golden) isLong(lines []golden) bool {
	switch {
	case g.isOfLibrary():
		return true
	case g.isLocal():
		return g.parameters == "-" && slices.Contains([]string{"abp-faulty", "one-paxos", "paxos-node", "paxos-node-faulty", "paxos-quorum", "randtree",
			"randtree-faulty", "zab", "zab-faulty", "zab-faulty2"}, g.program)
	}
	isMacro := strings.Contains(g.search, "+macro")
	isOfThreads := slices.Contains([]string{"paxos-sockets", "echo-server"}, g.program)
	// The wrong version of an example with threads has the same handlers, and ends sooner.
	if isOfThreads && (strings.HasPrefix(g.search, "dfs") || g.program == "paxos-sockets" && g.verdict == "verified") {
		return true
	}
	return g.states > longStates && isMacro || slices.ContainsFunc(lines, func(h golden) bool {
		return h.program == g.program && h.parameters == g.parameters && (g.states > longStates && h.states < g.states && !h.isLocal() ||
			isMacro && g.hashing == "fields" && h.search == g.search && h.hashing == "selective")
	})
}

// ofLibraries are the examples that check published libraries, and those whose folders named lib have the jars.
var ofLibraries = map[string]string{
	"microraft": "microraft", "microraft-threads": "microraft", "kafka-raft": "kafka-raft", "crdt-list": "crdt-list", "zookeeper": "zookeeper",
}

// isOfLibrary reports whether a line is of a library, whose steps take Java long.
func (g golden) isOfLibrary() bool {
	return ofLibraries[g.program] != ""
}

func (g golden) isLocal() bool { return strings.HasSuffix(g.search, "+local") }

// longStates is how many states take long.
const longStates = 10_000

func readGolden(t *testing.T) []golden {
	f := must.Get(os.Open("golden.txt"))
	defer f.Close()
	var lines []golden
	for s := bufio.NewScanner(f); s.Scan(); {
		if strings.HasPrefix(s.Text(), "#") {
			continue
		}
		var g golden
		if _, err := fmt.Sscan(s.Text(), &g.program, &g.parameters, &g.search, &g.hashing, &g.verdict, &g.states, &g.transitions, &g.depth); err != nil {
			t.Fatalf("line %q: %v", s.Text(), err)
		}
		if slices.ContainsFunc(lines, g.isAbout) || g.states == 0 && !*update && !g.isLocal() {
			t.Fatalf("line %q is there twice, or says nothing", s.Text())
		}
		lines = append(lines, g)
	}
	return lines
}

func load(t *testing.T, path, parameters string) *program {
	t.Helper()
	return loadIn(t, model.M, path, parameters)
}

// source is what an example is loaded from.
func source(t *testing.T, delivery model.DeliveryModel, path, parameters string) bridge.Source {
	t.Helper()
	values := map[string]string{}
	if parameters != "-" {
		for _, p := range strings.Split(parameters, ",") {
			name, value, _ := strings.Cut(p, "=")
			values[name] = value
		}
	}
	return bridge.Source{Path: path, ClassPath: libraries(t, path), Parameters: values, Recheck: "all", Delivery: delivery, Footprints: true}
}

// libraries are the jars that an example needs.
func libraries(t *testing.T, program string) []string {
	t.Helper()
	folder := ofLibraries[program]
	if folder == "" {
		return nil
	}
	jars, err := filepath.Glob(filepath.Join(folder, "lib", "*.jar"))
	if err != nil || jars == nil {
		t.Fatalf("%s has no libraries (%v): 'make libraries' fetches them", program, err)
	}
	return jars
}

// An example is a program with parameters.
type example struct{ program, parameters string }

// prepared is a check of a program up to its search.
func prepared(t *testing.T, p *program, hashing string, o plan.Options) *check.Check {
	t.Helper()
	o.Hashing = hashing
	c := check.New(must.Get(plan.Resolve(o)), check.Environment{Keep: files.KeepIn(t.TempDir())})
	c.Program = p
	do(t, c, check.Decompose, check.Reduce)
	return c
}

func do(t *testing.T, c *check.Check, stages ...check.Stage) {
	t.Helper()
	must.Do(c.Do(context.Background(), stages...))
}

// explore searches a program, and executes a violation again. If actors are permuted, steps are held to the symmetry.
func explore(t *testing.T, p *program, hashing string, o plan.Options) *check.Check {
	t.Helper()
	c := prepared(t, p, hashing, o)
	do(t, c, check.Search, check.Confirm)
	if c.Group != nil {
		if _, err := symmetry.Check(context.Background(), c.Actors(), c.Checker, c.Group.Generators); err != nil {
			t.Errorf("the steps are not symmetric: %v", err)
		}
	}
	return c
}

func TestGoldenCounts(t *testing.T) {
	lines := readGolden(t)
	for i, want := range lines {
		t.Run(strings.Join([]string{want.program, want.parameters, want.search, want.hashing}, " "), func(t *testing.T) {
			if want.isLong(lines) && !*all {
				t.Skip("takes long: run it with -all")
			}
			o, delivery := want.manner(t)
			program := loadIn(t, delivery, want.program, want.parameters)
			c := explore(t, program, want.hashing, o)
			got, e := want, c.Result
			got.verdict, got.states, got.transitions, got.depth = string(c.Summary.Verdict), e.States, e.Transitions, e.Depth
			if *update {
				lines[i] = got
			} else if got != want {
				t.Errorf("got  %v\nwant %v", got, want)
			}
			// What an actor may do by itself is asked for at once, be it one thing or several; so is what a handler may choose.
			several := slices.ContainsFunc(program.Program().Initial.Actors, func(a model.Actor) bool { return a.Acts }) ||
				want.program == "byzantine-generals"
			if stats := c.Actors().LocalSteps.Stats(); !several && stats.Executions > 6*stats.LocalSteps { // in all orders of three
				t.Errorf("%d executions for %d local steps: more than six each", stats.Executions, stats.LocalSteps)
			}
			if err := space.Retry(context.Background(), c.Actors().LocalSteps); err != nil {
				t.Errorf("taken with other auxiliary parts: %v", err)
			}
		})
	}
	if *update {
		writeGolden(t, lines)
	}
}

// TestWorkersAgreeWithGoldenCounts repeats the searches of the golden counts that are neither small nor large
// with several workers, which meet in the middle of everything in another way each time. With -all there are more of them, those of
// libraries too, and each is repeated.
func TestWorkersAgreeWithGoldenCounts(t *testing.T) {
	searches := 0
	for _, want := range readGolden(t) {
		largest, again, workers := uint64(27_000), 1, []int{3}
		o, delivery := want.manner(t)
		if *all {
			largest, again, workers = 60_000, 2, []int{2, 3, 8}
			if o.Symmetry == "off" && delivery == model.M {
				largest = 400_000
			}
		}
		if want.verdict != "verified" || want.hashing == "full" || want.states < 10_000 || want.states > largest || want.isOfLibrary() && !*all {
			continue
		}
		p := loadIn(t, delivery, want.program, want.parameters)
		for _, o.Workers = range workers {
			for range again {
				e := explore(t, p, want.hashing, o).Result
				if !e.Complete || e.States != want.states || e.Transitions != want.transitions || o.Search == "bfs" && e.Depth != want.depth {
					t.Errorf("%d workers: complete %v, %d states, %d transitions, depth %d\nwant %v",
						o.Workers, e.Complete, e.States, e.Transitions, e.Depth, want)
				}
				searches++
			}
		}
	}
	if searches < 10 {
		t.Errorf("only %d searches", searches)
	}
}

func writeGolden(t *testing.T, lines []golden) {
	b := must.Get(os.ReadFile("golden.txt"))
	var text strings.Builder
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, "#") {
			text.WriteString(line)
		}
	}
	for _, g := range lines {
		fmt.Fprintln(&text, g)
	}
	must.Do(os.WriteFile("golden.txt", []byte(text.String()), 0o644))
}

// TestNoMannerOfSearchChangesVerdicts compares all golden lines of a program with the same parameters: order, hashing,
// how messages pass and symmetry change what a search costs. Shortest counterexamples are as long with symmetry as without.
func TestNoMannerOfSearchChangesVerdicts(t *testing.T) {
	byHashing, bySymmetry := 0, 0
	for _, a := range readGolden(t) {
		for _, b := range readGolden(t) {
			if a.program != b.program || a.parameters != b.parameters {
				continue
			}
			wrong := a.verdict != b.verdict
			switch {
			case a.search == b.search && leavesOut(a.hashing) > leavesOut(b.hashing):
				byHashing++
				wrong = wrong || a.verdict == "verified" && a.states > b.states
			case b.search == a.search+"+symmetry" && a.hashing == b.hashing:
				bySymmetry++
				wrong = wrong || strings.HasPrefix(a.search, "bfs") && a.depth != b.depth || a.verdict == "verified" && a.states <= b.states
			}
			if wrong {
				t.Errorf("%v\n%v", a, b)
			}
		}
	}
	if byHashing < 10 || bySymmetry < 30 {
		t.Errorf("only %d pairs of lines by hashing, %d by symmetry", byHashing, bySymmetry)
	}
}

// leavesOut is higher for a hashing that leaves more out.
func leavesOut(hashing string) int {
	return slices.Index([]string{"full", "last", "fields", "selective"}, hashing)
}

var expected = regexp.MustCompile(`<p>Expected: (verified|violated)\b`)

// TestEveryExampleStatesItsVerdict compares what an example's comment says with the golden verdicts
// of its default parameters, of which there must be some for both orders. Of those that a depth-first search finds
// large there need not be a breadth-first one, which takes longer.
func TestEveryExampleStatesItsVerdict(t *testing.T) {
	verdicts, large := map[string]map[string]string{}, map[string]bool{}
	for _, g := range readGolden(t) {
		if g.parameters == "-" {
			if verdicts[g.program] == nil {
				verdicts[g.program] = map[string]string{}
			}
			if search, _, _ := strings.Cut(g.search, "+macro"); g.hashing != "full" {
				verdicts[g.program][search] = g.verdict
				large[g.program] = large[g.program] || g.states > 1_000_000
			}
		}
	}
	entries := must.Get(os.ReadDir("."))
	for _, entry := range entries {
		if !entry.IsDir() || slices.Contains([]string{"adapting", "builds", "first-protocol", "pekko-cart", "pekko-classic-hakkers", "pekko-classic-promises", "pekko-hakkers", "pekko-promises", "pekko-scala", "testdata", "vertx-orders", "vertx-promises", "zookeeper"}, entry.Name()) { // checked by scripts, or no examples
			continue
		}
		folder, stated := entry.Name(), ""
		files, _ := filepath.Glob(filepath.Join(folder, "*.java"))
		for _, file := range files {
			b := must.Get(os.ReadFile(file))
			if m := expected.FindSubmatch(b); m != nil {
				stated = string(m[1])
			}
		}
		for _, search := range []string{"dfs", "bfs"} {
			tooLarge := search == "bfs" && large[folder]
			if stated == "" || verdicts[folder][search] != stated && !tooLarge {
				t.Errorf("%s: its comment says %q, golden.txt says %q for %s", folder, stated, verdicts[folder][search], search)
			}
		}
	}
}

// TestTwinAgrees compares the search with the dumb twin on complete searches of every example, the small ones and some as large as the twin
// can bear.
func TestTwinAgrees(t *testing.T) {
	examples := slices.Concat(smallOnes(), []example{
		{"pingpong", "players=3,rounds=2"},
		{"paxos", "acceptors=2"},
		{"paxos", "proposers=1,crashes=2"},
		{"paxos-forgetful", "acceptors=2"},
		{"retry", "inOrder=false"},
		{"abp", "-"},
		{"outage", "followers=2"},
		{"credits", "credits=3"},
		{"deathwatch", "detects=monitor"},
		{"deathwatch", "crashes=2,workers=3"},
		{"lease", "drift=0,shorter=1"},
		{"reads", "-"},
		{"latch", "crashes=1,splits=0"},
		{"detector", "drift=1,horizon=10,timeOut=8"},
		{"heartbeats", "-"},
	})
	if *all {
		examples = append(examples, example{"fischer", "drift=0,processes=3"}, example{"paxos-quorum", "acceptors=2,alwaysAccept=true"}, example{"paxos", "-"}, example{"paxos-faulty", "-"}, example{"paxos-faulty2", "acceptors=2"}, example{"zab-faulty", "followers=2,broadcasts=0"},
			example{"zab-faulty2", "followers=2"}, example{"register", "reads=1"}, example{"register-wrong", "reads=1"},
			example{"zab", "followers=2"})
	}
	for _, c := range examples {
		t.Run(c.program+" "+c.parameters, func(t *testing.T) {
			agreesWithTwin(t, load(t, c.program, c.parameters))
		})
	}
}

// TestTwinAgreesOnModels does so where delivery is an event of its own.
func TestTwinAgreesOnModels(t *testing.T) {
	for _, c := range []struct{ program, parameters string }{
		{"two-phase-commit", "missing=1"},
		{"byzantine-generals", "generals=3"},
		{"paxos-quorum", "leaders=1,acceptors=2"},
		{"retry", "-"},
		{"abp-faulty", "values=1"},
		{"deathwatch", "-"},
		{"detector", "-"},
	} {
		for _, delivery := range []model.DeliveryModel{model.MP, model.MMP} {
			t.Run(strings.Join([]string{c.program, c.parameters, delivery.String()}, " "), func(t *testing.T) {
				agreesWithTwin(t, loadIn(t, delivery, c.program, c.parameters))
			})
		}
	}
}

// agreesWithTwin compares depth-first and breadth-first searches of a program with the twin.
func agreesWithTwin(t *testing.T, p *program) {
	t.Helper()
	want := twin.Explore(p, twin.Options{Relevant: relevant(p), UsesSender: usesSender(p)})
	for _, search := range []string{"dfs", "bfs"} {
		o := single(search)
		o.KeepGoing = true
		r := explore(t, p, "selective", o).Result
		if got, wanted := counts(r), twinCounts(*want.Quotient); got != wanted {
			t.Errorf("%s: states, transitions, terminal states, leftovers, violations %v; the twin has %v", search, got, wanted)
		}
	}
	if want.States < fullStates {
		agreesInFull(t, p)
	}
	r := explore(t, p, "selective", single("bfs")).Result
	if (r.Violation != nil) != (want.Violations > 0) {
		t.Fatalf("violation %v; the twin met %d", r.Violation, want.Violations)
	}
	if r.Violation != nil && len(r.Violation.Path) != want.Shortest {
		t.Errorf("the counterexample has %d steps, the shortest %d", len(r.Violation.Path), want.Shortest)
	}
}

// usesSender reports what the analysis says of the handlers of an example. What else makes senders matter the twin knows by itself.
func usesSender(p *program) func(class string, m model.Message) bool {
	return func(class string, m model.Message) bool {
		v, err := serializer.Decode(m.Payload)
		return err != nil || !slices.ContainsFunc(p.Program().Senders, func(s model.Sender) bool {
			return s.Message == v.ClassName && s.Actor == class && s.Verdict.Auxiliary()
		})
	}
}

// relevant is the relevant part of local states and messages, if that is not all of it.
func relevant(p *program) func([]byte) ([]byte, error) {
	if f := p.Decomposition(space.Selective).Relevant; f != nil {
		return f
	}
	return func(b []byte) ([]byte, error) { return b, nil }
}

func counts(e *dbss.Result) [5]uint64 {
	return [...]uint64{e.States, e.Transitions, e.Terminal, e.Leftover, e.Violations}
}

func twinCounts(r twin.Result) [5]uint64 {
	return [...]uint64{r.States, r.Transitions, r.Terminal, r.Leftover, r.Violations}
}

// fullStates is how many states a program may have for the twin to tell apart the messages processed last.
const fullStates = 10_000

// agreesInFull compares full hashing with the twin.
func agreesInFull(t *testing.T, p *program) {
	t.Helper()
	want := twin.Explore(p, twin.Options{LastMessages: true})
	o := single("dfs")
	o.KeepGoing = true
	r := explore(t, p, "full", o).Result
	if got, wanted := counts(r), twinCounts(want); got != wanted {
		t.Errorf("full hashing: states, transitions, terminal states, leftovers, violations %v; the twin has %v", got, wanted)
	}
}
