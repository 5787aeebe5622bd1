package macro

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"harrier/internal/ds/wordset"
	"harrier/internal/lts"
	"harrier/internal/model"
	"harrier/internal/model/space"
)

// terms returns the encoder and decoder of the nodes of component states.
func (d *System) terms() *space.SharedActors { return &space.SharedActors{Actors: d.actors} }

// Write implements model.Portable: a component state is written as its nodes.
func (d *System) Write(position, id uint32) ([]byte, error) {
	var parts []json.RawMessage
	err := d.eachPart(position, id, func(position, id uint32) error {
		part, err := d.terms().Write(position, id)
		parts = append(parts, part)
		return err
	})
	if err != nil {
		return nil, err
	}
	return json.Marshal(parts)
}

// Read implements model.Portable.
func (d *System) Read(b []byte) (position, id uint32, err error) {
	var parts []json.RawMessage
	if err := json.Unmarshal(b, &parts); err != nil {
		return 0, 0, fmt.Errorf("reading a part of a state: %w", err)
	}
	var nodes []model.NodeID
	for _, part := range parts {
		at, n, err := d.terms().Read(part)
		if err != nil || at == 0 {
			return 0, n, err
		}
		spot := d.Graph.Spot(at)
		for int(spot.Place) >= len(nodes) {
			nodes = append(nodes, 0)
		}
		nodes[spot.Place], position = n, spot.Component+1
	}
	return position, d.Graph.Number(nodes), nil
}

// Hash implements model.Portable.
func (d *System) Hash(position, id uint32) (sum uint64, err error) {
	err = d.eachPart(position, id, func(position, id uint32) error {
		h, err := d.terms().Hash(position, id)
		sum += wordset.Mix(h)
		return err
	})
	return sum, err
}

// eachPart calls f for the global part of a state, or for the nodes of a component state.
func (d *System) eachPart(position, id uint32, f func(position, id uint32) error) error {
	if position == 0 {
		return f(0, id)
	}
	var one [1]model.NodeID
	for place, n := range d.Graph.Nodes(id, &one) {
		if n == 0 {
			continue
		}
		if err := f(d.Graph.Positions()[position-1][place], n); err != nil {
			return err
		}
	}
	return nil
}

// discoveries are component states that the search of this process met, in portable terms.
type discoveries struct {
	Reached  [][]byte // component states between macro steps
	Ticked   [][]byte // of these, those from which time went on
	Arrivals [][]byte // those to which an arrival led, and which are not canonical
}

// News implements model.Shared.
func (d *System) News() ([]byte, error) {
	g := d.ignored
	g.mu.Lock()
	reached, ticked, arrivals := g.reached[g.reportedReached:], g.ticked[g.reportedTicked:], g.arrivals[g.reportedArrivals:]
	g.reportedReached, g.reportedTicked, g.reportedArrivals = len(g.reached), len(g.ticked), len(g.arrivals)
	g.mu.Unlock()
	if len(reached)+len(ticked)+len(arrivals) == 0 {
		return nil, nil
	}
	var news discoveries
	var err error
	if news.Reached, err = d.writeVertices(verticesOf(reached)); err != nil {
		return nil, err
	}
	if news.Ticked, err = d.writeVertices(verticesOf(ticked)); err != nil {
		return nil, err
	}
	if news.Arrivals, err = d.writeVertices(arrivals); err != nil {
		return nil, err
	}
	return json.Marshal(news)
}

// verticesOf are the component states of insides.
func verticesOf(insides []*inside) (all []lts.Vertex) {
	for _, in := range insides {
		all = append(all, lts.Vertex{Component: in.component, State: in.states[0]})
	}
	return all
}

// writeVertices writes component states.
func (d *System) writeVertices(all []lts.Vertex) (parts [][]byte, err error) {
	for _, v := range all {
		b, err := d.Write(v.Component+1, v.State)
		if err != nil {
			return nil, err
		}
		parts = append(parts, b)
	}
	return parts, nil
}

// Learn implements model.Shared.
func (d *System) Learn(ctx context.Context, b []byte) error {
	d.learns = true
	if b == nil {
		return nil
	}
	var news discoveries
	if err := json.Unmarshal(b, &news); err != nil {
		return fmt.Errorf("reading what a search found: %w", err)
	}
	reached, err := d.readInsides(ctx, news.Reached)
	if err != nil {
		return err
	}
	ticked, err := d.readInsides(ctx, news.Ticked)
	if err != nil {
		return err
	}
	for _, in := range ticked {
		d.ignored.recordTicked(in)
	}
	for _, in := range reached {
		d.ignored.record(in)
		steps, err := d.macroSteps(ctx, in)
		if err != nil {
			return err
		}
		taken := in.takenSteps()
		for i := range steps {
			if !steps[i].facts.Guarded { // the member that explored the state took all steps that nothing disables
				taken[i] = 1
			}
		}
	}
	arrivals, err := d.readVertices(news.Arrivals)
	if err != nil {
		return err
	}
	d.ignored.mu.Lock()
	d.ignored.arrivals = append(d.ignored.arrivals, arrivals...)
	d.ignored.mu.Unlock()
	return nil
}

// readInsides reads the component states of some insides.
func (d *System) readInsides(ctx context.Context, parts [][]byte) ([]*inside, error) {
	states, err := d.readVertices(parts)
	if err != nil {
		return nil, err
	}
	return d.insidesOf(ctx, states)
}

// readVertices reads component states.
func (d *System) readVertices(parts [][]byte) (all []lts.Vertex, err error) {
	for _, b := range parts {
		position, state, err := d.Read(b)
		if err != nil {
			return nil, err
		}
		all = append(all, lts.Vertex{Component: position - 1, State: state})
	}
	return all, nil
}

// variant has exceptions in portable terms (model.Shared).
type variant struct {
	Excluded []string // the labels of handlers whose messages are not left out
	Endless  []string // an actor of each component whose internal steps are taken one by one
}

// Variant implements model.Shared.
func (d *System) Variant() []byte { return d.portable(d.exceptions) }

func (d *System) portable(c exceptions) []byte {
	v := variant{Excluded: d.handlerLabels(c.excluded)}
	for component := range c.endless {
		v.Endless = append(v.Endless, d.actors.Values.PositionName(int(d.Graph.Positions()[component][0])))
	}
	slices.Sort(v.Endless)
	b, _ := json.Marshal(v)
	return b
}

// Adopt implements model.Shared.
func (d *System) Adopt(b []byte) error {
	c, err := d.read(b)
	if err == nil {
		d.begin(c)
	}
	return err
}

func (d *System) read(b []byte) (exceptions, error) {
	var v variant
	if err := json.Unmarshal(b, &v); err != nil {
		return exceptions{}, fmt.Errorf("reading what a search leaves out: %w", err)
	}
	c := exceptions{endless: map[uint32]bool{}, excluded: map[uint32]bool{}}
	for _, label := range v.Excluded {
		c.excluded[d.actors.Values.HandlerNumber(label)] = true
	}
	for _, name := range v.Endless {
		c.endless[d.Graph.Spot(space.PositionOf(d.actors.Values, name)).Component] = true
	}
	return c, nil
}
