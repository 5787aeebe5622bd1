package static

import (
	"fmt"

	"harrier/model"
)

// An offer is what matters of a node: the transitions that it offers and the messages that are there, by classes. Nodes with equal
// offers have one.
type offer struct {
	steps   []step
	enabled set // classes that have transitions
	waits   set // classes for which there are messages that they do not take now, or that may go on by themselves
	spoils  set // classes with transitions that may not be in a set
	good    set // classes with a transition that may be the reason for a set
	vague   bool
}

// A step is a transition of a node.
type step struct {
	class int32 // -1 for none: what a Split does
	fault int32 // whose budget it is of, -1 for none
}

// reader finds the offers of nodes, for one worker.
type reader struct {
	*Static
	offers map[model.NodeID]*offer
	equal  map[string]*offer       // by content
	keyOf  map[model.MessageID]int // of messages; noKey for one whose type is not known
	labels map[label]int           // classes by what transitions say of themselves
}

type label struct {
	actor, handler int
	kind           model.EventKind
	key            int // -1 for none
}

const noKey = -1

func newReader(s *Static) *reader {
	return &reader{
		Static: s, offers: map[model.NodeID]*offer{}, equal: map[string]*offer{},
		keyOf: map[model.MessageID]int{}, labels: map[label]int{},
	}
}

// offer is what a node offers.
func (r *reader) offer(n model.Placed) (*offer, error) {
	o, ok := r.offers[n.Node]
	if ok {
		return o, nil
	}
	o, err := r.read(n)
	if err != nil {
		return nil, err
	}
	content := fmt.Sprint(*o)
	if equal := r.equal[content]; equal != nil {
		o = equal
	}
	r.equal[content], r.offers[n.Node] = o, o
	return o, nil
}

func (r *reader) read(n model.Placed) (*offer, error) {
	size := len(r.classes)
	o := &offer{enabled: newSet(size), waits: newSet(size), spoils: newSet(size), good: newSet(size)}
	actor := r.wiring.number(r.actors.PositionName(int(n.Position)))
	parts := r.actors.NodeParts(n.Node)
	taken := map[int]map[model.MessageID]bool{}
	for p := range r.actors.Steps(n) {
		st, err := r.step(actor, p)
		if err != nil {
			return nil, err
		}
		o.steps = append(o.steps, st)
		if st.class < 0 {
			o.vague = o.vague || p.Kind == model.Receive || p.Kind == model.Deliver
			continue
		}
		c := int(st.class)
		o.enabled.put(c)
		if p.Refusable || r.spoils(c, p) {
			o.spoils.put(c)
		} else if isGood, err := r.isGood(p, parts.Local); err != nil {
			return nil, err
		} else if isGood {
			o.good.put(c)
		}
		for _, m := range p.Messages {
			if taken[c] == nil {
				taken[c] = map[model.MessageID]bool{}
			}
			taken[c][m] = true
		}
	}
	return o, r.wait(o, actor, parts, taken)
}

// spoils reports whether a transition may not be in a set though nothing global has a say in it: where what a channel holds is a set from
// which something is taken, it matters whether a message is sent before one that is equal is taken, or after.
func (r *reader) spoils(c int, p model.NodeStep) bool {
	of := &r.classes[c]
	if r.shrinking[of.actor] && len(p.Messages) > 0 && p.Kind != model.Forge {
		return true
	}
	for _, e := range p.Effects {
		if e.Message != 0 && r.shrinking[r.wiring.number(r.actors.Message(e.Message).Receiver)] {
			return true
		}
	}
	return false
}

// isGood reports whether a transition may be the reason for a set: it is no fault, changes nothing that an invariant can read, and takes
// a message that is not renewable.
func (r *reader) isGood(p model.NodeStep, before model.LocalID) (bool, error) {
	if p.Kind.IsFault() || p.Fails() || p.Stops || p.Records || p.Creates() {
		return false, nil
	}
	if r.actors.IsVisible(before, p.Local) {
		return false, nil
	}
	for _, m := range p.Messages {
		if k, err := r.key(m); err != nil || k != noKey && !r.renewable[k] {
			return err == nil, err
		}
	}
	return false, nil
}

// wait notes the classes that may have something to do here but do not do it all now.
func (r *reader) wait(o *offer, actor int, parts model.NodeParts, taken map[int]map[model.MessageID]bool) error {
	there := map[int]map[model.MessageID]bool{}
	consumable := parts.Waiting
	if r.wiring.program.Passing != model.M {
		consumable = parts.Delivered
	}
	for _, m := range parts.Waiting {
		k, err := r.key(m)
		if err != nil {
			return err
		}
		o.vague = o.vague || k == noKey
	}
	for _, m := range consumable {
		k, err := r.key(m)
		if err != nil {
			return err
		}
		o.vague = o.vague || k == noKey
		if there[k] == nil {
			there[k] = map[model.MessageID]bool{}
		}
		there[k][m] = true
	}
	for i := range r.classes {
		c := &r.classes[i]
		if c.actor != actor {
			continue
		}
		if c.kind == model.Internal {
			o.waits.put(i)
		}
		for _, k := range c.keys {
			if c.kind == model.Deliver || c.several && len(there[k]) > 0 || len(there[k]) > len(taken[i]) {
				o.waits.put(i)
			}
		}
	}
	return nil
}
