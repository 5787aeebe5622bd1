package examples

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"testing"

	"harrier/model"
	"harrier/serializer"
)

// A space is all states of a program, each as a vector of numbers: what is global, and what each actor is like. It has its
// own notion of what a permutation of actors makes of a state.
type space struct {
	names       []string // of the actors, from position 1
	position    map[string]int
	states      [][]uint32
	transitions []int          // from each state
	number      map[string]int // of each state
	contents    []content
	contentOf   map[string]uint32
}

// content is what an actor is like: its local state, and the messages to it, of those delivered and those that are not.
type content struct {
	local    []byte
	messages [2][]model.Message
	stopped  bool
}

// newSpace goes through all states of a program whose channels keep no order.
func newSpace(t *testing.T, p *program) *space {
	t.Helper()
	actors, err := model.NewActors(p, model.Decomposition{})
	if err != nil {
		t.Fatal(err)
	}
	s := &space{position: map[string]int{}, number: map[string]int{}, contentOf: map[string]uint32{}}
	nodes := map[uint32]uint32{}
	walk(t, actors, func(state model.State, transitions int, _ bool) {
		s.name(actors, len(state))
		vector := []uint32{state[0]}
		for _, node := range state[1:] {
			if _, ok := nodes[node]; !ok {
				nodes[node] = s.intern(contentOf(actors, node))
			}
			vector = append(vector, nodes[node])
		}
		s.number[key(vector)] = len(s.states)
		s.states = append(s.states, vector)
		s.transitions = append(s.transitions, transitions)
	})
	return s
}

func (s *space) name(actors *model.Actors, positions int) {
	for position := len(s.names) + 1; position < positions; position++ {
		s.names = append(s.names, actors.PositionName(position))
		s.position[actors.PositionName(position)] = position
	}
}

func contentOf(actors *model.Actors, node model.NodeID) content {
	parts := actors.NodeParts(node)
	c := content{stopped: parts.Stopped}
	if parts.Local != 0 {
		c.local = actors.Actor(parts.Local).Local
	}
	for i, buffer := range [][]model.MessageID{parts.Waiting, parts.Delivered} {
		for _, m := range buffer {
			c.messages[i] = append(c.messages[i], actors.Message(m))
		}
	}
	return c
}

func (s *space) intern(c content) uint32 {
	text := fmt.Sprintf("%q %v", c.local, c.stopped)
	for _, buffer := range c.messages {
		var messages []string
		for _, m := range buffer {
			messages = append(messages, fmt.Sprintf("%s %q", m.Sender, m.Payload))
		}
		sort.Strings(messages)
		text += " / " + strings.Join(messages, ", ")
	}
	if id, ok := s.contentOf[text]; ok {
		return id
	}
	s.contents = append(s.contents, c)
	s.contentOf[text] = uint32(len(s.contents))
	return uint32(len(s.contents))
}

// under gives what a permutation makes of states.
func (s *space) under(t *testing.T, p permutation) func(state []uint32) []uint32 {
	t.Helper()
	images := map[uint32]uint32{}
	place := make([]int, len(s.names)+1)
	for i, name := range s.names {
		place[i+1] = s.position[p.of(name)]
	}
	return func(state []uint32) []uint32 {
		made := make([]uint32, len(place))
		made[0] = state[0]
		for i := 1; i < len(state); i++ {
			c := state[i]
			if images[c] == 0 {
				images[c] = s.intern(p.renamed(t, s.contents[c-1]))
			}
			made[place[i]] = images[c]
		}
		return made
	}
}

// orbits takes states together that chains of swaps make of each other. It returns how many orbits there are, and
// how many transitions the first states of all of them have.
func (s *space) orbits(t *testing.T, swaps []permutation) (states, transitions int) {
	t.Helper()
	parent := make([]int, len(s.states))
	for i := range parent {
		parent[i] = i
	}
	find := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for _, p := range swaps {
		permuted := s.under(t, p)
		for i, state := range s.states {
			j, ok := s.number[key(permuted(state))]
			if !ok {
				t.Fatalf("%v makes a state of a reachable one that is not reachable", p.to)
			}
			a, b := find(i), find(j)
			parent[max(a, b)] = min(a, b)
		}
	}
	for i := range parent {
		first := find(i)
		if s.transitions[i] != s.transitions[first] {
			t.Fatalf("two states of an orbit have %d and %d transitions", s.transitions[i], s.transitions[first])
		}
		if first == i {
			states, transitions = states+1, transitions+s.transitions[i]
		}
	}
	return states, transitions
}

// leastForms counts the least of what all permutations make of each state.
func (s *space) leastForms(t *testing.T, all []permutation) int {
	t.Helper()
	least := make([]string, len(s.states))
	for _, p := range all {
		permuted := s.under(t, p)
		for i, state := range s.states {
			if form := key(permuted(state)); least[i] == "" || form < least[i] {
				least[i] = form
			}
		}
	}
	forms := map[string]bool{}
	for _, form := range least {
		forms[form] = true
	}
	return len(forms)
}

// A permutation gives actors the names of others.
type permutation struct {
	to       map[string]string
	renaming *serializer.Renaming
}

func newPermutation(to map[string]string) permutation {
	p := permutation{to: to}
	p.renaming = serializer.NewRenaming(p.of)
	return p
}

func (p permutation) of(name string) string {
	if to, ok := p.to[name]; ok {
		return to
	}
	return name
}

func (p permutation) renamed(t *testing.T, c content) content {
	t.Helper()
	rename := func(b []byte) []byte {
		if b == nil {
			return nil
		}
		r, err := p.renaming.Rename(b)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	made := content{local: rename(c.local), stopped: c.stopped}
	for i, buffer := range c.messages {
		for _, m := range buffer {
			made.messages[i] = append(made.messages[i], model.Message{Sender: p.of(m.Sender), Payload: rename(m.Payload)})
		}
	}
	return made
}

// permutations are all permutations within roles. A role is the names of its actors.
func permutations(roles []string) []permutation {
	all := []map[string]string{{}}
	for _, role := range roles {
		var longer []map[string]string
		for _, to := range ordersOf(strings.Fields(role)) {
			for _, before := range all {
				longer = append(longer, with(before, strings.Fields(role), to))
			}
		}
		all = longer
	}
	var made []permutation
	for _, to := range all {
		made = append(made, newPermutation(to))
	}
	return made
}

// ordersOf are all orders of names.
func ordersOf(names []string) [][]string {
	if len(names) == 0 {
		return [][]string{{}}
	}
	var all [][]string
	for i, first := range names {
		for _, rest := range ordersOf(slices.Concat(names[:i], names[i+1:])) {
			all = append(all, append([]string{first}, rest...))
		}
	}
	return all
}

func with(before map[string]string, from, to []string) map[string]string {
	made := maps.Clone(before)
	for i := range from {
		made[from[i]] = to[i]
	}
	return made
}

// swaps exchange two neighbours of a role each, of which all permutations are made.
func swaps(roles []string) []permutation {
	var made []permutation
	for _, role := range roles {
		names := strings.Fields(role)
		for i := 1; i < len(names); i++ {
			made = append(made, newPermutation(map[string]string{names[i-1]: names[i], names[i]: names[i-1]}))
		}
	}
	return made
}
