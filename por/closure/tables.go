package closure

import (
	"context"
	"maps"
	"slices"

	"harrier/internal/pairs"
	"harrier/model"
)

// tables are what one worker remembers of local steps.
type tables struct {
	*Closure
	*multisets
	effort

	// Local states, messages and events, in the ids of the closure.
	locals            []localFacts // by local state
	messages          []messageFacts
	channels          []model.ChannelParts // by position
	met               []*nodeFacts         // by node of the searched system
	splits            [][]delivery         // by multiset
	combining         map[string]uint32    // by messages: their reception together
	internal, restart uint32               // events

	// What events do.
	occasions []occasion
	numbers   pairs.Map               // (local state, event) -> number of the occasion
	collected map[collection][]uint32 // receptions of several messages
	harmless  pairs.Map               // (local state, event) -> 1 if it may be taken early, as far as it alone goes
	swaps     pairs.Map               // (number of an occasion, event) -> 1 if the event can be moved to the front of it
	clear     pairs.Map               // (place, event): the event can be moved to the front of all that may happen there
	commuting pairs.Map               // (number of a local closure, event) -> 1 if it can everywhere there

	// Graphs and local closures.
	places
	takings    pairs.Map                     // (left, item) -> left
	groups     pairs.Map                     // (available, 0) -> left
	several    map[setID][][]model.MessageID // by what is left: kinds of several messages
	tellsApart map[contentKey]bool           // where messages with equal payloads do different things
	uncounted  map[reachKey]*graph
	explosions map[uint32]int // by position: how many graphs became too large
	reaches    map[reachKey]*reached
	made       uint32    // local closures
	insides    pairs.Map // (number of a local closure, messages) -> messages
	allowances uint32
	allowedIn  []uint32          // by event: the last of the allowances that allowed it
	limits     map[uint32]string // by position: why local closures of the actor were not known

	// Futures.
	initial  *view             // the initial state
	start    *future           // of that, with all faults
	bases    map[uint32]*graph // by position: those of the initial state, where they are not too large; nil until its future is known
	lifts    map[uint64]setID  // by what faults may still happen, and a multiset
	everNews map[uint64]setID  // by what faults may still happen, and messages
	byGlobal []*faults         // by what is global in a state
	byBudget map[string]*faults

	// For use at once.
	tried  []trial
	asked  []uint32
	wanted []model.StepID
}

func newTables(c *Closure) *tables {
	return &tables{
		Closure: c, multisets: newMultisets(), combining: map[string]uint32{}, collected: map[collection][]uint32{},
		several: map[setID][][]model.MessageID{}, tellsApart: map[contentKey]bool{}, uncounted: map[reachKey]*graph{},
		explosions: map[uint32]int{}, reaches: map[reachKey]*reached{}, limits: map[uint32]string{},
		lifts: map[uint64]setID{}, everNews: map[uint64]setID{}, byBudget: map[string]*faults{},
		internal: c.steps.Unprompted(model.Internal), restart: c.steps.Unprompted(model.Restart),
	}
}

// localFacts are what is known of a local state; nothing if isKnown is false.
type localFacts struct {
	model.LocalParts
	silent  bool // its class is
	isKnown bool
}

// messageFacts are what is known of a message; nothing if reception is 0.
type messageFacts struct {
	sender    string
	receiver  uint32
	reception uint32 // of this message alone
	content   uint32 // equal for messages with equal payloads
}

func (t *tables) local(l model.LocalID) (*localFacts, error) {
	for int(l) >= len(t.locals) {
		t.locals = append(t.locals, localFacts{})
	}
	facts := &t.locals[l]
	if !facts.isKnown {
		parts, err := t.steps.LocalParts(l)
		if err != nil {
			return nil, err
		}
		*facts = localFacts{parts, t.silent[t.steps.Describe(l).Class], true}
	}
	return facts, nil
}

func (t *tables) message(m model.MessageID) *messageFacts {
	for int(m) >= len(t.messages) {
		t.messages = append(t.messages, messageFacts{})
	}
	facts := &t.messages[m]
	if facts.reception == 0 {
		facts.sender, facts.receiver, facts.content = t.steps.Envelope(m)
		facts.reception = t.steps.Reception(m)
	}
	return facts
}

// belongs is the position that an item is about.
func (t *tables) belongs(x item) uint32 {
	if x.isMessage() {
		return t.message(x.id()).receiver
	}
	parts, err := t.local(x.id())
	if err != nil {
		return 0
	}
	return parts.Position
}

// A delivery is what of a multiset belongs to a position.
type delivery struct {
	position uint32
	items    setID
}

// split takes a multiset apart by positions.
func (t *tables) split(of setID) []delivery {
	for int(of) >= len(t.splits) {
		t.splits = append(t.splits, nil)
	}
	if of == 0 || t.splits[of] != nil {
		return t.splits[of]
	}
	byPosition := map[uint32][]entry{}
	for _, x := range t.entries[of] {
		position := t.belongs(x.item)
		byPosition[position] = append(byPosition[position], x)
	}
	var deliveries []delivery
	for _, position := range slices.Sorted(maps.Keys(byPosition)) {
		deliveries = append(deliveries, delivery{position, t.intern(byPosition[position])})
	}
	t.splits[of] = deliveries
	return deliveries
}

func (t *tables) channel(position uint32) model.ChannelParts {
	for int(position) >= len(t.channels) {
		t.channels = append(t.channels, t.program.ChannelParts(t.steps.Name(uint32(len(t.channels)))))
	}
	return t.channels[position]
}

// shrinks says whether the channel to a position is a set out of which something is taken. Adding to it and taking out of it
// do not commute.
func (t *tables) shrinks(position uint32) bool {
	c := t.channel(position)
	if !c.Repeats {
		return false
	}
	name := t.steps.Name(position)
	return !c.Keeps || slices.ContainsFunc(t.program.Faults, func(f model.Fault) bool {
		return f.Kind == model.Split || f.Kind == model.Lose && f.Scope.Has(name)
	})
}

// step is what an event does in a local state. It is asked for if it is not known.
func (t *tables) step(ctx context.Context, l model.LocalID, event uint32) (*model.PossibleStep, error) {
	st, ok := t.steps.Step(l, event)
	if !ok {
		if err := t.steps.Ask(ctx, []model.StepID{{Local: l, Event: event}}); err != nil {
			return nil, err
		}
		st, _ = t.steps.Step(l, event)
	}
	return st, nil
}

// outcomes are those of an event in a local state, where it may be told of several messages only if they may be taken together.
func (t *tables) outcomes(ctx context.Context, l model.LocalID, event uint32) (outcomes []model.PossibleOutcome, isKnown bool, err error) {
	if t.steps.Kind(event) == model.Internal {
		if parts, err := t.local(l); err != nil || !parts.Acts {
			return nil, true, err
		}
	}
	if messages := t.steps.Messages(event); len(messages) > 1 {
		isTold, isKnown, err := t.together(ctx, l, messages)
		if !isTold || !isKnown || err != nil {
			return nil, isKnown, err
		}
	}
	st, err := t.step(ctx, l, event)
	if err != nil {
		return nil, false, err
	}
	return st.Outcomes, st.IsKnown, nil
}

// together says whether some quorum with a size may take messages together in a local state.
func (t *tables) together(ctx context.Context, l model.LocalID, messages []model.MessageID) (isTold, isKnown bool, err error) {
	var shared []model.Quorum
	for i, m := range messages {
		st, err := t.step(ctx, l, t.message(m).reception)
		if err != nil || !st.IsKnown {
			return false, false, err
		}
		if i == 0 {
			shared = st.Quorums
			continue
		}
		shared = slices.DeleteFunc(slices.Clone(shared), func(q model.Quorum) bool { return !slices.Contains(st.Quorums, q) })
	}
	return slices.ContainsFunc(shared, func(q model.Quorum) bool { return q.Size == 0 || q.Size == len(messages) }), true, nil
}

// name is the name of the actor that has a local state.
func (t *tables) name(l model.LocalID) string { return t.steps.Describe(l).Name }
