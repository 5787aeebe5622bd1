package advice

import (
	"fmt"
	"slices"
	"strings"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
)

// remarks tell why a verdict may say less than it seems to, as far as the search shows it.
var remarks = []func(Ended) []string{
	ofTheProgram, noProperty, drawsApart, everyStepByItself, neverHappened, runsLeft, marks, childrenLeftOut, largeStates, terminalStates,
}

// Remarks returns the remarks on a search, of which the summary has the figures.
func Remarks(e Ended) []string { return e.collect(remarks) }

// Reservations returns what "verified" does not cover.
func Reservations(e Ended) []string { return append(neverTaken(e), marks(e)...) }

// ofTheProgram are the remarks of loading the program.
func ofTheProgram(e Ended) []string { return e.Actors.Program().Remarks }

func noProperty(e Ended) []string {
	program := e.Actors.Program()
	if e.isGiven("property") || len(program.Properties) > 0 || len(program.Liveness) > 0 {
		return nil
	}
	return []string{"the scenario states no property: all that was checked is that handlers do not fail"}
}

func drawsApart(e Ended) []string {
	if e.DrawsApart == "" || len(e.Actors.Program().Roles) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("no actors are permuted: what an actor draws follows from its name (--allow %s)", e.DrawsApart)}
}

func everyStepByItself(e Ended) []string {
	if !e.Actors.Program().SeesInFlight {
		return nil
	}
	return []string{"properties call inFlight(), so every step was taken by itself: no reduction, no symmetry"}
}

// neverHappened are the handlers that never ran and the faults that were never taken in a complete search.
func neverHappened(e Ended) (lines []string) {
	if !e.Result.Complete {
		return nil
	}
	for _, what := range append(neverRan(e), neverTaken(e)...) {
		lines = append(lines, what+InOrders(e.Result))
	}
	return lines
}

// InOrders ends a remark on an event that never happened in a search: it names the orders of events that were followed, unless all were.
func InOrders(result *dbss.Result) string {
	if result.Reduced > 0 {
		return " in the orders of events that were followed"
	}
	return ""
}

// neverRan are the handlers of actors that exist which never ran.
func neverRan(e Ended) (lines []string) {
	if !e.Result.RanHandler() {
		return []string{"no handler ever ran: at the start there is no message that one accepts, no timer, and no @Internal method that may run"}
	}
	runs, listed := map[string]uint64{}, map[string]bool{}
	for number := 1; number <= e.Actors.Values.Handlers(); number++ {
		runs[e.Actors.Values.HandlerLabel(number)] = e.Result.Runs(number)
	}
	for _, h := range e.Actors.Program().Handlers {
		if !h.OfHost() && runs[h.Label] == 0 && e.Actors.Values.HasActors(h.Class) && !listed[h.Label] {
			listed[h.Label] = true
			lines = append(lines, h.Label+" never ran")
		}
	}
	return lines
}

// neverTaken are the faults that were allowed and never taken.
func neverTaken(e Ended) (lines []string) {
	for i, f := range e.Actors.Program().Faults {
		// Where messages may be received without bound, that they are received again is no event of its own.
		if e.Result.Taken(i) == 0 && !f.Repeats() {
			line := f.Label + " never happened"
			if f.SparesSelf && len(f.Senders) == 1 && !f.Scope.All && slices.Equal(f.Senders, f.Scope.Names) {
				line += ": what an actor sends to itself is lost only with .andToSelf()"
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// runsLeft are properties of runs that were not asked.
func runsLeft(e Ended) (lines []string) {
	isOfAll := func(of model.Liveness) bool { return !property.OfRuns(of).Fair }
	if e.Summary.Search == sampled && slices.ContainsFunc(e.Actors.Program().Liveness, isOfAll) {
		lines = append(lines, "random runs do not decide what is to hold in some state, or to be possible from every state")
	}
	if e.RunsLeft {
		lines = append(lines, "properties of runs were not asked: under MP, and from a snapshot, runs get stuck that otherwise do not")
	}
	return lines
}

// marks are the fields and senders that are auxiliary only since they are marked so.
func marks(e Ended) (lines []string) {
	const rests = "the verdict rests on the mark @Auxiliary of %s, which the analysis does not confirm: %s"
	program, decomposition := e.Actors.Program(), e.Actors.Values.Decomposition
	for _, f := range program.Fields {
		line := fmt.Sprintf(rests, f, strings.Join(f.Reason, "; "))
		if f.Verdict == model.Believed && decomposition.Decomposes() && !slices.Contains(lines, line) { // it may be inherited
			lines = append(lines, line)
		}
	}
	for _, s := range program.BelievedSenders() {
		if decomposition.Sender != nil && decomposition.Hashing == space.Selective {
			lines = append(lines, fmt.Sprintf(rests, "the sender of "+s.Label, strings.Join(s.Reason, "; ")))
		}
	}
	return lines
}

// childrenLeftOut are the declarations for named actors that leave out a message to, or of, an actor that one of these created.
func childrenLeftOut(e Ended) (lines []string) {
	program := e.Actors.Program()
	note := func(what string, to, from model.Scope) {
		toAll, fromAll := to.WithChildren(), from.WithChildren()
		for id := range e.Actors.LocalSteps.Stats().Messages {
			m := e.Actors.Values.Message(model.MessageID(id + 1))
			if m.Sender == m.Receiver || to.Has(m.Receiver) && from.Has(m.Sender) ||
				!toAll.Has(m.Receiver) || !fromAll.Has(m.Sender) {
				continue
			}
			left := m.Receiver
			if to.Has(left) {
				left = m.Sender
			}
			lines = append(lines, fmt.Sprintf("%s leaves out %s, and such messages are sent from %s to %s: .andChildren() after names covers what these create",
				what, left, m.Sender, m.Receiver))
			return
		}
	}
	for _, f := range program.Faults {
		if f.Kind == model.Lose || f.Kind == model.Duplicate {
			note(f.Label, f.Scope, f.SenderScope())
		}
	}
	for _, d := range program.Channels {
		note(d.String()+"(…)", d.To, model.Scope{All: true})
	}
	return lines
}

// terminalStates remarks on the limits of a verdict on terminal states.
func terminalStates(e Ended) []string {
	hasFinal, isMP := e.Actors.Program().AsksTerminalStates(), e.Summary.Model == model.MP.String()
	switch {
	case hasFinal && isMP && !e.NoDeadlock:
		return []string{"final conditions were not asked: under MP an actor must consume all that was delivered to it at once, " +
			"so a run may get stuck that does not under M and M-MP"}
	case e.Result.Leftover > 0 && !hasFinal && !isMP:
		what := "terminal states"
		if e.Summary.Reduction == "macro" {
			what = "macro states with a terminal state"
		}
		if e.Summary.Reduction == "demeter" {
			what = "complete global skeletons"
		}
		return []string{fmt.Sprintf(
			"%d of the %d %s have messages left that nobody accepts; expectFinal() or @Final says which of them are expected",
			e.Result.Leftover, e.Result.Terminal, what)}
	}
	return nil
}
