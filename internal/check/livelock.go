package check

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"harrier/internal/liveness"
	"harrier/internal/model"
	"harrier/internal/model/space"
)

// livelock returns a remark on a program of which no run ends and that declares no property of runs: a fair run that goes on for ever,
// with a message that waits all along. It is "" without such a run, and where neither a message waits nor a final condition is declared.
//
// It looks at no more than a twentieth as many states as the search had, so that it costs little.
func (c *Check) livelock(ctx context.Context) (string, error) {
	actors := c.Actors()
	program := actors.Program()
	ends := c.Result.Terminal > 0 || !c.Result.Complete || ctx.Err() != nil
	if ends || len(program.Liveness) > 0 || program.IsBounded() || slices.ContainsFunc(program.Faults, model.Fault.Repeats) && !program.EmptiesSets() {
		return "", nil
	}
	never := model.Liveness{Formula: "false"} // which each run violates
	s, err := liveness.New(actors, c.Checker, never, liveness.Options{Macro: c.needsSingleSteps(program, never) == ""})
	if err != nil {
		return "", err
	}
	l, err := s.Advance(ctx, max(leastLook, int(c.Result.States/20)))
	if l == nil || err != nil || len(l.Loop) == 0 {
		return "", err
	}
	if l, err = s.Shorten(ctx, l); err != nil {
		return "", err
	}
	handlers, waiting, err := c.repeated(l)
	if err != nil || waiting == "" && !program.AsksTerminalStates() {
		return "", err
	}
	return fmt.Sprintf("no run ends, and a fair run repeats for ever: %s%s; @Eventually says what is to come about",
		strings.Join(handlers, ", "), waiting), nil
}

// leastLook is how many states are looked at for a livelock at least.
const leastLook = 1 << 10

// repeated are the handlers of the loop of a lasso, each once, and whom a message waits for in all of its states, as the end of a
// sentence.
func (c *Check) repeated(l *liveness.Lasso) (handlers []string, waiting string, err error) {
	actors, s := c.Actors(), c.Actors().Initial()
	type wait struct{ receiver, message uint32 }
	var waits map[wait]bool
	for i, t := range slices.Concat(l.Stem, l.Loop) {
		if i >= len(l.Stem) {
			now := map[wait]bool{}
			for _, at := range space.NodesOf(s) {
				for _, m := range actors.Nodes.Parts(at.Node).Waiting {
					if w := (wait{at.Position, m}); waits == nil || waits[w] {
						now[w] = true
					}
				}
			}
			st := actors.StepOf(s, t)
			for _, m := range st.Messages {
				delete(now, wait{t.Slot + 1, m})
			}
			waits = now
			if name := actors.Values.HandlerLabel(int(st.Handler)); st.Handler != 0 && !slices.Contains(handlers, name) {
				handlers = append(handlers, name)
			}
		}
		if s, _, err = actors.Apply(s, t, nil); err != nil {
			return nil, "", err
		}
	}
	for position := range len(s) {
		for w := range waits {
			if int(w.receiver) == position {
				return handlers, fmt.Sprintf(", while a message waits for %s that it does not accept", actors.Values.PositionName(position)), nil
			}
		}
	}
	return handlers, "", nil
}
