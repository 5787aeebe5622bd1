package persistent

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"harrier/internal/model"
)

// maxStates is how many component states are looked at to find out whether a label is persistent. More find more labels, and
// have Java asked for more: with 8, 16 and 64 examples/zab has 29,256, 29,027 and 28,316 macro states without symmetry, by
// 1,965, 2,047 and 2,310 local steps, and examples/paxos-node 417, 349 and 311, by 3,800, 4,288 and 5,186.
const maxStates = 16

// A checker finds out whether a label of a component state is persistent.
type checker struct {
	*Labels
	component uint32
	label     *targets
	arrivals  set
	met       map[string]bool
	queue     []before
}

// before is a component state that may come before the label is taken.
type before struct {
	state uint32
	used  string // how often each of the arrivals has arrived
}

// errNot says that a label is not persistent.
var errNot = errors.New("the label is not persistent")

// check reports whether a label of a component state is persistent in a situation.
func (l *Labels) check(ctx context.Context, x *state, t *targets, at situation) (bool, error) {
	if !t.Alone || t.Records && (at.adds || l.visible.HistoryWithMore) || l.graph.isRecurrent(x.id, t.targets) {
		return false, nil
	}
	c := &checker{Labels: l, component: x.component, label: t, arrivals: l.sets.at(at.arrivals), met: map[string]bool{}}
	none := string(make([]byte, len(c.arrivals)))
	c.push(x.id, none)
	for _, b := range x.labels {
		for _, v := range b.targets {
			if b.id != t.id {
				c.push(v, none)
			}
		}
	}
	states := uint32(len(c.queue)) // that come with each set of arrivals: where these are too many, Java is not asked in vain
	for _, a := range c.arrivals {
		if states *= a.count + 1; states > maxStates {
			return false, nil
		}
	}
	ctx = model.Speculate(ctx)
	for i := 0; i < len(c.queue); i++ {
		if i == maxStates {
			return false, nil
		}
		if err := c.visit(ctx, c.queue[i]); err != nil {
			return false, notPersistent(err)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, at := range c.queue {
		r := Relied{Component: c.component, State: at.state}
		for i, a := range c.arrivals {
			if uint32(at.used[i]) < a.count {
				r.Arrivals = append(r.Arrivals, a.message)
			}
		}
		l.relied = append(l.relied, r)
	}
	return true, nil
}

// notPersistent is nil for what only says that a label is not persistent.
func notPersistent(err error) error {
	if errors.Is(err, errNot) || model.IsOfStep(err) {
		return nil
	}
	return err
}

func (c *checker) push(state uint32, used string) {
	key := string([]byte{byte(state), byte(state >> 8), byte(state >> 16), byte(state >> 24)}) + used
	if !c.met[key] {
		c.met[key] = true
		c.queue = append(c.queue, before{state, used})
	}
}

// state is a component state that is looked at.
func (c *checker) state(ctx context.Context, id uint32) (*state, error) {
	return c.Labels.state(ctx, c.component, id)
}

// visit holds the conditions to a component state and goes on to what may follow it.
func (c *checker) visit(ctx context.Context, at before) error {
	u, err := c.state(ctx, at.state)
	if err != nil {
		return err
	}
	own := u.with(c.label.id)
	if u.mayEnd {
		return errNot
	}
	if ok, err := c.of.Shows(ctx, c.component, u.id, own.targets, c.visible.has(c.component)); !ok || err != nil {
		return cmp.Or(err, errNot)
	}
	for i := range u.labels {
		if b := &u.labels[i]; b.id != c.label.id {
			if err := c.visitLabel(ctx, b, own.targets, at.used); err != nil {
				return err
			}
		}
	}
	for i, a := range c.arrivals {
		if uint32(at.used[i]) < a.count {
			if err := c.visitArrival(ctx, at, i, own.targets); err != nil {
				return err
			}
		}
	}
	return nil
}

// visitLabel compares another label b, taken before the label, with b after each of the label's targets.
func (c *checker) visitLabel(ctx context.Context, b *targets, own []uint32, used string) error {
	if c.label.Records && b.Records || inOrder(b.Sends, c.label.Sends) {
		return errNot
	}
	var after []uint32
	for _, t := range own {
		s, err := c.state(ctx, t)
		if err != nil {
			return err
		}
		if then := s.with(b.id); then != nil {
			after = append(after, then.targets...)
		}
	}
	for _, v := range b.targets {
		if err := c.compare(ctx, v, after); err != nil {
			return err
		}
		c.push(v, used)
	}
	return nil
}

// visitArrival compares an arrival before the label with the same one after it.
func (c *checker) visitArrival(ctx context.Context, at before, arrival int, own []uint32) error {
	message := c.arrivals[arrival].message
	v, err := c.of.Arrive(ctx, at.state, message)
	if err != nil {
		return err
	}
	after := slices.Clone(own)
	for i, t := range own {
		if after[i], err = c.of.Arrive(ctx, t, message); err != nil {
			return err
		}
	}
	if err := c.compare(ctx, v, after); err != nil {
		return err
	}
	used := []byte(at.used)
	used[arrival]++
	c.push(v, string(used))
	return nil
}

// compare is errNot unless each target of the label from v is below one of some component states.
func (c *checker) compare(ctx context.Context, v uint32, after []uint32) error {
	s, err := c.state(ctx, v)
	if err != nil {
		return err
	}
	then := s.with(c.label.id)
	if then == nil {
		return errNot
	}
	for _, target := range then.targets {
		below := slices.Contains(after, target)
		for i := 0; i < len(after) && !below; i++ {
			if below, err = c.of.Covers(ctx, c.component, after[i], target); err != nil {
				return err
			}
		}
		if !below {
			return errNot
		}
	}
	return nil
}

// inOrder reports whether two labels send different messages to one component whose order matters.
func inOrder(a, b []Arrival) bool {
	for _, x := range a {
		for _, y := range b {
			if x.InOrder && y.InOrder && x.Component == y.Component && x.Message != y.Message {
				return true
			}
		}
	}
	return false
}
