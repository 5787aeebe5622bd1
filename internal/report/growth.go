package report

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"harrier/internal/model"
	"harrier/serializer"
)

// Growth explains a search that a bound ended: what was still growing, how far, how a run to that begins, and what would bound it.
// Perhaps the program has infinitely many states; what a long search has not reached the end of looks the same.
func Growth(ctx context.Context, actors *model.Actors) []string {
	g := growth{actors: actors, labels: serializer.Labels(actors.Program().Labels), messages: map[model.MessageID]map[string]measure{}}
	var lines []string
	for _, grown := range g.growing() {
		times, largest, run := g.run(ctx, grown.measure)
		if strings.HasPrefix(grown.what, inboxOf) && run.repeats < leastTimes {
			continue // senders that each send a few messages explain it
		}
		line := fmt.Sprintf("%s was still growing when the search ended, at %s", grown.what, grown.text())
		line += "; if it has no bound: " + g.mend(grown.what)
		if times >= leastTimes || largest.size >= grown.size {
			line += fmt.Sprintf("; one run, followed only until it is %s: %s", largest.text(), run.text)
		}
		lines = append(lines, line)
	}
	return lines
}

const (
	mostGrowing  = 3     // that are reported
	leastTimes   = 6     // that what is reported has grown; a large constant that is met late does so once
	mostNodes    = 2_000 // that are looked at, spread over all
	mostStates   = 2_000 // that a run to a large size is looked for through
	enoughInARun = 20    // the size at which that ends
	mostOfARun   = 300   // bytes of it that are reported
)

type growth struct {
	actors   *model.Actors
	labels   serializer.Labels
	messages map[model.MessageID]map[string]measure // what there is to measure in them
	known    map[model.NodeID]measure               // in nodes, of what a run is looked for to
}

// measure is the size of an inbox, a collection or a text, a number of actors, or how far a number is from zero.
type measure struct {
	what string
	size int
	more string // what people are told beside the size
}

func (m measure) text() string { return fmt.Sprint(m.size) + m.more }

// grown is the largest that was met of something.
type grown struct {
	measure
	id    int // of the node that has it
	times int // how many of the nodes that were met first had a larger one than those before
}

// growing is what grew time and again in the nodes that were met first, and is larger still in those that were met last. Ids count
// nodes as they are met.
func (g growth) growing() []grown {
	count, largest := g.actors.Nodes.Len(), map[string]grown{}
	isLate := func(id int) bool { return id*3 >= count*2 }
	for i := range min(count, mostNodes) {
		id := 1 + i*count/min(count, mostNodes)
		g.node(model.NodeID(id), func(m measure) {
			if before := largest[m.what]; m.size > before.size {
				if id != before.id && !isLate(id) {
					before.times++
				}
				largest[m.what] = grown{m, id, before.times}
			}
		})
	}
	var found []grown
	for _, what := range slices.Sorted(maps.Keys(largest)) {
		if of := largest[what]; isLate(of.id) && of.times >= leastTimes {
			found = append(found, of)
		}
	}
	slices.SortStableFunc(found, func(a, b grown) int { return strings.Count(a.what, ".") - strings.Count(b.what, ".") })
	return found[:min(len(found), mostGrowing)]
}

// node measures the inbox of a node, what is in its messages, how its actor came to be, and the local state.
func (g growth) node(id model.NodeID, note func(measure)) {
	parts := g.actors.Nodes.Parts(id)
	if parts.Local == 0 { // of an actor that is not there
		return
	}
	of, messages := g.actors.Values.Actor(parts.Local), slices.Concat(parts.Waiting, parts.Delivered)
	note(measure{inboxOf + of.Name, len(messages), g.mostly(messages)})
	for _, m := range slices.Compact(messages) {
		if _, known := g.messages[m]; !known {
			g.messages[m] = g.inMessage(g.actors.Values.Message(m))
		}
		for _, inMessage := range g.messages[m] {
			note(inMessage)
		}
	}
	origin, rest := model.Origin(of.Name)
	note(measure{chainOf + origin, strings.Count(rest, "/"), ""})
	g.encoded(of.Local, note)
}

// inMessage has the largest measure of each thing in a message.
func (g growth) inMessage(m model.Message) map[string]measure {
	largest := map[string]measure{}
	g.encoded(m.Payload, func(of measure) {
		if of.size > largest[of.what].size {
			largest[of.what] = of
		}
	})
	way := fmt.Sprintf(", in one from %s to %s", senderText(m.Sender), m.Receiver)
	for what, of := range largest {
		largest[what] = measure{of.what + inMessages, of.size, of.more + way}
	}
	return largest
}

// encoded measures what tells local states or payloads apart.
func (g growth) encoded(b []byte, note func(measure)) {
	hashed, err := g.actors.Decomposition.Hashed(b)
	if err != nil {
		return
	}
	if v, err := serializer.Decode(hashed); err == nil {
		what := g.labels.Of(v.ClassName)
		if len(v.Fields) == 0 {
			what = "the " + v.Kind.String()
		}
		g.value(what, v, note)
	}
}

// mostly says which message, but for its sender, there is most of.
func (g growth) mostly(messages []model.MessageID) string {
	counts, most := map[string]int{}, ""
	for _, id := range messages {
		payload := string(g.actors.Values.Message(id).Payload)
		if counts[payload]++; counts[payload] > counts[most] {
			most = payload
		}
	}
	v, err := serializer.Decode([]byte(most))
	if err != nil {
		return ""
	}
	return fmt.Sprintf(", %d of them %s", counts[most], cut(g.labels.Format(v)))
}

func (g growth) value(path string, v serializer.Value, note func(measure)) {
	number := float64(v.Int)
	switch v.Kind {
	case serializer.Float, serializer.Double:
		number = v.Float()
		fallthrough
	case serializer.Byte, serializer.Short, serializer.Int, serializer.Long:
		if number >= 0 && number < math.MaxInt32 {
			note(measure{path, int(number), ""})
		} else if number > -math.MaxInt32 {
			note(measure{path, int(-number), " below zero"})
		}
	case serializer.String:
		note(measure{"the length of " + path, utf8.RuneCountInString(v.Text), ""})
	case serializer.CodeUnits:
		note(measure{"the length of " + path, len(v.Text) / 2, ""})
	case serializer.Actor:
		note(measure{creationsOf + v.Text, int(v.Int), ""})
	}
	if n := len(v.Elements) + len(v.Entries); n > 0 {
		note(measure{"the size of " + path, n, ""})
	}
	for _, f := range v.Fields {
		g.value(path+"."+f.Name, f.Value, note)
	}
	for _, e := range v.Elements {
		g.value(path, e, note)
	}
	for _, e := range v.Entries {
		g.value(path, e.Value, note)
	}
}

// How names of what is measured begin or end, by which mend tells what would bound it.
const (
	inboxOf     = "the inbox of "
	creationsOf = "the number of actors created by "
	chainOf     = "the chain of actors that create one another from "
	inMessages  = " in messages"
)

// mend says what would bound something.
func (g growth) mend(what string) string {
	name, inbox := strings.CutPrefix(what, inboxOf)
	p := g.actors.Program()
	switch {
	case inbox && slices.ContainsFunc(p.Faults, func(f model.Fault) bool { return f.Kind == model.Lose && f.Scope.Has(name) }):
		return fmt.Sprintf("if senders repeat themselves, network().duplicating(%q) takes equal messages as one", name)
	case inbox:
		return "have senders wait for answers, or bound how often they send"
	case strings.HasPrefix(what, creationsOf), strings.HasPrefix(what, chainOf):
		return "have actors that exist do more, or bound how many are created, as by a guard"
	case strings.HasSuffix(what, inMessages):
		return "bound it where it is sent, as by a guard, or mark the field @Auxiliary if nothing depends on it"
	case strings.Contains(what, "."+serializer.AgendaTimers):
		return "set a timer again when it fired, with equal content"
	}
	return "bound it, as by a guard, or mark the field @Auxiliary if nothing depends on it"
}

// A visit is a state with how it was reached.
type visit struct {
	state model.State
	measure
	from  *visit
	label string
}

// run looks for a state in which something is large, from the initial one, always on from where it is largest. What is large at
// once is followed until it has grown some times, and nothing beyond the largest that the search was seen to come to.
func (g growth) run(ctx context.Context, to measure) (times int, largest measure, found run) {
	g.known = map[model.NodeID]measure{}
	best := &visit{state: g.actors.Initial()}
	best.measure = g.in(best.state, to.what)
	open, known := []*visit{best}, map[string]bool{}
	for len(open) > 0 && len(known) < mostStates && best.size < to.size && (best.size < enoughInARun || times < leastTimes) {
		v := open[0]
		for _, o := range open {
			if o.size > v.size {
				v = o
			}
		}
		open = slices.DeleteFunc(open, func(o *visit) bool { return o == v })
		transitions, err := g.actors.Enabled(ctx, v.state, nil)
		if err != nil {
			break
		}
		for _, t := range transitions {
			next, _, err := g.actors.Apply(slices.Clone(v.state), t, nil)
			if key := fmt.Sprint(next); err == nil && !known[key] {
				known[key] = true
				n := &visit{next, g.in(next, to.what), v, g.label(v.state, t)}
				if open = append(open, n); n.size > best.size {
					best, times = n, times+1
				}
			}
		}
	}
	return times, best.measure, best.run()
}

// run is what happens on the way to a state.
type run struct {
	text    string
	repeats int // how often the same events come one after the other, at most
}

func (v *visit) run() run {
	var labels []string
	for ; v.from != nil; v = v.from {
		labels = append(labels, v.label)
	}
	slices.Reverse(labels)
	blocks, repeats := repeated(labels)
	length := 0
	for i, block := range blocks {
		if length += len(block); length > mostOfARun && i > 0 {
			return run{strings.Join(blocks[:i], ", ") + fmt.Sprintf(" and so on, %d events", len(labels)), repeats}
		}
	}
	return run{strings.Join(blocks, ", "), repeats}
}

// in is the largest measure of something in a state.
func (g growth) in(s model.State, what string) (largest measure) {
	for _, n := range s[1:] {
		if _, known := g.known[n]; !known {
			g.known[n] = measure{}
			g.node(n, func(m measure) {
				if m.what == what && m.size > g.known[n].size {
					g.known[n] = m
				}
			})
		}
		if g.known[n].size > largest.size {
			largest = g.known[n]
		}
	}
	return largest
}

// label names what an actor does.
func (g growth) label(s model.State, t model.Transition) string {
	st, name := g.actors.StepOf(s, t), g.actors.Values.PositionName(int(t.Slot)+1)
	switch {
	case st.Handler != 0:
		return name + " runs " + g.actors.Values.HandlerLabel(int(st.Handler))
	case st.Fault != 0:
		return g.actors.Program().FaultName(int(st.Fault) - 1)
	}
	return st.Kind.String() + " at " + name
}

// repeated writes what comes several times one after the other once, with how often, and returns the largest of these numbers.
func repeated(labels []string) (out []string, most int) {
	for i := 0; i < len(labels); {
		length, times := 1, 1
		for l := 1; l <= 6 && i+l <= len(labels); l++ {
			n := 1
			for i+(n+1)*l <= len(labels) && slices.Equal(labels[i:i+l], labels[i+n*l:i+(n+1)*l]) {
				n++
			}
			if n > 1 && n*l > length*times {
				length, times = l, n
			}
		}
		block := strings.Join(labels[i:i+length], ", ")
		if times > 1 {
			block = fmt.Sprintf("%d times (%s)", times, block)
		}
		out, i, most = append(out, block), i+length*times, max(most, times)
	}
	return out, most
}
