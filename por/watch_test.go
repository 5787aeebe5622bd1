package por_test

import (
	"context"
	"errors"
	"slices"
	"sync"

	"harrier/dbss"
	"harrier/internal/twin"
	"harrier/model"
	"harrier/por/footprint"
	"harrier/property"
	"harrier/symmetry"
)

// A reducer makes what reduces searches of a system.
type reducer func(actors *model.Actors) (func() model.Reduction, error)

// A way is how a program is searched.
type way struct {
	name    string
	hashing model.Hashing
	orbits  bool // with symmetry
	reducer reducer
	dbss.Options
}

// found is what a search found of what the twin can tell, too.
type found struct {
	*dbss.Result
	ends   map[string]bool // canonical forms of relevant parts of ends
	broken map[string]bool // as the twin's
	chosen []choice
	actors *model.Actors
}

// A choice is what a reduction chose.
type choice struct {
	state  model.State
	follow []model.Transition
}

// search searches a program to the end.
func (s subject) search(w way) (*found, error) {
	actors, err := model.NewActors(footprint.Watch(s), s.Decomposition(w.hashing))
	if err != nil {
		return nil, err
	}
	watch := &watch{System: actors, actors: actors, subject: s, found: found{ends: map[string]bool{}, broken: map[string]bool{}, actors: actors}}
	if w.orbits {
		g, err := symmetry.Find(actors)
		if err != nil {
			return nil, err
		}
		w.Canonical = g.Canonicalizer
	}
	if w.reducer != nil {
		reduction, err := w.reducer(actors)
		if err != nil {
			return nil, err
		}
		w.Reduction = func() model.Reduction { return watch.noting(reduction()) }
	}
	checker := property.NewChecker(judge{s, watch}, actors)
	watch.Result, err = dbss.Search(context.Background(), watch, checker, w.Options, &dbss.Progress{})
	watch.noteFailures()
	return &watch.found, errors.Join(err, watch.err)
}

// A watch is a system that notes what a search finds. It is asked for what is pending at ends alone, and the numbers that
// transitions that fail have tell which of them were run.
type watch struct {
	model.System
	actors  *model.Actors
	subject subject
	mu      sync.Mutex // guards what follows
	found
	failing []failing
	names   []string // of what fails, once it was seen to
	err     error
}

// Pending implements model.System.
func (w *watch) Pending(s model.State) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	key, err := w.canonical(s)
	w.ends[key], w.err = true, errors.Join(w.err, err)
	return w.actors.Pending(s)
}

func (w *watch) canonical(s model.State) (string, error) {
	var actors []model.Actor
	var pending, delivered []model.Message
	for _, id := range s[1:] {
		n := w.actors.NodeParts(id)
		if n.Local != 0 {
			actors = append(actors, w.actors.Actor(n.Local))
		}
		for _, m := range n.Waiting {
			pending = append(pending, w.actors.Message(m))
		}
		for _, m := range n.Delivered {
			delivered = append(delivered, w.actors.Message(m))
		}
	}
	pending, err := w.subject.once(pending)
	if err != nil {
		return "", err
	}
	return twin.Canonical(w.subject.Program(), w.subject.Relevant, actors, pending, delivered, w.actors.History(s))
}

// once leaves out messages in sets that differ from others in what is not relevant alone, as the twin does.
func (s subject) once(messages []model.Message) ([]model.Message, error) {
	met := map[string]bool{}
	var all []model.Message
	for _, m := range messages {
		isSet := !s.Program().FIFO.Has(m.Receiver) && slices.ContainsFunc(s.Program().Faults, func(f model.Fault) bool {
			return f.Kind == model.Duplicate && f.Budget == model.Unbounded && f.Scope.Has(m.Receiver)
		})
		payload, err := s.Relevant(m.Payload)
		if err != nil {
			return nil, err
		}
		id := m.Receiver + "<" + m.Sender + " " + string(payload)
		if !isSet || !met[id] {
			all = append(all, m)
		}
		met[id] = true
	}
	return all, nil
}

// firstFailing is above the numbers of handlers, of which there may be more in the course of a search.
const firstFailing = 1 << 10

// A failing is a transition of a node that fails.
type failing struct {
	node model.NodeID
	step uint32
}

// Facts implements model.System. A transition that fails has the number of a handler of its own.
func (w *watch) Facts(s model.State, t model.Transition) model.Facts {
	f := w.actors.Facts(s, t)
	if !w.actors.StepOf(s, t).Fails() {
		return f
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	of := failing{s[t.Slot+1], t.Step}
	i := slices.Index(w.failing, of)
	if i < 0 {
		i = len(w.failing)
		w.failing, w.names = append(w.failing, of), append(w.names, "")
	}
	f.Handler = uint32(firstFailing + i)
	return f
}

// Apply implements model.System. Only what is not refused says how it fails.
func (w *watch) Apply(s model.State, t model.Transition, undo []model.Change) (model.State, []model.Change, error) {
	of := failing{s[t.Slot+1], t.Step}
	after, undo, err := w.actors.Apply(s, t, undo)
	var failure *model.StepFailure
	if errors.As(err, &failure) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if i := slices.Index(w.failing, of); i >= 0 {
			w.names[i] = twin.Failing(failure.Handler, *failure.Failure)
		}
	}
	return after, undo, err
}

// noteFailures notes the failing handlers that were run.
func (w *watch) noteFailures() {
	for i, name := range w.names {
		if number := firstFailing + i; w.Result != nil && number < len(w.HandlerRuns) && w.HandlerRuns[number] > 0 {
			w.broken[name] = true
		}
	}
}

// noting notes what a reduction chooses.
func (w *watch) noting(reduce model.Reduction) model.Reduction {
	return func(ctx context.Context, s model.State, into []model.Transition) ([]model.Transition, bool, error) {
		chosen, isReduced, err := reduce(ctx, s, into)
		if isReduced {
			w.mu.Lock()
			w.chosen = append(w.chosen, choice{slices.Clone(s), slices.Clone(chosen)})
			w.mu.Unlock()
		}
		return chosen, isReduced, err
	}
}

// A judge is an oracle that notes which properties did not hold. Each of them is evaluated before it is remembered.
type judge struct {
	model.Oracle
	*watch
}

// Evaluate implements model.Oracle.
func (j judge) Evaluate(ctx context.Context, evaluations []model.Evaluation) ([]model.Judgement, error) {
	judgements, err := j.Oracle.Evaluate(ctx, evaluations)
	j.mu.Lock()
	defer j.mu.Unlock()
	for i, judgement := range judgements {
		if !judgement.Holds {
			j.broken[j.Program().Properties[evaluations[i].Property].Name] = true
		}
	}
	return judgements, err
}
