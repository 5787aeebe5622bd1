package macro_test

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/reach"
	"harrier/internal/testkit/replayed"
	"harrier/internal/testkit/toy"
	"harrier/internal/testkit/twin"
	"harrier/por/macro"
	"harrier/symmetry"
)

var (
	programs = flag.Int("programs", 0, "how many random programs of each kind are compared; 0 for few")
	seed0    = flag.Uint64("seed", 0, "the first of them")
)

// mostStates and mostPending bound the programs that the twin explores.
const mostStates, mostPending = 1500, 15

// A subject is a program with the inputs of its searches.
type subject struct {
	model.Oracle
	d          space.Decomposition
	usesSender func(class string, m model.Message) bool // nil where senders are relevant
	actors     *space.Actors
	groups     [][]string // that are components
	system     *macro.System
	symmetries *symmetry.Group // nil if no actors are permuted
}

// A kind is a kind of random programs.
type kind struct {
	name      string
	make      func(seed uint64) *toy.Protocol
	groups    func(p model.Oracle, seed uint64) [][]string
	selective bool
	symmetric bool // actors are permuted, and orbits of states compared
}

var kinds = []kind{
	{name: "plain", make: toy.Messages.Random, groups: grouped},
	{name: "events", make: toy.Events.Random, groups: grouped},
	{name: "watching", make: toy.Watching(toy.Events.Random), groups: grouped},
	{name: "mailboxes", make: toy.Mailboxes(toy.Events.Random), groups: grouped},
	{name: "symmetric mailboxes", make: toy.Mailboxes(toy.Symmetric.Random), groups: byRole, symmetric: true},
	{name: "bounded", make: toy.Bounded(toy.Events.Random), groups: grouped},
	{name: "symmetric bounded", make: toy.Bounded(toy.Symmetric.Random), groups: byRole, symmetric: true},
	{name: "connections", make: toy.Connecting(toy.Events.Random), groups: grouped},
	{name: "clocks", make: timed, groups: grouped},
	{name: "mixed", make: toy.Mixed, groups: grouped},
	{name: "selective clocks", make: toy.Timed(toy.Footprints.Random), groups: grouped, selective: true},
	{name: "symmetric clocks", make: toy.Timed(toy.SymmetricTimers.Random), groups: byRole, symmetric: true},
	{name: "quorums", make: byDelivery, groups: grouped},
	{name: "selective", make: toy.Auxiliary.Random, groups: grouped, selective: true},
	{name: "fields", make: toy.Footprints.Random, groups: grouped, selective: true},
	{name: "conversations", make: toy.Conversations, groups: grouped},
	{name: "symmetric", make: toy.Symmetric.Random, groups: byRole, symmetric: true},
	{name: "symmetric watching", make: toy.Watching(toy.Symmetric.Random), groups: byRole, symmetric: true},
	{name: "symmetric connections", make: toy.Connecting(toy.Symmetric.Random), groups: byRole, symmetric: true},
	{name: "friends", make: toy.Friends, groups: byRole, symmetric: true},
}

func byDelivery(seed uint64) *toy.Protocol {
	return toy.Quorums.Random(seed).Under(model.DeliveryModel(seed % 3))
}

// timed makes a program in which time goes on, with timers, connections or all kinds of faults.
func timed(seed uint64) *toy.Protocol {
	switch seed % 4 {
	case 0:
		return toy.Timed(toy.Timers.Random)(seed)
	case 1:
		return toy.Timed(toy.Connecting(toy.Timers.Random))(seed)
	}
	return toy.Timed(toy.Events.Random)(seed).Under(model.DeliveryModel(seed % 3))
}

// drawn is a random program, and the decomposition for its searches.
func (k *kind) drawn(seed uint64) subject {
	p := k.make(seed)
	if !k.selective && seed%2 == 0 {
		p = p.Bare() // else logged senders are relevant
	}
	d := p.Decomposition(space.Selective)
	s := subject{Oracle: p, d: d, usesSender: p.UsesSender}
	if !k.selective {
		s.d.Relevant = nil
		if p.Logs {
			s.d.Sender, s.usesSender = nil, nil
		}
	}
	return s
}

// explored is what the twin finds in a program. That there are too many states a search finds out sooner.
func (s subject) explored(t *testing.T) twin.Result {
	actors := must.Get(space.NewActors(s.Oracle, s.d))
	o := dbss.Options{Order: dbss.BreadthFirst, KeepGoing: true, MaxStates: mostStates + 1}
	if r, err := dbss.Search(context.Background(), actors, property.NewChecker(s, actors), o, &dbss.Progress{}); err == nil && !r.Complete {
		return twin.Result{TooLarge: true}
	}
	want := twin.Explore(s, twin.Options{MaxStates: mostStates, MaxPending: mostPending, Relevant: s.d.Relevant, UsesSender: s.usesSender})
	if want.Quotient != nil && want.Err == nil {
		want.States, want.Outside = want.Quotient.States, want.Quotient.Outside
	}
	want.States -= want.Outside
	return want
}

// TestMacroStepsAgreeWithTwin holds macro steps to the dumb twin on random programs with all that programs may do: the states
// that macro states stand for are those that there are, and verdicts, failing handlers and terminal states agree.
func TestMacroStepsAgreeWithTwin(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			var n tally
			for seed := *seed0; n.programs < cmp.Or(*programs, 3); seed++ {
				s := k.drawn(seed)
				want := s.explored(t)
				if !n.wants(want) {
					continue
				}
				used := false
				for _, groups := range [][][]string{nil, k.groups(s, seed)} {
					if s.group(t, groups, k.symmetric); k.symmetric && s.symmetries.IsTrivial() {
						continue // components tell the actors apart
					}
					used = true
					n.compare(t, seed, s, want)
				}
				if used {
					n.add(want)
				}
			}
			n.check(t)
		})
	}
}

// grouped puts actors of a program into components. One of the first three is often in none.
func grouped(p model.Oracle, seed uint64) [][]string {
	random := rand.New(rand.NewPCG(seed, 18))
	groups := make([][]string, 1+random.IntN(2))
	for _, a := range p.Program().Initial.Actors {
		if g := random.IntN(len(groups) + 1); g < len(groups) {
			groups[g] = append(groups[g], a.Name)
		}
	}
	return groups
}

// byRole puts the actors of some roles into components, all of a role or the first of each, the second of each and so on.
func byRole(p model.Oracle, seed uint64) [][]string {
	random := rand.New(rand.NewPCG(seed, 19))
	var groups [][]string
	inRows := random.IntN(2) == 0
	for _, r := range p.Program().Roles {
		for i, name := range r.Actors {
			switch {
			case !inRows && i == 0 || inRows && i == len(groups):
				groups = append(groups, []string{name})
			case inRows:
				groups[i] = append(groups[i], name)
			default:
				groups[len(groups)-1] = append(groups[len(groups)-1], name)
			}
		}
	}
	return groups[:random.IntN(len(groups)+1)]
}

// A tally says how much programs prove.
type tally struct {
	programs, over100 int
	plain, macro      int // states
}

// wants reports whether a program proves something. Half of the programs have over 100 states.
func (n *tally) wants(of twin.Result) bool {
	return !of.TooLarge && of.Err == nil && of.States >= 5 && (of.States > 100 || n.programs < 2*n.over100)
}

func (n *tally) compare(t *testing.T, seed uint64, s subject, want twin.Result) {
	t.Helper()
	macro, problem := s.problem(context.Background(), want)
	if problem != "" {
		t.Fatalf("seed %d, groups %v: %s", seed, s.groups, problem)
	}
	n.plain, n.macro = n.plain+int(want.States), n.macro+macro
}

// add counts a program that was compared.
func (n *tally) add(want twin.Result) {
	n.programs++
	if want.States > 100 {
		n.over100++
	}
}

// check fails if the programs prove too little: all together must be smaller with macro steps.
func (n *tally) check(t *testing.T) {
	t.Logf("%d programs, %d with over 100 states; %d states, %d macro states", n.programs, n.over100, n.plain, n.macro)
	if 2*n.over100 < n.programs-1 || n.macro >= n.plain {
		t.Error("these programs prove too little")
	}
}

// group puts the actors of a program into components, and finds which may be permuted if any are to be.
func (s *subject) group(t *testing.T, groups [][]string, symmetric bool) {
	t.Helper()
	s.groups, s.Program().Components = groups, groups
	s.actors = must.Get(space.NewActors(s.Oracle, s.d))
	if symmetric {
		var err error
		if s.symmetries, err = symmetry.Find(s.actors); err != nil {
			t.Fatal(err)
		}
	}
	s.system = s.newSystem(property.NewChecker(s.Oracle, s.actors))
}

func (s subject) newSystem(checker *property.Checker) *macro.System {
	system := macro.New(s.actors, checker)
	if s.symmetries != nil {
		system.Permute(s.symmetries.Permutations())
	}
	return system
}

// problem returns the error of macro steps of a program, or "".
func (s subject) problem(ctx context.Context, want twin.Result) (macro int, problem string) {
	all, err := s.reach(ctx, reach.Exact)
	if err != nil {
		return 0, err.Error()
	}
	if len(all.States) != int(want.States) {
		return 0, fmt.Sprintf("plain search has %d states, the twin %d", len(all.States), want.States)
	}
	key := s.key()
	if s.symmetries != nil {
		if _, err = s.reachMacro(ctx, reach.Exact); err == nil {
			all, err = s.reach(ctx, key)
		}
		if err != nil {
			return 0, err.Error()
		}
	}
	reached, err := s.reachMacro(ctx, key)
	if err != nil {
		return 0, err.Error()
	}
	covered, err := s.cover(ctx, reached, key)
	if err != nil {
		return 0, err.Error()
	}
	for k := range covered {
		if _, ok := all.States[k]; !ok {
			return 0, "a macro state stands for a state that no run reaches"
		}
	}
	canonical := [2]map[string]bool{{}, {}}
	for i, states := range []map[string]model.State{covered, all.States} {
		for _, nodes := range states {
			canonical[i][key(s.system.WithoutIgnored(nodes))] = true
		}
	}
	if !maps.Equal(canonical[0], canonical[1]) {
		return 0, fmt.Sprintf("macro states stand for %d of %d states, but for what is ignored", len(canonical[0]), len(canonical[1]))
	}
	if problem := s.searchProblem(ctx, want, len(reached)); problem != "" || s.symmetries != nil {
		return len(reached), problem
	}
	return len(reached), s.evaluationsProblem(ctx)
}

// An unread oracle does not tell which fields properties read.
type unread struct{ model.Oracle }

func (o unread) Evaluate(ctx context.Context, es []model.Evaluation) ([]model.Judgement, error) {
	judgements, err := o.Oracle.Evaluate(ctx, es)
	for i := range judgements {
		judgements[i].Fields = nil
	}
	return judgements, err
}

// evaluationsProblem compares how often properties are evaluated. The same combinations are asked of the oracle as without
// macro steps, and not more than twice as many answers are looked up, and one more where a macro state has a terminal state.
// Answers are remembered by all that properties can read: which fields they have read so far depends on the order of evaluations.
func (s subject) evaluationsProblem(ctx context.Context) string {
	oracle, visible := unread{s.Oracle}, s.d.Visible
	if visible != nil {
		s.d.Visible = func(property int, _ map[int]bool) func([]byte) ([]byte, error) { return visible(property, nil) }
	}
	actors, err := space.NewActors(oracle, s.d)
	if err != nil {
		return err.Error()
	}
	// Both searches know which actors there are, also by steps that no run takes.
	if _, err := macro.New(actors, property.NewChecker(oracle, actors)).Search(ctx, dbss.Options{KeepGoing: true}, &dbss.Progress{}); err != nil {
		return err.Error()
	}
	asked, all, ends := [2]uint64{}, [2]uint64{}, [2]uint64{}
	for i, search := range []func(checker *property.Checker) (*dbss.Result, error){
		func(c *property.Checker) (*dbss.Result, error) {
			return dbss.Search(ctx, actors, c, dbss.Options{KeepGoing: true}, &dbss.Progress{})
		},
		func(c *property.Checker) (*dbss.Result, error) {
			return macro.New(actors, c).Search(ctx, dbss.Options{KeepGoing: true}, &dbss.Progress{})
		},
	} {
		checker := property.NewChecker(oracle, actors)
		r, err := search(checker)
		if err != nil {
			return err.Error()
		}
		if r.Violations > 0 {
			return ""
		}
		var remembered uint64
		asked[i], remembered = checker.Evaluations(r.States, r.Terminal)
		all[i], ends[i] = asked[i]+remembered, r.Terminal
	}
	if asked[0] != asked[1] || all[1] > 2*all[0]+ends[1] {
		return fmt.Sprintf("%d evaluations were asked for and %d looked up, without macro steps %d and %d", asked[1], all[1], asked[0], all[0])
	}
	return ""
}

// key tells states of the actors apart, or orbits of them.
func (s subject) key() func(model.State) string {
	if s.symmetries != nil {
		return reach.Orbits(s.symmetries.Canonicalizer())
	}
	return reach.Exact
}

// reach are all states of the actors that can be reached.
func (s subject) reach(ctx context.Context, key func(model.State) string) (*reach.Found, error) {
	return reach.Walk{System: s.actors, Key: key, Most: 2 * mostStates, Within: s.isWithin}.States(ctx)
}

// isWithin reports whether a state is within the bounds of the program.
func (s subject) isWithin(at model.State) bool {
	return len(s.Program().Bounds()) == 0 || must.Get(property.NewChecker(s.Oracle, s.actors).IsWithin(context.Background(), at))
}

// macroWalk finds macro states.
func (s subject) macroWalk(key func(model.State) string) reach.Walk {
	return reach.Walk{
		System: s.system, Key: func(m model.State) string { return key(s.system.Graph.Unfold(m)) }, Most: 2 * mostStates,
		Within: func(m model.State) bool { return s.isWithin(s.system.Graph.Unfold(m)) },
	}
}

// reachMacro are all reachable macro states.
func (s subject) reachMacro(ctx context.Context, key func(model.State) string) (map[string]model.State, error) {
	for {
		found, err := s.macroWalk(key).States(ctx)
		if err != nil {
			return nil, err
		}
		if again, err := s.system.Again(ctx); err != nil || !again {
			return found.States, err
		}
	}
}

// cover are the states that macro states stand for: found by taking internal steps of the actors one by one.
func (s subject) cover(ctx context.Context, macro map[string]model.State, key func(model.State) string) (map[string]model.State, error) {
	w := reach.Walk{System: s.actors, Key: key, Most: 2 * mostStates, Within: s.isWithin}
	for _, m := range macro {
		w.From = append(w.From, s.system.Graph.Unfold(m))
	}
	w.Follows = func(at model.State, t model.Transition, undo []model.Change) bool {
		return !s.actors.Facts(at, t).Guarded && !s.isLabelled(t.Slot+1, undo)
	}
	covered, err := w.States(ctx)
	if err != nil {
		return nil, err
	}
	return covered.States, nil
}

// isLabelled reports that a transition of the actor at a position changes a part of another component, or the global.
func (s subject) isLabelled(position uint32, undo []model.Change) bool {
	return slices.ContainsFunc(undo, func(c model.Change) bool {
		return c.Position == 0 || s.componentOf(c.Position) != s.componentOf(position)
	})
}

// componentOf is the index of the group that an actor is in, or a number of its own.
func (s subject) componentOf(position uint32) int {
	creator, _, _ := strings.Cut(s.actors.Values.PositionName(int(position)), "/")
	if g := slices.IndexFunc(s.groups, func(group []string) bool { return slices.Contains(group, creator) }); g >= 0 {
		return g
	}
	return -int(position)
}

// searchProblem compares searches with the twin, and executes the violations found again.
func (s subject) searchProblem(ctx context.Context, want twin.Result, states int) string {
	counted := uint64(0)
	for _, o := range []dbss.Options{{}, {Order: dbss.BreadthFirst}, {Workers: 3, KeepGoing: true}, {KeepGoing: true},
		{Order: dbss.BreadthFirst, Workers: 2, KeepGoing: true}, {Store: dbss.Compact}} {
		checker := property.NewChecker(s.Oracle, s.actors)
		if s.symmetries != nil {
			checker.Permute(symmetry.Labels(s.symmetries.Generators))
			checker.Combine(s.symmetries)
			o.Canonical = s.symmetries.Canonicalizer
		}
		system := s.newSystem(checker)
		r, err := system.Search(ctx, o, &dbss.Progress{})
		if err != nil {
			return err.Error()
		}
		within := int(r.States - r.Outside)
		switch {
		case (r.Violation != nil) != (want.Violations > 0):
			return fmt.Sprintf("violation %v, the twin has %d", r.Violation, want.Violations)
		case o.KeepGoing && (r.Terminal > 0) != (want.Terminal > 0):
			return fmt.Sprintf("%d terminal states, the twin has %d", r.Terminal, want.Terminal)
		case o.KeepGoing && (within < states || within > states && system.Excluded() == s.system.Excluded()):
			return fmt.Sprintf("%d macro states, not %d", within, states)
		case o.KeepGoing && counted != 0 && r.States != counted:
			return fmt.Sprintf("%d macro states in one order, %d in another", counted, r.States)
		}
		if o.KeepGoing {
			counted = r.States
			if problem := s.runsProblem(system, r, want); problem != "" {
				return problem
			}
		}
		if r.Violation != nil {
			if problem := replayed.Problem(s.Oracle, s.actors, r.Violation); problem != "" {
				return problem
			}
		}
	}
	return ""
}

// runsProblem compares which handlers ran, in some order of events.
func (s subject) runsProblem(system *macro.System, r *dbss.Result, want twin.Result) string {
	for number := 1; number <= s.actors.Values.Handlers(); number++ {
		label := s.actors.Values.HandlerLabel(number)
		ran := number < len(r.HandlerRuns) && r.HandlerRuns[number] > 0
		if ran != (want.Runs[label] > 0) && s.symmetries == nil && !(ran && system.CountsLate(uint32(number))) {
			return fmt.Sprintf("%s ran: %v, the twin had it run %d times", label, ran, want.Runs[label])
		}
	}
	return ""
}
