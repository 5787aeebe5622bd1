package sample

import (
	"github.com/cespare/xxhash/v2"

	"harrier/internal/ds/slab"
	"harrier/internal/model"
	"harrier/internal/model/space"
)

// A choice has what strategies read of a step of a node.
type choice struct {
	at      model.Transition
	hash    uint64 // of the actor, the event and the outcome, by content
	chain   uint64 // of the actor and who sent what the step consumes, by content
	event   uint32
	update  uint32
	failure uint32
	facts   model.Facts
	records bool
	local   bool // Java took the step
}

// choices remembers the steps of nodes.
type choices struct {
	actors *space.Actors
	list   slab.List[choice]
	spans  []span   // by NodeID
	names  []uint64 // hashes of actors' names, by position; 0 where it is not known
	events []uint64 // hashes of events, by number; likewise
}

// A span is where the choices of a node are.
type span struct {
	first, count uint32
	known        bool
}

func newChoices(actors *space.Actors) *choices { return &choices{actors: actors} }

// of are the choices of a node that is not missing.
func (c *choices) of(n model.NodeID) []choice {
	at := c.spans[n]
	return c.list.Range(at.first, at.count)
}

func (c *choices) knows(n model.NodeID) bool { return int(n) < len(c.spans) && c.spans[n].known }

// isMissing reports whether the choices of some node of a state are not known.
func (c *choices) isMissing(s model.State) bool {
	for _, n := range s[1:] {
		if n != 0 && !c.knows(n) {
			return true
		}
	}
	return false
}

// missing appends the nodes of a state whose choices are not known.
func (c *choices) missing(s model.State, into []space.Placed) []space.Placed {
	for position, n := range s {
		if position > 0 && n != 0 && !c.knows(n) {
			into = append(into, space.Placed{Position: uint32(position), Node: n})
		}
	}
	return into
}

// add computes the choices of nodes, which must have been expanded.
func (c *choices) add(nodes []space.Placed) error {
	for _, n := range nodes {
		if c.knows(n.Node) {
			continue
		}
		var all []choice
		for st := range c.actors.Steps(n) {
			one, err := c.choice(n.Position, &st)
			if err != nil {
				return err
			}
			all = append(all, one)
		}
		for int(n.Node) >= len(c.spans) {
			c.spans = append(c.spans, span{})
		}
		c.spans[n.Node] = span{c.list.AddAll(all), uint32(len(all)), true}
	}
	return nil
}

func (c *choices) choice(position uint32, st *space.NodeStep) (choice, error) {
	event, err := c.event(st)
	if err != nil {
		return choice{}, err
	}
	name := c.name(position)
	one := choice{
		at: st.Transition, hash: mix(mix(name, event), uint64(st.Outcome)), chain: name, event: st.Event, update: st.Update,
		failure: st.Failure, facts: st.Facts, records: st.Records, local: st.Handler != 0,
	}
	if len(st.Messages) > 0 {
		sender := c.actors.Values.Decomposition.HashedSender(c.actors.Values.Message(st.Messages[0]))
		one.chain = mix(name, xxhash.Sum64String(sender))
	}
	return one, nil
}

func (c *choices) name(position uint32) uint64 {
	return known(&c.names, position, func() uint64 {
		return xxhash.Sum64String(c.actors.Values.PositionName(int(position)))
	})
}

// event hashes what an event is, whoever takes it: its kind, its fault, and the relevant parts of its messages.
func (c *choices) event(st *space.NodeStep) (uint64, error) {
	var failed error
	h := known(&c.events, st.Event, func() uint64 {
		h := mix(uint64(st.Kind), uint64(st.Of))
		for _, m := range st.Messages {
			key, err := c.actors.Values.Decomposition.MessageKey(c.actors.Values.Message(m))
			if err != nil {
				failed = err
			}
			h = mix(h, xxhash.Sum64String(key))
		}
		return h
	})
	return h, failed
}

// known is an entry of a table by number, which is made if it is not there. 0 stands for none.
func known(table *[]uint64, number uint32, entry func() uint64) uint64 {
	for int(number) >= len(*table) {
		*table = append(*table, 0)
	}
	if (*table)[number] == 0 {
		(*table)[number] = max(entry(), 1)
	}
	return (*table)[number]
}
