package symmetry

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"harrier/internal/ds/slab"
	"harrier/internal/ds/wordset"
	"harrier/internal/model"
	"harrier/internal/model/network"
	"harrier/internal/model/space"
	"harrier/serializer"
)

// memo is what make gives for an id, once. It is called under the lock.
func memo(known *slab.Pointers[object], id uint32, make func() (*object, error)) (*object, error) {
	if o := known.Get(id); o != nil {
		return o, nil
	}
	o, err := make()
	if err != nil {
		return nil, err
	}
	return known.GetOrPut(id, o), nil
}

// locked returns the object of an id as memo does, and takes t.mu, which its callers must not hold.
func (t *tables) locked(known *slab.Pointers[object], id uint32, make func() (*object, error)) (*object, error) {
	if o := known.Get(id); o != nil {
		return o, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return memo(known, id, make)
}

// node returns the object of a node of the model. Each node has one position.
func (t *tables) node(id model.NodeID, position int) (*object, error) {
	n, err := t.locked(&t.nodes, id, func() (*object, error) { return t.newNode(t.actors.Nodes.Parts(id), position) })
	if err == nil && n.position != position {
		err = fmt.Errorf("node %d is that of %s and of %s", id, t.actors.Values.PositionName(n.position), t.actors.Values.PositionName(position))
	}
	return n, err
}

func (t *tables) newNode(parts space.NodeParts, position int) (*object, error) {
	b := builder{tables: t, owner: t.owner(t.actors.Values.PositionName(position)), tag: "node "}
	if parts.Stopped {
		b.tag = "stopped "
	}
	b.addNode(parts)
	return b.build(position)
}

// addNode adds the parts of a node.
func (b *builder) addNode(parts space.NodeParts) {
	if l := cmp.Or(parts.Local, parts.Last); l != 0 {
		b.add(b.local(l, b.owner))
	}
	for _, messages := range [][]model.MessageID{parts.Waiting, parts.Delivered, parts.Open} {
		b.group++
		for _, id := range messages {
			b.add(b.message(id))
		}
	}
}

func (t *tables) local(id model.LocalID, owner int) (*object, error) {
	return memo(&t.locals, id, func() (*object, error) {
		actor := t.actors.Values.Actor(id)
		b, err := t.actors.Values.Decomposition.Hashed(actor.Local)
		if err != nil {
			return nil, err
		}
		return t.named(owner, fmt.Sprintf("local %t %t %s", actor.Acts, actor.Down, ofTime("ahead", actor.Ahead)), nil, b)
	})
}

// ofTime is a part of a tag that names no actor: a number of rounds or ticks, which is 0 where time stands still.
func ofTime(what string, n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s %d ", what, n)
}

// message is a message in flight, which belongs to its receiver.
func (t *tables) message(id model.MessageID) (*object, error) {
	return memo(&t.messages, id, func() (*object, error) {
		m := t.actors.Values.Message(id)
		if network.IsOfNetwork(m.Payload) {
			return t.enveloped(t.owner(m.Receiver), fmt.Sprintf("message %x ", m.Payload), m, nil)
		}
		b, err := t.actors.Values.Decomposition.Hashed(m.Payload)
		if err != nil {
			return nil, err
		}
		return t.enveloped(t.owner(m.Receiver), "message "+ofTime("old", m.Age), m, b)
	})
}

func (t *tables) enveloped(owner int, tag string, m model.Message, payload []byte) (*object, error) {
	o, err := t.named(owner, tag, []string{m.Receiver, t.actors.Values.Decomposition.HashedSender(m)}, payload)
	if err == nil {
		o.sender, o.queued = m.Sender, t.actors.Program().Channel(m.Receiver).KeepsOrder()
	}
	return o, err
}

// global returns the object of a global part (space.Globals), by its id.
func (t *tables) global(id uint32) (*object, error) {
	return t.locked(&t.globals, id, func() (*object, error) { return t.newGlobal(space.PartsOfGlobal(t.actors, id)) })
}

func (t *tables) newGlobal(parts space.GlobalParts) (*object, error) {
	b := builder{tables: t, owner: -1, tag: fmt.Sprintf("global %d %v %d %d %s", parts.Budgets, parts.HasLast, parts.Last.Kind,
		parts.Last.Fault, ofTime("round", parts.Round))}
	b.add(t.history(parts.History))
	b.group++
	for _, l := range parts.Links {
		b.add(t.named(-1, fmt.Sprintf("link %t ", l.Due), []string{l.By, l.Of}, nil))
	}
	b.group++
	for _, m := range parts.Last.Messages {
		b.add(t.enveloped(-1, "processed ", m, m.Payload))
	}
	return b.build(0)
}

// history is an object. The digest of a list of operations sums those of the operations, as the list's order follows from names;
// sets of configurations have no order.
func (t *tables) history(b []byte) (*object, error) {
	const tag = "history "
	if len(b) > 0 && serializer.Kind(b[0]) == serializer.Map {
		return t.named(-1, tag, nil, b)
	}
	mentioned, err := t.mentioned(nil, b)
	if err != nil {
		return nil, err
	}
	return t.object(-1, mentioned, func(marked int) (uint64, error) { return t.operations(b, marked) }, t.renamer(tag, nil, b))
}

// operations sums hashes of the moments of operations, of all or of those of a point.
func (t *tables) operations(b []byte, of int) (sum uint64, err error) {
	if len(b) == 0 {
		return 0, nil
	}
	v, err := serializer.Decode(b)
	if err != nil || len(v.Fields) == 0 {
		return 0, err
	}
	for _, operation := range v.Fields[0].Value.Elements {
		who, moments := -1, []byte("operation")
		for _, f := range operation.Fields {
			if f.Name == "actor" {
				who = t.owner(f.Value.Name())
			}
			moments = binary.AppendVarint(moments, f.Value.Int)
		}
		if of < 0 || who == of {
			sum += wordset.Mix(hash(string(moments)))
		}
	}
	return sum, nil
}

// A builder makes an object of others, which are in groups: the local state, messages in flight, messages delivered, open connections.
type builder struct {
	*tables
	owner  int
	tag    string
	groups [4][]*object
	group  int   // that is added to
	err    error // the first
}

func (b *builder) add(o *object, err error) {
	b.groups[b.group] = append(b.groups[b.group], o)
	b.err = cmp.Or(b.err, err)
}

func (b *builder) build(position int) (*object, error) {
	if b.err != nil {
		return nil, b.err
	}
	var mentioned []uint8
	for _, group := range b.groups {
		for _, o := range group {
			mentioned = append(mentioned, o.points...)
		}
	}
	slices.Sort(mentioned)
	n, err := b.object(b.owner, slices.Compact(mentioned), b.digest, b.rename)
	if err == nil {
		n.position = position
	}
	return n, err
}

// digest combines the digests of the objects, whose order counts within queues only.
func (b *builder) digest(marked int) (uint64, error) {
	sum := hash(b.tag)
	for i, group := range b.groups {
		queues := map[string]uint64{}
		for _, o := range group {
			if o.queued {
				queues[o.sender] = wordset.Mix(queues[o.sender]*3 + o.digestWith(marked))
			} else {
				sum += wordset.Mix(o.digestWith(marked) + uint64(i)<<32)
			}
		}
		for _, queue := range queues {
			sum += wordset.Mix(queue + uint64(i+3)<<32)
		}
	}
	return wordset.Mix(sum), nil
}

// rename is the content after a permutation: messages are sorted again, those in queues by their senders.
func (b *builder) rename(p []uint8) (string, error) {
	content := []byte(b.tag)
	of := b.renaming(p)
	for _, group := range b.groups {
		type placed struct {
			queue string
			id    uint32
		}
		var all []placed
		for _, o := range group {
			id, err := b.find(o, p)
			if err != nil {
				return "", err
			}
			at := placed{id: id}
			if o.queued {
				at.queue = of(o.sender)
			}
			all = append(all, at)
		}
		slices.SortStableFunc(all, func(x, y placed) int {
			if group[0].queued {
				return cmp.Compare(x.queue, y.queue)
			}
			return cmp.Compare(x.id, y.id)
		})
		content = binary.LittleEndian.AppendUint32(content, uint32(len(all)))
		for _, at := range all {
			content = binary.LittleEndian.AppendUint32(content, at.id)
		}
	}
	return string(content), nil
}
