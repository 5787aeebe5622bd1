package explore

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"harrier/dbss"
	"harrier/internal/report/minimal"
	"harrier/internal/search"
)

var errStopped = errors.New("it was stopped")

// search looks for a violation that can be reached from a node, with its remaining budgets and its cuts, and takes the run to it. It
// returns the node where that ends, and its result.
func (s *Session) search(parent context.Context, at int) (int, string, error) {
	from := s.nodes[at]
	if i := slices.IndexFunc(from.violated, violated.isOfState); i >= 0 {
		return at, "This state is violated already: " + from.violated[i].Message, nil
	}
	if s.oracle.Program().SeesNetwork() {
		return at, "Properties read what is in flight or who has stopped, so searching is left to harrier check.", nil
	}
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	s.progress.Reset()
	s.searching.Store(&cancel)
	defer s.searching.Store(nil)
	p := search.NewProblem(s.actors, dbss.Options{Order: dbss.BreadthFirst, MaxStates: s.MaxStates, NoDeadlock: s.oracle.Program().Live})
	p.Start, p.Progress = from.state, &s.progress
	f, err := search.MacroSteps{}.Search(ctx, p)
	r := f.Result
	switch {
	case err != nil:
		return at, "", err
	case r.Violation == nil && r.Complete:
		return at, fmt.Sprintf("No violation can be reached from here%s (%s macro states).%s", s.within(), humanize.Comma(int64(r.States)), s.notSearched()), nil
	case r.Violation == nil:
		return at, fmt.Sprintf("No violation was found among %s macro states, and there are more: %s.",
			humanize.Comma(int64(r.States)), r.Reason), nil
	}
	v := r.Violation
	path, err := minimal.Path(parent, s.actors, f.Checker, v.Violation, from.state, v.Path)
	if err != nil {
		return at, "", err
	}
	for _, t := range path {
		if at, err = s.take(parent, at, t); err != nil {
			return at, "", err
		}
	}
	if len(s.nodes[at].violated) == 0 {
		return at, "", errors.New("the search found a violation, and the run to it has none")
	}
	return at, fmt.Sprintf("Found after %s: %s", english.Plural(len(path), "further step", ""), s.nodes[at].violated[0].Message), nil
}

// isOfState reports whether it is the state that is violated, and not the run.
func (v violated) isOfState() bool { return !v.found.Kind.IsOfRuns() }

// within says that a search ends at a bound, if there is one.
func (s *Session) within() string {
	if !s.oracle.Program().IsBounded() {
		return ""
	}
	return " within the bound"
}

// notSearched says which properties a search leaves out.
func (s *Session) notSearched() string {
	if len(s.oracle.Program().Liveness) == 0 {
		return ""
	}
	return " Properties of whole runs are left to harrier check."
}

// stop ends the search that runs, if one does.
func (s *Session) stop() {
	if cancel := s.searching.Load(); cancel != nil {
		(*cancel)(errStopped)
	}
}
