package dbss_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"harrier/internal/model"
	"harrier/internal/model/replay"
	"harrier/internal/model/space"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/reach"
	"harrier/internal/testkit/toy"
)

// A walk takes a program at random through a System and a Run at once.
type walk struct {
	*testing.T
	actors *space.Actors
	dice   *rand.Rand
	met    map[string]string // digests of states, and states of digests
	taken  map[model.EventKind]int
}

// TestRunsDoWhatSearchesDo walks through random protocols. Runs must admit each transition that is enabled, and
// tell the same states apart.
func TestRunsDoWhatSearchesDo(t *testing.T) {
	kinds := map[model.EventKind]int{}
	for seed := *firstSeed; seed < *firstSeed+taken(130); seed++ {
		p := toy.Events.Random(seed / 2)
		if seed%2 == 1 {
			p = toy.Quorums.Random(seed / 2).Under(deliveryModels[seed/2%3])
		}
		walkThrough(t, seed, p, space.Decomposition{}, kinds)
	}
	t.Logf("transitions taken: %v", kinds)
	for kind := model.Receive; kind <= model.Byzantine; kind++ {
		if kinds[kind] < 50 {
			t.Errorf("only %d transitions are of the kind %q", kinds[kind], kind)
		}
	}
}

// TestRunsDoWhatRepresentativesDo walks through protocols with auxiliary parts. Of messages that are not told apart a run
// takes one that is there, in place of the one that stands for them.
func TestRunsDoWhatRepresentativesDo(t *testing.T) {
	for seed := *firstSeed; seed < *firstSeed+taken(130); seed++ {
		p := toy.Quorums.Random(seed).Under(deliveryModels[seed%3])
		d := p.Relevance()
		walkThrough(t, seed, p, d, map[model.EventKind]int{})
	}
}

// walkThrough takes four walks, and counts the transitions.
func walkThrough(t *testing.T, seed uint64, p *toy.Protocol, d space.Decomposition, kinds map[model.EventKind]int) {
	t.Helper()
	actors := must.Get(space.NewActors(p, d))
	w := &walk{t, actors, rand.New(rand.NewPCG(seed, 0)), map[string]string{}, kinds}
	for range 4 {
		if problem := w.follow(p, 25); problem != "" {
			t.Fatalf("seed %d: %s", seed, problem)
		}
	}
}

// follow takes so many random transitions from the initial state.
func (w *walk) follow(p *toy.Protocol, length int) (problem string) {
	run, err := replay.New(p, w.actors.Values.Decomposition)
	if err != nil {
		return err.Error()
	}
	s, path := w.actors.Initial(), []model.Transition{}
	for range length {
		if problem := w.compare(s, run); problem != "" {
			return problem
		}
		enabled, err := w.enabled(s, run)
		if err != nil {
			return err.Error()
		}
		if len(enabled) == 0 {
			return ""
		}
		path = append(path, enabled[w.dice.IntN(len(enabled))])
		actions, err := w.actors.Actions(path)
		if err != nil {
			return err.Error()
		}
		do := actions[len(actions)-1]
		if _, err := run.Take(context.Background(), do); err != nil {
			return fmt.Sprintf("%+v: %v", do, err)
		}
		w.taken[do.Event.Kind]++
		if s, _, err = w.actors.Apply(s, path[len(path)-1], nil); err != nil {
			return err.Error()
		}
	}
	return ""
}

// compare says how a state and that of a run differ.
func (w *walk) compare(s model.State, run *replay.Run) string {
	if pending := len(run.Pending()); pending != w.actors.Pending(s) {
		return fmt.Sprintf("%d messages are pending in the run, %d in the state", pending, w.actors.Pending(s))
	}
	if w.actors.Values.Decomposition.Decomposes() {
		return "" // many digests are one state
	}
	state, digest := reach.Exact(s), run.Digest()
	if other, ok := w.met[state]; ok && other != digest {
		return fmt.Sprintf("the state %v has two digests", s)
	}
	if other, ok := w.met[digest]; ok && other != state {
		return fmt.Sprintf("the states %x and %x have one digest", state, other)
	}
	w.met[state], w.met[digest] = digest, state
	return ""
}

// enabled lists the transitions that are enabled and do not fail. The run must know if there are any but faults.
func (w *walk) enabled(s model.State, run *replay.Run) (enabled []model.Transition, err error) {
	offered, err := w.actors.Enabled(context.Background(), s, nil)
	if err != nil {
		return nil, err
	}
	for _, t := range offered {
		_, _, err := w.actors.Apply(append(model.State{}, s...), t, nil)
		var failure *model.StepFailure
		switch {
		case err == nil:
			enabled = append(enabled, t)
		case !errors.As(err, &failure) && !errors.Is(err, model.ErrDisabled):
			return nil, err
		}
	}
	terminal, err := reach.IsTerminal(context.Background(), w.actors, s)
	if any, failed := run.Enabled(context.Background()); err != nil || failed != nil || any == terminal {
		return nil, fmt.Errorf("the run says that an event is enabled: %v (%v)", any, errors.Join(err, failed))
	}
	return enabled, nil
}
