package space

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/cespare/xxhash/v2"

	"harrier/internal/ds/slab"
	"harrier/internal/model"
	"harrier/internal/model/network"
)

// SharedActors are Actors that several processes search together.
type SharedActors struct {
	*Actors
	seen       int            // how many of the nodes News has looked at
	unexpanded []model.NodeID // those of them that it did not return
}

// portableNode is a node in portable terms, or the global part of a state, which has no name.
type portableNode struct {
	Name      string          `json:"name,omitempty"`
	Actor     *model.Actor    `json:"actor,omitempty"` // in its local state, or if it has stopped, its last one; nil without an actor
	Stopped   bool            `json:"stopped,omitempty"`
	Waiting   []model.Message `json:"waiting,omitempty"`
	Delivered []model.Message `json:"delivered,omitempty"`
	Open      []model.Message `json:"open,omitempty"`

	History []byte        `json:"history,omitempty"`
	Last    *model.Event  `json:"last,omitempty"`
	Budgets []uint32      `json:"budgets,omitempty"`
	Links   network.Links `json:"links,omitempty"`
	Round   uint32        `json:"round,omitempty"`
}

// Write implements Portable.
func (a *SharedActors) Write(position, id uint32) ([]byte, error) {
	return json.Marshal(a.portable(position, id))
}

func (a *SharedActors) portable(position, id uint32) portableNode {
	if position == 0 {
		g := a.Globals.interned.At(id)
		of := portableNode{History: *a.Globals.histories.At(g.history), Budgets: *a.Globals.budgets.At(g.budgets), Links: *a.Globals.links.At(g.links), Round: g.round}
		if g.last != 0 {
			last := a.LocalSteps.described(g.last)
			of.Last = &last
		}
		return of
	}
	parts := a.Nodes.Parts(id)
	of := portableNode{Name: a.Values.PositionName(int(position)), Stopped: parts.Stopped,
		Waiting: a.contents(parts.Waiting), Delivered: a.contents(parts.Delivered), Open: a.contents(parts.Open)}
	if local := max(parts.Local, parts.Last); local != 0 { // one of them is 0
		actor := a.Values.Actor(local)
		of.Actor = &actor
	}
	return of
}

// contents returns the messages of a list, in an order that is the same in all processes.
func (a *SharedActors) contents(list []model.MessageID) (all []model.Message) {
	for _, place := range a.messageLists.arranged(list) {
		all = append(all, a.Values.messages.At(list[place]).Message)
	}
	return all
}

// Read implements Portable.
func (a *SharedActors) Read(b []byte) (position, id uint32, err error) {
	var of portableNode
	if err := json.Unmarshal(b, &of); err != nil {
		return 0, 0, fmt.Errorf("reading a part of a state: %w", err)
	}
	a.Values.mu.Lock()
	defer a.Values.mu.Unlock()
	if of.Name == "" {
		id, err = a.readGlobal(of)
		return 0, id, err
	}
	position = a.Values.position(of.Name)
	id, err = a.readNode(position, of)
	return position, id, err
}

func (a *SharedActors) readGlobal(of portableNode) (uint32, error) {
	g := global{history: a.Globals.history(of.History), budgets: a.Globals.budget(of.Budgets), links: a.Globals.link(of.Links), round: of.Round}
	if of.Last != nil {
		messages, err := a.internAll(of.Last.Messages)
		if err != nil {
			return 0, err
		}
		g.last = a.LocalSteps.event(event{kind: of.Last.Kind, fault: of.Last.Fault, messages: messages})
	}
	return a.Globals.global(g), nil
}

func (a *SharedActors) readNode(position uint32, of portableNode) (model.NodeID, error) {
	local := model.LocalID(0)
	if of.Actor != nil {
		var err error
		if local, err = a.Values.internLocal(position, *of.Actor); err != nil {
			return 0, err
		}
	}
	if of.Stopped || local != 0 && a.initial.At(position) == 0 {
		a.Nodes.varies.Store(true)
	}
	var in inbox
	for _, list := range []struct {
		of   []model.Message
		into *model.ListID
	}{{of.Waiting, &in.waiting}, {of.Delivered, &in.delivered}, {of.Open, &in.open}} {
		messages, err := a.internAll(list.of)
		if err != nil {
			return 0, err
		}
		for _, m := range messages {
			*list.into = a.messageLists.with(*list.into, m)
		}
	}
	if of.Stopped {
		return a.Nodes.attempted(a.Nodes.stop(position, local), in.open), nil
	}
	return a.Nodes.node(local, in), nil
}

func (a *SharedActors) internAll(messages []model.Message) (ids []model.MessageID, err error) {
	for _, m := range messages {
		id, err := a.Values.internMessage(m)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// Hash implements Portable. Only the relevant parts of local states and messages count.
func (a *SharedActors) Hash(position, id uint32) (uint64, error) {
	of := a.portable(position, id)
	parts := []string{of.Name, string(of.History), slab.Key(of.Budgets...), fmt.Sprint(of.Stopped, of.Links)}
	if of.Actor != nil {
		hashed, err := a.Values.Decomposition.Hashed(of.Actor.Local)
		if err != nil {
			return 0, err
		}
		parts = append(parts, of.Actor.Class, string(hashed), fmt.Sprint(of.Actor.Acts, of.Actor.Down, of.Actor.Watches))
		if of.Actor.Ahead != 0 {
			parts = append(parts, fmt.Sprint("ahead ", of.Actor.Ahead))
		}
	}
	if of.Round > 0 {
		parts = append(parts, fmt.Sprint("round ", of.Round))
	}
	if of.Last != nil {
		keys, err := a.keysOf(of.Last.Messages)
		if err != nil {
			return 0, err
		}
		parts = append(append(parts, fmt.Sprint(of.Last.Kind, of.Last.Fault)), keys...)
	}
	lists := [][]model.Message{of.Waiting, of.Delivered}
	if len(of.Open) > 0 {
		lists = append(lists, of.Open)
	}
	for _, list := range lists {
		keys, err := a.keysOf(list)
		if err != nil {
			return 0, err
		}
		parts = append(append(parts, "messages"), keys...)
	}
	return xxhash.Sum64String(slab.Join(parts...)), nil
}

// keysOf returns the keys of messages: in the order of their queues, or sorted where order means nothing.
func (a *SharedActors) keysOf(messages []model.Message) (keys []string, err error) {
	for _, m := range messages {
		key, err := a.Values.Decomposition.MessageKey(m)
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	if len(messages) > 0 && !a.Values.program.Channel(messages[0].Receiver).KeepsOrder() {
		slices.Sort(keys)
	}
	return keys, nil
}

// News implements Shared: the nodes that were expanded.
func (a *SharedActors) News() ([]byte, error) {
	var news [][]byte
	all := a.unexpanded
	a.unexpanded = nil
	for ; a.seen < a.Nodes.Len(); a.seen++ {
		all = append(all, model.NodeID(a.seen+1))
	}
	for _, n := range all {
		if !a.Nodes.list.At(n).expanded() {
			a.unexpanded = append(a.unexpanded, n)
			continue
		}
		parts, position := a.Nodes.Parts(n), uint32(0)
		switch messages := slices.Concat(parts.Waiting, parts.Delivered, parts.Open); {
		case parts.Local != 0:
			position = a.Values.locals.At(parts.Local).position
		case len(messages) > 0:
			position = a.Values.ReceiverOf(messages[0])
		default:
			continue // the node of an actor that has stopped
		}
		b, err := a.Write(position, n)
		if err != nil {
			return nil, err
		}
		news = append(news, b)
	}
	if news == nil {
		return nil, nil
	}
	return json.Marshal(news)
}

// Learn implements Shared.
func (a *SharedActors) Learn(ctx context.Context, b []byte) error {
	if b == nil {
		return nil
	}
	var news [][]byte
	if err := json.Unmarshal(b, &news); err != nil {
		return fmt.Errorf("reading what a search found: %w", err)
	}
	var nodes []Placed
	for _, b := range news {
		position, n, err := a.Read(b)
		if err != nil {
			return err
		}
		nodes = append(nodes, Placed{position, n})
	}
	return a.Expand(ctx, nodes)
}

// Variant implements Shared. There is only one variant.
func (a *SharedActors) Variant() []byte { return nil }

// Adopt implements Shared.
func (a *SharedActors) Adopt([]byte) error { return nil }

// HandlerNumber returns the number of the handler with a label.
func (v *Values) HandlerNumber(label string) uint32 {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.handler(label)
}

// PositionOf returns the position of an actor in states.
func PositionOf(v *Values, name string) uint32 {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.position(name)
}
