package dbss

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"harrier/internal/distributed/levels"
	"harrier/internal/distributed/tasks"
	"harrier/internal/ds/vectors"
	"harrier/internal/model"
)

// Watch takes the place of Search where other processes share the search (Options.Share): it follows the levels that they complete, and
// explores no states. It works out the local steps that they met, so that figures, and reductions that rest on local steps, are as in a search of one
// process. A violation ends the search as soon as one of them has found it, unless KeepGoing.
func Watch(ctx context.Context, system model.System, checker Checker, o Options, p *Progress, f *tasks.Follower) (*Result, error) {
	shared, ok := system.(model.Shared)
	if !ok {
		return nil, errors.New("a search of this kind cannot be shared out among processes")
	}
	space := newSpace(shared, &vectors.Tree{})
	w := &watcher{Options: o, system: shared, checker: checker, progress: p, follower: f, space: space, order: levels.NewOrder(space)}
	err := w.watch(ctx)
	if reason := model.EndReason(ctx, err); reason != "" {
		w.result.Reason, err = reason, nil
	}
	w.result.Levels, w.result.Manifest, w.result.Phases = f.Sizes(), f.Sum(), f.Phases()
	slices.Sort(w.result.Failed)
	w.result.Failed = slices.Compact(w.result.Failed)
	if err == nil && w.found != nil {
		found, failed := w.trace(context.WithoutCancel(ctx))
		if w.result.Violation = found; failed != nil {
			w.result.Violation = nil
			err = &model.LimitError{Text: fmt.Sprintf("a worker that shares the search reports a violation that is not found again: %v", failed)}
		}
	}
	w.result.Complete = err == nil && w.over && w.result.Reason == ""
	return &w.result, err
}

// A watcher is a Watch in progress.
type watcher struct {
	Options
	system   model.Shared
	checker  Checker
	progress *Progress
	follower *tasks.Follower
	space    *space
	order    *levels.Order

	result  Result
	bounded bool
	over    bool       // there are no more states
	found   *reference // with the shortest run; nil for none
}

// watch follows the levels to the end.
func (w *watcher) watch(ctx context.Context) error {
	states := 0
	for {
		l, all, err := w.follower.Next(ctx, w.early)
		if l == nil || err != nil {
			return w.refused(err)
		}
		for _, o := range all {
			if err := w.take(ctx, o); err != nil {
				return w.refused(err)
			}
		}
		if states += l.States(); uint64(states) != w.result.States {
			return &model.LimitError{Text: fmt.Sprintf("the levels of the shared search have %d states, and its workers counted %d", states, w.result.States)}
		}
		w.show(l)
		if w.Between != nil {
			if err := w.Between(ctx); err != nil {
				return err
			}
		}
		switch {
		case l.States() == 0:
			if w.over = states > 0; !w.over {
				return &model.LimitError{Text: "the workers that share the search explored no states"}
			}
			if w.bounded {
				w.result.Reason = fmt.Sprintf("runs longer than %d transitions were not followed (--max-depth)", w.MaxDepth)
			}
			return nil
		case w.MaxStates > 0 && w.result.States > w.MaxStates:
			w.result.Reason = fmt.Sprintf("the search ended after %d states (--max-states)", w.result.States)
			return nil
		}
	}
}

// show has the progress show the levels so far, of which l is the last.
func (w *watcher) show(l *tasks.Level) {
	w.progress.States.Store(w.result.States)
	w.progress.Transitions.Store(w.result.Transitions)
	w.progress.Depth.Store(uint64(w.result.Depth))
	w.progress.Frontier.Store(uint64(l.States()))
}

// early takes in the outcome of a task of a level that may not be complete, and reports whether it ends the search.
func (w *watcher) early(o tasks.Outcome) (end bool, err error) {
	found, err := findingOf(o)
	switch {
	case err != nil:
		return false, err
	case found.Problem != nil:
		return false, found.Problem.err()
	case found.Violation == nil || w.KeepGoing:
		return false, nil
	}
	w.found = found.Violation
	w.result.Add(found.Counts.In(w.Handlers))
	w.result.Failed = append(w.result.Failed, found.Failed...)
	return true, nil
}

func findingOf(o tasks.Outcome) (f finding, err error) {
	if err := json.Unmarshal(o.Search, &f); err != nil {
		return f, &levels.DamagedError{Name: "the outcome of a task", Text: "cannot be read"}
	}
	return f, nil
}

// take takes in the outcome of a task of a complete level.
func (w *watcher) take(ctx context.Context, o tasks.Outcome) error {
	found, err := findingOf(o)
	if err != nil {
		return err
	}
	w.result.Add(found.Counts.In(w.Handlers))
	w.result.Failed = append(w.result.Failed, found.Failed...)
	w.bounded = w.bounded || found.Bounded
	if v := found.Violation; v != nil && (w.found == nil || v.Length < w.found.Length) {
		w.found = v
	}
	if found.News == "" {
		return nil
	}
	news, err := w.told(ctx, found.News)
	if err != nil {
		return err
	}
	for _, of := range news.System {
		if err := w.system.Learn(ctx, of); err != nil {
			return err
		}
	}
	return w.again().Ask(ctx, news.Asked)
}

// told reads the knowledge of a process.
func (w *watcher) told(ctx context.Context, name string) (news told, err error) {
	file, err := w.follower.Files.Open(ctx, name)
	if err != nil {
		return news, err
	}
	defer file.Close()
	text, err := levels.ReadBytes(file, name)
	if err == nil && json.Unmarshal(text, &news) != nil {
		err = &levels.DamagedError{Name: name, Text: "cannot be read"}
	}
	return news, err
}

// refused is the error of files and entries that cannot be believed: a search that has one comes to no verdict.
func (w *watcher) refused(err error) error {
	var damaged *levels.DamagedError
	if errors.As(err, &damaged) {
		return &model.LimitError{Text: fmt.Sprintf("the shared search cannot go on: %v", damaged)}
	}
	return err
}

func (w *watcher) again() Again { return Again{w.system, w.checker, w.NoDeadlock} }

// trace finds again the violation that a process found.
func (w *watcher) trace(ctx context.Context) (*Counterexample, error) {
	return w.again().trace(ctx, w.found, func(level int, place uint32) (model.State, uint32, error) {
		r, err := w.follower.At(ctx, w.order, level, place)
		return w.space.state(r.State), r.From, err
	})
}
