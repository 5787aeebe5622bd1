package check

import (
	"fmt"
	"slices"
	"strings"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/process/memory"
	"harrier/internal/report"
)

// remarks points out what may make a verdict say less than it seems to.
func (c *Check) remarks(s *report.Summary) []string {
	actors, result := c.Actors(), c.Result
	program := actors.Program()
	remarks := append([]string{}, program.Remarks...)
	if len(c.Source.Properties) == 0 && len(program.Properties) == 0 && len(program.Liveness) == 0 {
		remarks = append(remarks, "the scenario states no property: all that was checked is that handlers do not fail")
	}
	if c.toldApartBy != "" && len(program.Roles) > 0 {
		remarks = append(remarks, fmt.Sprintf("no actors are permuted: what an actor draws follows from its name (--allow %s)", c.toldApartBy))
	}
	if program.SeesInFlight {
		remarks = append(remarks, "properties call inFlight(), so every step was taken by itself: no reduction, no symmetry")
	}
	if result.Complete {
		for _, what := range append(neverRan(actors, s), neverTaken(program, s)...) {
			remarks = append(remarks, what+never(result))
		}
	}
	if c.Search == random && slices.ContainsFunc(program.Liveness, func(of model.Liveness) bool { return of.Kind != model.Always }) {
		remarks = append(remarks, "random runs do not decide what is to hold in some state, or to be possible from every state")
	}
	if slices.ContainsFunc(program.Liveness, func(of model.Liveness) bool { return !c.asksRuns(of) }) {
		remarks = append(remarks, "properties of runs were not asked: under MP, and from a snapshot, runs get stuck that otherwise do not")
	}
	remarks = append(remarks, marks(actors)...)
	remarks = append(remarks, childrenLeftOut(actors)...)
	remarks = append(remarks, report.Bulk(actors)...)
	return append(remarks, c.terminalStates(result, program.Asks(model.Final))...)
}

// terminalStates points out what a verdict does not say of terminal states.
func (c *Check) terminalStates(result *dbss.Result, hasFinal bool) []string {
	switch {
	case hasFinal && c.Source.Delivery == model.MP && !c.NoDeadlock:
		return []string{"final conditions were not asked: under MP an actor must consume all that was delivered to it at once, " +
			"so a run may get stuck that does not under M and M-MP"}
	case result.Leftover > 0 && !hasFinal && c.Source.Delivery != model.MP:
		what := "terminal states"
		if c.Reduction == "macro" {
			what = "macro states with a terminal state"
		}
		if c.Reduction == "demeter" {
			what = "complete global skeletons"
		}
		return []string{fmt.Sprintf(
			"%d of the %d %s have messages left that nobody accepts; expectFinal() or @Final says which of them are expected",
			result.Leftover, result.Terminal, what)}
	}
	return nil
}

// never says where it was looked for what was not met.
func never(result *dbss.Result) string {
	if result.Reduced > 0 {
		return " in the orders of events that were followed"
	}
	return ""
}

// neverRan are the handlers of actors that exist which never ran.
func neverRan(actors *model.Actors, s *report.Summary) []string {
	runs := map[string]uint64{}
	for _, h := range s.Handlers {
		runs[h.Handler] = h.Runs
	}
	if !s.RanHandler() {
		return []string{"no handler ever ran: at the start there is no message that one accepts, no timer, and no @Internal method that may run"}
	}
	var remarks []string
	listed := map[string]bool{}
	for _, h := range actors.Program().Handlers {
		if runs[h.Label] == 0 && actors.Values.HasActors(h.Class) && !listed[h.Label] {
			listed[h.Label] = true
			remarks = append(remarks, h.Label+" never ran")
		}
	}
	return remarks
}

// childrenLeftOut returns a remark on each declaration for named actors that leaves out a message to, or of, an actor that one of these
// created.
func childrenLeftOut(actors *model.Actors) (remarks []string) {
	program := actors.Program()
	note := func(what string, to, from model.Scope) {
		toAll, fromAll := to.WithChildren(), from.WithChildren()
		for id := range actors.LocalSteps.Stats().Messages {
			m := actors.Values.Message(model.MessageID(id + 1))
			if m.Sender == m.Receiver || to.Has(m.Receiver) && from.Has(m.Sender) ||
				!toAll.Has(m.Receiver) || !fromAll.Has(m.Sender) {
				continue
			}
			left := m.Receiver
			if to.Has(left) {
				left = m.Sender
			}
			remarks = append(remarks, fmt.Sprintf("%s leaves out %s, and such messages are sent from %s to %s: .andChildren() after names covers what these create",
				what, left, m.Sender, m.Receiver))
			return
		}
	}
	for _, f := range program.Faults {
		if f.Kind == model.Lose || f.Kind == model.Duplicate {
			note(f.Label, f.Scope, f.SenderScope())
		}
	}
	note("fifo(…)", program.FIFO, model.Scope{All: true})
	return remarks
}

// neverTaken are the faults that were allowed and never taken.
func neverTaken(program *model.Program, s *report.Summary) []string {
	var remarks []string
	for i, f := range program.Faults {
		// Where messages may be received without bound, that they are received again is no event of its own.
		if s.Faults[i].Taken == 0 && !f.Repeats() {
			remark := f.Label + " never happened"
			if f.SparesSelf && len(f.Senders) == 1 && !f.Scope.All && slices.Equal(f.Senders, f.Scope.Names) {
				remark += ": what an actor sends to itself is lost only with .andToSelf()"
			}
			remarks = append(remarks, remark)
		}
	}
	return remarks
}

// marks says which fields are auxiliary only since they are marked so.
func marks(actors *model.Actors) []string {
	var rests []string
	for _, f := range actors.Program().Fields {
		text := fmt.Sprintf("the verdict rests on the mark @Auxiliary of %s, which the analysis does not confirm: %s",
			f, strings.Join(f.Reason, "; "))
		if isBelieved(f) && actors.Decomposition.Decomposes() && !slices.Contains(rests, text) { // it may be inherited
			rests = append(rests, text)
		}
	}
	for _, s := range actors.Program().BelievedSenders() {
		if actors.Decomposition.Sender != nil && actors.Decomposition.Hashing == model.Selective {
			rests = append(rests, fmt.Sprintf("the verdict rests on the mark @Auxiliary of the sender of %s, which the analysis does not confirm: %s",
				s.Label, strings.Join(s.Reason, "; ")))
		}
	}
	return rests
}

// withoutEffect are remarks on flags that were given and changed nothing. Limits are not among them, as they are for what
// need not happen, and neither are values that switch something off, but for the limit of memory that there is anyway.
func (c *Check) withoutEffect() (remarks []string) {
	actors, result, s := c.Actors(), c.Result, c.Summary
	usual, _ := NewMemoryLimit("")
	for _, f := range []struct {
		name string
		idle bool
		why  string
	}{
		{"symmetry", c.Symmetry == "auto" && c.Group == nil, "--search stateless remembers no states"},
		{"symmetry", c.Group != nil && c.Group.IsTrivial(), "no actors are symmetric: " + firstObstacle(c.Group)},
		{"por", c.POR != "off" && result.Reduced == 0, "no transition was left out"},
		{"reduction", c.Reduction == "macro" && result.Internal == 0 && (result.Complete || result.Transitions > 0),
			"every step shows outside of its component"},
		{"hashing", hashings[c.Hashing] <= model.Fields && !actors.Decomposition.Decomposes(), "nothing is auxiliary"},
		{"audit", s.POR == nil || s.POR.Audit == nil || s.POR.Audit.Pairs == 0, "partial-order reduction left nothing out"},
		{"cache", c.loaded == nil || !c.loaded.Answers.HasAny(),
			"no answer may be kept: each fails, leaves a remark, or depends on more than the program"},
		{"keep-going", result.Violation == nil, "no violation was met"},
		{"max-memory", c.Memory.Bytes == 0 && memory.Peak() < usual.Bytes,
			fmt.Sprintf("without it the limit is %s, and %s were taken", SizeText(usual.Bytes), SizeText(memory.Peak()))},
		{"no-deadlock", !actors.Program().Asks(model.Final), "the scenario has no final condition"},
		{"workers", c.Search != local && c.Given["workers"] != "auto" && c.Workers > 1 && result.Busy < c.Workers,
			fmt.Sprintf("%d of them took a transition", result.Busy)},
	} {
		if c.isGiven(f.name) && f.idle {
			remarks = append(remarks, fmt.Sprintf("%s had no effect: %s", c.given(f.name), f.why))
		}
	}
	return remarks
}

// isBelieved reports whether a field is auxiliary only since it is marked so.
func isBelieved(f model.Field) bool { return f.Verdict == model.Believed }

// auxiliaryFields are the fields that are left out of the relevant part.
func auxiliaryFields(program *model.Program) []string {
	return program.FieldNames(func(f model.Field) bool { return f.Verdict.Auxiliary() })
}

// auxiliarySenders are the senders of messages that are left out of the relevant part.
func auxiliarySenders(program *model.Program) []string {
	names := []string{}
	for _, s := range program.AuxiliarySenders() {
		names = append(names, s.Label)
	}
	return names
}

// adversaries are remarks on what was made up for adversaries to send.
func (c *Check) adversaries() (remarks []string) {
	for _, d := range c.domains {
		states := fmt.Sprintf("all %d states of the program without adversaries", d.States)
		if !d.Complete {
			states = fmt.Sprintf("the first %d states of the program without adversaries; others may be declared", d.States)
		}
		remarks = append(remarks, fmt.Sprintf("%s may send %d messages, made of the values in %s",
			strings.Join(d.Names, ", "), d.Messages, states))
	}
	return remarks
}
