package static

import (
	"fmt"

	"harrier/internal/ds/bitset"
	"harrier/internal/model"
	"harrier/internal/model/space"
)

// An enabledSet has the transitions and messages of a node by class. Nodes with equal
// ones share it.
type enabledSet struct {
	steps          []classified
	enabled        bitset.Set // classes that have transitions
	waits          bitset.Set // classes with messages that they cannot consume now, or that may act without any
	unsafe         bitset.Set // classes with transitions that must not be in a stubborn set
	keyTransitions bitset.Set // classes with a key transition
	vague          bool       // some transition or message has no class
}

// classified is a transition of a node with its class.
type classified struct {
	class int32 // -1 for none: what a Split does
	// update is the global update of a fault, whose budget may be spent. Of a Duplicate it is left out: a duplicated message may
	// also wait for a cut to heal.
	update uint32
}

// reader finds the enabled sets of nodes, for one worker.
type reader struct {
	*Static
	enabledSets map[model.NodeID]*enabledSet
	equal       map[string]*enabledSet  // by content
	keyOf       map[model.MessageID]int // of messages; noKey for one whose type is not known
	labels      map[label]int           // classes by label
}

type label struct {
	actor, handler int
	kind           model.EventKind
	key            int // -1 for none
}

const noKey = -1

func newReader(s *Static) *reader {
	return &reader{
		Static: s, enabledSets: map[model.NodeID]*enabledSet{}, equal: map[string]*enabledSet{},
		keyOf: map[model.MessageID]int{}, labels: map[label]int{},
	}
}

// enabledSet is that of a node.
func (r *reader) enabledSet(n space.Placed) (*enabledSet, error) {
	o, ok := r.enabledSets[n.Node]
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
	r.equal[content], r.enabledSets[n.Node] = o, o
	return o, nil
}

func (r *reader) read(n space.Placed) (*enabledSet, error) {
	size := len(r.classes)
	o := &enabledSet{enabled: bitset.New(size), waits: bitset.New(size), unsafe: bitset.New(size), keyTransitions: bitset.New(size)}
	actor := r.wiring.number(r.actors.Values.PositionName(int(n.Position)))
	parts := r.actors.Nodes.Parts(n.Node)
	taken := map[int]map[model.MessageID]bool{}
	for p := range r.actors.Steps(n) {
		st, err := r.classify(actor, p)
		if err != nil {
			return nil, err
		}
		o.steps = append(o.steps, st)
		if st.class < 0 {
			o.vague = o.vague || p.Kind == model.Receive || p.Kind == model.Deliver
			continue
		}
		c := int(st.class)
		o.enabled.Put(c)
		if p.Guarded || r.isUnsafe(c, p) {
			o.unsafe.Put(c)
		} else if key, err := r.isKeyTransition(p); err != nil {
			return nil, err
		} else if key {
			o.keyTransitions.Put(c)
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

// isUnsafe reports whether a transition must not be in a stubborn set although nothing global guards it: it adds to or takes from
// a channel where sending a message may not commute with taking one, as with an equal one of a set.
func (r *reader) isUnsafe(c int, p space.NodeStep) bool {
	of := &r.classes[c]
	if r.shrinking[of.actor] && len(p.Messages) > 0 && p.Kind != model.Byzantine {
		return true
	}
	for _, e := range p.Effects {
		if e.Message != 0 && r.shrinking[r.wiring.number(r.actors.Values.Message(e.Message).Receiver)] {
			return true
		}
	}
	return false
}

// isKeyTransition reports whether a transition is a key transition: no fault, invisible to invariants, and consuming a message that
// is not renewable.
func (r *reader) isKeyTransition(p space.NodeStep) (bool, error) {
	if p.Kind.IsFault() || p.Fails() || p.MayBeVisible(r.actors) {
		return false, nil
	}
	for _, m := range p.Messages {
		if k, err := r.key(m); err != nil || k != noKey && !r.renewable[k] {
			return err == nil, err
		}
	}
	return false, nil
}

// wait finds the classes that wait.
func (r *reader) wait(o *enabledSet, actor int, parts space.NodeParts, taken map[int]map[model.MessageID]bool) error {
	there := map[int]map[model.MessageID]bool{}
	for _, m := range parts.Waiting {
		k, err := r.key(m)
		if err != nil {
			return err
		}
		o.vague = o.vague || k == noKey
	}
	for _, m := range parts.Consumable {
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
			o.waits.Put(i)
		}
		for _, k := range c.keys {
			if c.kind == model.Deliver || c.several && len(there[k]) > 0 || len(there[k]) > len(taken[i]) {
				o.waits.Put(i)
			}
		}
	}
	return nil
}
