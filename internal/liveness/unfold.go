package liveness

import (
	"context"
	"fmt"
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/space"
)

// A walker takes edges of a product as single steps of the actors. The state of the actors is the image of that of the vertex by a
// permutation, but for internal steps of components that stand still.
type walker struct {
	*product
	s     model.State
	by    uint32
	taken []model.Transition
}

// take takes an edge, along internal steps that meet a constraint if one is given, and returns all that they meet, in the frame of
// the vertex.
func (w *walker) take(ctx context.Context, m move, constraint uint32) (met []uint32, err error) {
	if m.step == nil {
		return nil, nil
	}
	in, err := w.inner(ctx, m.of)
	if err != nil {
		return nil, err
	}
	path, last, err := in.open(m.step, constraint)
	if err != nil {
		return nil, err
	}
	place := 0
	for _, e := range append(path, last) {
		for n := range in.all.All {
			if in.isDisabled(place, uint32(n)) {
				met = append(met, uint32(n))
			}
		}
		met = append(met, e.meets...)
		if err := w.step(ctx, &e.NodeStep); err != nil {
			return nil, err
		}
		place = in.places[e.to]
	}
	w.by = w.then(m.by, w.by)
	return met, nil
}

// open is a macro step as internal steps and the labelled one, on a shortest path that meets a constraint; 0 stands for none.
func (in *inner) open(st *step, constraint uint32) (path []innerEdge, last innerEdge, err error) {
	type at struct {
		place int
		met   bool
	}
	type came struct {
		from at
		by   innerEdge
	}
	begin := at{0, constraint == 0 || in.isDisabled(0, constraint)}
	before := map[at]came{begin: {}}
	for todo := []at{begin}; len(todo) > 0; todo = todo[1:] {
		here := todo[0]
		for _, e := range in.edges[here.place] {
			met := here.met || slices.Contains(e.meets, constraint)
			if !e.internal && met && e.Label == st.label && e.to == st.target {
				for ; here != begin; here = before[here].from {
					path = append(path, before[here].by)
				}
				slices.Reverse(path)
				return path, e, nil
			}
			if !e.internal {
				continue
			}
			to := at{in.places[e.to], false}
			to.met = met || in.isDisabled(to.place, constraint)
			if _, known := before[to]; !known {
				before[to] = came{here, e}
				todo = append(todo, to)
			}
		}
	}
	return nil, last, fmt.Errorf("a macro step of component %d meets a constraint on no internal path", in.component)
}

// step takes the image of a step.
func (w *walker) step(ctx context.Context, st *space.NodeStep) error {
	image := st.Transition
	if w.by != 0 {
		var err error
		if image, err = w.image(ctx, st); err != nil {
			return err
		}
	}
	s, _, err := w.actors.Apply(slices.Clone(w.s), image, nil)
	if err != nil {
		return fmt.Errorf("following a fair run: %w", err)
	}
	w.s, w.taken = s, append(w.taken, image)
	return w.discard(ctx)
}

// discard consumes the messages that actors ignore.
func (w *walker) discard(ctx context.Context) error {
	if w.ignored == nil {
		return nil
	}
	for component, state := range w.components(w.graph.graph.Fold(w.s)) {
		steps, err := w.ignored.Discards(ctx, component, state)
		if err != nil {
			return err
		}
		for i := range steps {
			if w.s, _, err = w.actors.Apply(slices.Clone(w.s), steps[i].Transition, nil); err != nil {
				return fmt.Errorf("consuming what is ignored: %w", err)
			}
			w.taken = append(w.taken, steps[i].Transition)
		}
	}
	return nil
}

// image returns the image of a step under the present permutation: the transition of the image of its actor to the image of its target,
// with the images of its sends and of the constraints that it meets.
func (w *walker) image(ctx context.Context, st *space.NodeStep) (model.Transition, error) {
	by := w.permutations.table.At(w.by).by
	position := by.Position(st.Slot + 1)
	next, err := by.Node(st.Slot+1, st.Next)
	if err != nil {
		return model.Transition{}, err
	}
	effects := map[space.Effect]int{}
	for _, e := range st.Effects {
		to := space.Effect{Position: by.Position(e.Position)}
		if e.Message != 0 {
			to.Message, err = by.Message(e.Message)
		} else {
			to.Local, err = by.Local(e.Local)
		}
		if err != nil {
			return model.Transition{}, err
		}
		effects[to]++
	}
	meets, err := w.meetsBy(w.by, st)
	if err != nil {
		return model.Transition{}, err
	}
	at := space.Placed{Position: position, Node: w.s.At(position)}
	if err := w.actors.Expand(ctx, []space.Placed{at}); err != nil {
		return model.Transition{}, err
	}
	for c := range w.actors.Steps(at) {
		if c.Kind != st.Kind || c.Fault != st.Fault || c.Handler != st.Handler || c.Stops != st.Stops || c.Fails() || c.Next != next ||
			len(c.Effects) != len(st.Effects) {
			continue
		}
		left := len(c.Effects)
		for _, e := range c.Effects {
			if effects[e] > 0 {
				left--
			}
		}
		if left > 0 {
			continue
		}
		if own, err := w.meetsBy(0, &c); err != nil || slices.Equal(own, meets) {
			return c.Transition, err
		}
	}
	return model.Transition{}, fmt.Errorf("following a fair run: the image of a step of %s is none of %s",
		w.actors.Values.PositionName(int(st.Slot+1)), w.actors.Values.PositionName(int(position)))
}

// meetsBy returns the images of the constraints that a step meets, ascending.
func (w *walker) meetsBy(by uint32, st *space.NodeStep) ([]uint32, error) {
	met, err := w.constraints.met(st)
	for i := range met {
		if err == nil {
			met[i], err = w.permuted(by, met[i])
		}
	}
	slices.Sort(met)
	return met, err
}

// quieten has the components that stand still in a part come by internal steps to where they may be quiet, and returns the steps that
// they repeat there.
func (w *walker) quieten(ctx context.Context, c *part) (repeated []*space.NodeStep, err error) {
	if w.single {
		return nil, nil
	}
	number, _ := w.divide(c.vertices[0])
	s := w.state(number)
	for component, state := range w.components(s) {
		if slices.Contains(c.movers, component) {
			continue
		}
		in, err := w.inner(ctx, w.locals.Get(state))
		if err != nil {
			return nil, err
		}
		quiet := in.quietPart(c.arrivals[component])
		for _, e := range in.path(0, func(place int, _ *innerEdge) bool { return place == quiet[0] }) {
			if err := w.step(ctx, &e.NodeStep); err != nil {
				return nil, err
			}
		}
		repeated = append(repeated, in.around(quiet)...)
	}
	return repeated, nil
}

// path is a shortest path of internal edges from a member to one that is wanted, which may be itself, or over an edge that is.
func (in *inner) path(from int, wanted func(place int, by *innerEdge) bool) []*innerEdge {
	if wanted(from, nil) {
		return nil
	}
	type came struct {
		from int
		by   *innerEdge
	}
	before := map[int]came{from: {}}
	for todo := []int{from}; len(todo) > 0; todo = todo[1:] {
		place := todo[0]
		for i := range in.edges[place] {
			e := &in.edges[place][i]
			to := in.places[e.to]
			if !e.internal {
				continue
			}
			isWanted := wanted(to, e)
			if _, known := before[to]; known && !isWanted {
				continue
			}
			if isWanted {
				path := []*innerEdge{e}
				for at := place; at != from; at = before[at].from {
					path = append(path, before[at].by)
				}
				slices.Reverse(path)
				return path
			}
			before[to] = came{place, e}
			todo = append(todo, to)
		}
	}
	return nil
}

// around is a closed walk from the first member of a fair part of the internal graph that meets all constraints.
func (in *inner) around(part []int) (walk []*space.NodeStep) {
	at, todo := part[0], slices.Clone(in.needs[part[0]])
	follow := func(path []*innerEdge) {
		for _, e := range path {
			walk = append(walk, &e.NodeStep)
			at = in.places[e.to]
			remove(todo, e.meets)
			keepOnly(todo, in.needs[at])
		}
	}
	for !todo.IsEmpty() {
		path := in.path(at, func(place int, by *innerEdge) bool {
			if by == nil || !slices.Contains(part, place) {
				return false
			}
			for n := range todo.All {
				if slices.Contains(by.meets, uint32(n)) || !in.needs[place].Has(n) {
					return true
				}
			}
			return false
		})
		if path == nil {
			break
		}
		follow(path)
	}
	follow(in.path(at, func(place int, _ *innerEdge) bool { return place == part[0] }))
	return walk
}
