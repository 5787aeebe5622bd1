package liveness

import (
	"context"
	"errors"
	"slices"

	"harrier/internal/model"
)

// A Lasso is a run of single steps from the initial state: the stem, and then the loop again and again. After a loop without steps
// nothing happens any more.
type Lasso struct {
	Stem, Loop []model.Transition
}

// lasso is a fair run through a part that the automaton accepts.
func (p *product) lasso(ctx context.Context, c *part) (*Lasso, error) {
	w, err := p.walkTo(ctx, c.vertices[0])
	if err != nil {
		return nil, err
	}
	quiet, err := w.quieten(ctx, c)
	if err != nil {
		return nil, err
	}
	l := &Lasso{Stem: w.taken}
	w.taken = nil
	for _, st := range quiet {
		if err := w.step(ctx, st); err != nil {
			return nil, err
		}
	}
	err = w.loop(ctx, c)
	l.Loop = w.taken
	return l, err
}

// walkTo walks from the initial vertex to another one.
func (p *product) walkTo(ctx context.Context, v int) (*walker, error) {
	stem, err := p.stem(ctx, v)
	if err != nil {
		return nil, err
	}
	w := &walker{product: p, s: p.actors.Initial()}
	if err := w.discard(ctx); err != nil {
		return nil, err
	}
	for _, m := range stem {
		if _, err := w.take(ctx, m, 0); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// stem is a shortest path from the initial vertex to another one.
func (p *product) stem(ctx context.Context, to int) ([]move, error) {
	before := map[int]int{0: 0} // by vertex
	for todo := []int{0}; len(todo) > 0; todo = todo[1:] {
		if _, ok := before[to]; ok {
			break
		}
		err := p.moves(ctx, todo[0], func(m move) {
			if _, known := before[m.to]; !known {
				before[m.to] = todo[0]
				todo = append(todo, m.to)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	var path []move
	for at := to; at != 0; at = before[at] {
		var by *move
		err := p.moves(ctx, before[at], func(m move) {
			if m.to == at && by == nil {
				by = &m
			}
		})
		if err != nil {
			return nil, err
		}
		path = append(path, *by)
	}
	slices.Reverse(path)
	return path, nil
}

// A lifted is a vertex of a part in a full graph: the image of the one at a place by a permutation.
type lifted struct {
	place int
	by    uint32
}

// pending has the constraints that a loop has yet to meet, in the frame of the part's first vertex.
type pending struct {
	sets        uint32 // acceptance sets
	constraints []uint32
	strong      []uint32 // constraints that have to be taken
}

func (t *pending) isEmpty() bool { return t.sets == 0 && len(t.constraints)+len(t.strong) == 0 }

var errNoLoop = errors.New("internal error: no loop of a fair component satisfies its fairness constraints")

// loop takes steps within a part, from its first vertex, that meet all that has to be met, and lead back.
func (w *walker) loop(ctx context.Context, c *part) error {
	todo := pending{sets: 1<<w.automaton.Sets - 1, strong: slices.Clone(c.strong)}
	first, _ := w.divide(c.vertices[0])
	s := w.state(first)
	for component, state := range w.components(s) {
		if w.single || slices.Contains(c.movers, component) {
			todo.constraints = append(todo.constraints, w.enabled(w.locals.Get(state), s.At(0))...)
		}
	}
	base := w.by
	for at, taken := (lifted{}), false; ; {
		path, meets, err := w.nearest(ctx, c, at, todo)
		if err != nil {
			return err
		}
		if len(path) == 0 {
			if at == (lifted{}) && taken {
				return nil
			}
			return errNoLoop
		}
		for i, hop := range path {
			wanted := uint32(0)
			if i == len(path)-1 {
				wanted = meets
			}
			met, err := w.take(ctx, hop.move, wanted)
			if err != nil {
				return err
			}
			at, taken = hop.to, true
			if err := w.meet(c, &todo, hop, met); err != nil {
				return err
			}
			if want := w.then(at.by, base); want != w.by {
				return errNoLoop
			}
		}
		if todo.isEmpty() && at == (lifted{}) {
			return nil
		}
	}
}

// A hop is a move in the full graph.
type hop struct {
	move
	from, to lifted
}

// nearest returns a shortest path to a step or state that meets a pending constraint; without any, to the first vertex. meets is the constraint
// that the last step has to meet on its internal path, in its own frame; or 0.
func (w *walker) nearest(ctx context.Context, c *part, from lifted, todo pending) (path []hop, meets uint32, err error) {
	before := map[lifted]hop{}
	known := map[lifted]bool{from: true}
	var last *hop
	for next := []lifted{from}; len(next) > 0 && last == nil; next = next[1:] {
		at := next[0]
		back := w.inverse(at.by)
		var failed error
		err := w.moves(ctx, c.vertices[at.place], func(m move) {
			place, ok := c.has(at.place, m)
			if !ok || last != nil || failed != nil {
				return
			}
			h := hop{m, at, lifted{place, w.then(m.by, at.by)}}
			var wanted bool
			if wanted, meets, failed = w.meets(c, todo, h, back); wanted {
				last = &h
				return
			}
			if !known[h.to] {
				known[h.to], before[h.to] = true, h
				next = append(next, h.to)
			}
		})
		if err = errors.Join(err, failed); err != nil {
			return nil, 0, err
		}
	}
	if last == nil {
		return nil, 0, nil
	}
	path = []hop{*last}
	for at := last.from; at != from; at = before[at].from {
		path = append(path, before[at])
	}
	slices.Reverse(path)
	return path, meets, nil
}

// meets reports whether a hop meets something that is pending. Back leads into the frame of the step.
func (w *walker) meets(c *part, todo pending, h hop, back uint32) (wanted bool, constraint uint32, err error) {
	if todo.isEmpty() {
		return h.to == lifted{}, 0, nil
	}
	if h.in&todo.sets != 0 {
		return true, 0, nil
	}
	for _, of := range todo.constraints {
		if disabled, err := w.isDisabled(c, h.to, of); disabled || err != nil {
			return disabled, 0, err
		}
	}
	for _, of := range slices.Concat(todo.constraints, todo.strong) {
		if h.step == nil {
			break
		}
		own, err := w.permuted(back, of)
		if err != nil {
			return false, 0, err
		}
		if _, ok := slices.BinarySearch(h.step.meets, own); ok {
			return true, own, nil
		}
	}
	return false, 0, nil
}

// isDisabled reports whether a constraint, in the frame of the first vertex, is disabled in a vertex.
func (w *walker) isDisabled(c *part, at lifted, constraint uint32) (bool, error) {
	own, err := w.permuted(w.inverse(at.by), constraint)
	if err != nil {
		return false, err
	}
	number, _ := w.divide(c.vertices[at.place])
	s := w.state(number)
	for _, state := range w.components(s) {
		if slices.Contains(w.enabled(w.locals.Get(state), s.At(0)), own) {
			return false, nil
		}
	}
	return true, nil
}

// meet removes the pending constraints that a hop met: those on its internal path, in its own frame, and those that are disabled
// after it.
func (w *walker) meet(c *part, todo *pending, h hop, met []uint32) error {
	todo.sets &^= h.in
	var failed error
	todo.constraints = slices.DeleteFunc(todo.constraints, func(of uint32) bool {
		own, err := w.permuted(w.inverse(h.from.by), of)
		disabled, otherErr := w.isDisabled(c, h.to, of)
		failed = errors.Join(failed, err, otherErr)
		return disabled || slices.Contains(met, own)
	})
	todo.strong = slices.DeleteFunc(todo.strong, func(of uint32) bool {
		own, err := w.permuted(w.inverse(h.from.by), of)
		failed = errors.Join(failed, err)
		return slices.Contains(met, own) // strong fairness has single steps, whose met are the constraints they take
	})
	return failed
}
