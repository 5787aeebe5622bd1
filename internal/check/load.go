package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"harrier/bridge"
	"harrier/internal/check/adversary"
	"harrier/internal/checkpoint"
	"harrier/internal/live"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/search"
	"harrier/por/footprint"
)

// Load loads the program, if it is not there yet, and has it begin in a snapshot, if one is given.
func Load(ctx context.Context, c *Check) error {
	if c.Program != nil {
		return c.begin(c.Program.Program())
	}
	c.Source.Footprints, c.Source.Profile = c.Source.Footprints || c.POR == "static", c.Profile
	program, domains, err := LoadProgram(ctx, c.JVM, c.Source)
	if err != nil {
		return beforeSearch(ctx, err)
	}
	notes, err := program.Notes(ctx)
	if err != nil {
		return beforeSearch(ctx, err)
	}
	c.Program, c.domains, c.relaxed, c.loaded = program, domains, append([]string{}, notes.Allowed...), program
	if err := c.demandSame(); err != nil {
		return err
	}
	if err := c.keepApart(); err != nil {
		return err
	}
	return c.begin(program.Program())
}

// InputRule is the first of some relaxed rules, each as name=value, that lets a program read input which may differ
// from one time or machine to another. It is "" if there is none.
func InputRule(relaxed []string) string {
	i := slices.IndexFunc(relaxed, func(rule string) bool {
		name, _, _ := strings.Cut(rule, "=")
		return slices.Contains([]string{"environment", "io", "natives", "time"}, name)
	})
	if i < 0 {
		return ""
	}
	return relaxed[i]
}

// uniqueDraws is how rules begin by which actors draw values that follow from their names.
const uniqueDraws = "randomness=unique:"

// keepApart has no actors permuted that draw different random values.
func (c *Check) keepApart() error {
	i := slices.IndexFunc(c.relaxed, func(rule string) bool { return strings.HasPrefix(rule, uniqueDraws) })
	switch {
	case i < 0 || c.Symmetry == "off":
		return nil
	case c.Symmetry != "auto":
		return usage("--symmetry %s does not go together with --allow %s: what an actor draws follows from its name, so no actors are symmetric",
			c.Symmetry, c.relaxed[i])
	}
	c.Symmetry, c.toldApartBy = "off", c.relaxed[i]
	return nil
}

// demandSame demands that the program is that of the checkpoint, if there is one.
func (c *Check) demandSame() error {
	if c.Checkpoint == nil {
		return nil
	}
	if rule := InputRule(c.relaxed); rule != "" {
		return usage("a checkpoint does not go together with --allow %s: what the program reads beside its classes may change before the search goes on", rule)
	}
	rest, classes := c.loaded.Answers.Fingerprint()
	c.Checkpoint.Flush = c.loaded.Answers.Flush
	return c.Checkpoint.Demand(checkpoint.Program{Facts: c.loaded.Facts, Classes: classes, Rest: rest})
}

// beforeSearch says of a limit that it was reached before the search began.
func beforeSearch(ctx context.Context, err error) error {
	var limit *model.LimitError
	if errors.As(context.Cause(ctx), &limit) && errors.Is(err, limit) {
		return &model.LimitError{Text: limit.Text + " before the search began: the program was being compiled and set up"}
	}
	return err
}

// begin has a program begin in the snapshot. Messages may be lost in it, so any terminal state may come about.
func (c *Check) begin(program *model.Program) error {
	if c.From == "" {
		return nil
	}
	s, err := live.ReadSnapshotFile(c.From)
	if err == nil {
		err = s.Of(program)
	}
	if err != nil {
		return usage("%v", err)
	}
	program.Initial, program.Live, c.NoDeadlock = s.Initial, true, true
	return nil
}

// LoadProgram loads a program, and makes up the messages of adversaries where it does not declare them.
func LoadProgram(ctx context.Context, jvm *bridge.JVM, source bridge.Source) (*bridge.Program, []adversary.MessageDomain, error) {
	program, err := jvm.Load(ctx, source)
	if err != nil || !adversary.Needed(program.Program()) {
		return program, nil, err
	}
	asHonest := source
	asHonest.Honest = true
	honest, err := jvm.Load(ctx, asHonest)
	if err != nil {
		return nil, nil, err
	}
	faults := program.Program().Faults
	domains, err := adversary.Fill(ctx, honest, program.Program())
	honest.Answers.Flush()
	if err != nil {
		return nil, nil, err
	}
	// Java runs the program loaded last.
	if program, err = jvm.Load(ctx, source); err != nil {
		return nil, nil, err
	}
	program.Program().Faults = faults
	return program, domains, nil
}

// refuseLast refuses ways to search that do not keep the local states in which actors stop, which properties read.
func (c *Check) refuseLast() error {
	for _, o := range []struct {
		flag string
		is   bool
	}{{"search", c.Search == search.Local}, {"reduction", c.Reduction == "demeter"}, {"por", c.POR != "off"}} {
		if o.is {
			return usage("%s: properties call stopped(), and it does not keep the states in which actors stopped: leave it out", c.AsGiven(o.flag))
		}
	}
	return nil
}

// takeWhole has each step be taken by itself, from whole states. Properties that read inFlight() see nearly all states, and
// local search combines local states for which there is no network.
func (c *Check) takeWhole() error {
	for _, o := range []struct{ flag, value, needed string }{
		{"reduction", c.Reduction, "off"}, {"symmetry", c.Symmetry, "off"}, {"hashing", c.Hashing, "full"}, {"por", c.POR, "off"},
		{"components", c.Components, ""},
	} {
		if c.IsGiven(o.flag) && o.value != o.needed {
			return usage("%s: properties call inFlight(), which whole states and single steps decide: leave it out", c.AsGiven(o.flag))
		}
	}
	if c.Reduction == "demeter" {
		return usage("--reduction demeter: properties call inFlight(), which whole states and single steps decide: leave it out")
	}
	if c.Search == search.Local {
		return usage("%s: properties call inFlight(), and local states are combined without a network: leave it out", c.AsGiven("search"))
	}
	c.Reduction, c.Symmetry, c.Hashing = "off", "off", "full"
	return nil
}

// takeRounds has a search take single steps where clocks drift, unless macro steps are asked for. Other reductions than these, shared searches and
// audits are not shown to be right where time goes on, and properties of runs would be about runs that end at the horizon.
func (c *Check) takeRounds(program *model.Program) error {
	for _, o := range []struct {
		flag, instead string
		is            bool
	}{
		{"reduction", "--reduction off", c.Reduction == "demeter"}, {"por", "--por off", c.POR != "off"},
		{"search", "--search bfs", c.Search == search.Local}, {"share", "no --share", true},
		{"audit", "no --audit", true}, {"mode", "--mode bfs", c.Reduction == "demeter"},
	} {
		if err := program.RefuseRounds(c.AsGiven(o.flag), o.instead); c.IsGiven(o.flag) && o.is {
			return err
		}
	}
	for _, p := range program.Liveness {
		return usage("%q is about runs without an end, and with clocks() they end at the horizon: check it without clocks(), or have a @Final method say it", p.Title())
	}
	isCrash := func(f model.Fault) bool { return f.Kind == model.Crash }
	for _, p := range program.Properties {
		if p.Kind.IsOfSteps() && slices.ContainsFunc(program.Faults, isCrash) {
			return usage("%q is asked of crashes together with the restarts after them, and with clocks() a restart depends on how long the actor was down: leave out staysDown()", p.Name)
		}
	}
	if program.Clocks.Drift > 0 && !c.IsGiven("reduction") && !c.IsGiven("components") {
		c.Reduction = "off" // rounds are most of the transitions, and more of these lead to one state by macro steps
	}
	return nil
}

// refuseBounded refuses properties of runs where a bound ends runs, and searches that follow runs to their ends where timers are held back.
func (c *Check) refuseBounded(program *model.Program) error {
	end := "where timers are held back, timers().atMost"
	if bounds := program.Bounds(); len(bounds) > 0 {
		end = fmt.Sprintf("where it leaves the bound %q (@Within)", program.Properties[bounds[0]].Name)
	}
	for _, p := range program.Liveness {
		about := "whole runs"
		if p.Kind != model.Always {
			about = "all states that runs come to"
		}
		return usage("%q is about %s, and a run ends %s: check it without the bound, or leave it out by --property", p.Title(), about, end)
	}
	for _, o := range []struct {
		flag string
		is   bool
	}{{"search", c.Search == "stateless"}, {"reduction", c.Reduction == "demeter"}} {
		if o.is && program.Timers.IsBounded {
			return usage("%s follows runs to their ends, and where timers are held back, timers().atMost, a run has none: leave it out", c.AsGiven(o.flag))
		}
	}
	return nil
}

var hashings = map[string]space.Hashing{"selective": space.Selective, "fields": space.Fields, "last": space.Last, "full": space.Full}

// Decompose divides local states and messages into relevant and auxiliary parts, and actors into components. Without macro
// steps there are no components, so that they restrict no permutation of actors.
func Decompose(_ context.Context, c *Check) error {
	program := c.Program.Program()
	if program.SeesInFlight {
		if err := c.takeWhole(); err != nil {
			return err
		}
	}
	if program.SeesStopped {
		if err := c.refuseLast(); err != nil {
			return err
		}
	}
	if program.Clocks.Run() {
		if err := c.takeRounds(program); err != nil {
			return err
		}
	}
	if program.IsBounded() {
		if err := c.refuseBounded(program); err != nil {
			return err
		}
	}
	if c.Reduction == "off" {
		program.Components = nil
	} else if err := setComponents(program, c.Components); err != nil {
		return err
	}
	if c.Loaded != nil {
		c.Loaded()
	}
	oracle := model.Oracle(c.Program)
	if c.POR == "static" {
		// A step that contradicts the footprints that static reduction goes by is an error, whoever asks for it.
		oracle = footprint.Watch(oracle)
	}
	hashing, hashes := hashings[c.Hashing]
	if !hashes {
		hashing = space.Full // steps are taken on whole states
	}
	decomposition := c.Program.Decomposition(hashing)
	if c.refuted.readsAny {
		decomposition.Visible = nil
	}
	actors, err := space.NewActors(oracle, decomposition)
	if err != nil {
		return err
	}
	c.actors.Store(actors)
	c.setUp = time.Since(c.started)
	return nil
}
