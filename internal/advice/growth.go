package advice

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/report"
	"harrier/serializer"
)

// Growth explains a search that a bound ended: how to bound fields and inboxes that were still growing, and how large these had become. Perhaps the
// program has infinitely many states; a long search that has not ended yet looks the same.
//
// The more nodes it looks at the more it sees: ever more of them, as long as ctx lasts.
func Growth(ctx context.Context, actors *space.Actors) []string {
	g := growth{actors: actors, labels: serializer.Labels(actors.Program().Labels), messages: map[model.MessageID]map[string]measure{}}
	found := g.growing(ctx)
	var resent []string
	children := "" // a suffix of the names in a declaration, to include created actors
	for _, of := range found {
		creator, _, isChild := strings.Cut(g.resent(of.what), "/")
		if name := strconv.Quote(creator); creator != "" && !slices.Contains(resent, name) {
			resent = append(resent, name)
		}
		if isChild {
			children = ".andChildren()"
		}
	}
	var mends []string
	facts := map[string]string{} // by mend
	for _, of := range found {
		mend := g.mend(of.what)
		if g.resent(of.what) != "" {
			mend = fmt.Sprintf("network().duplicating(%s)%s, which takes equal messages as one, if senders repeat themselves",
				strings.Join(resent, ", "), children)
		}
		if facts[mend] == "" {
			mends = append(mends, mend)
			facts[mend] = fmt.Sprintf("%s was still growing when the search ended, at %d%s", of.what, of.size, of.more)
		} else {
			facts[mend] += fmt.Sprintf("; %s, at %d%s", of.what, of.size, of.more)
		}
	}
	for i, mend := range mends {
		mends[i] = mend + ": " + facts[mend]
	}
	return mends
}

const (
	mostGrowing = 3     // that are reported
	leastTimes  = 6     // of growth before it is reported; a large constant that is met late grows once
	fewestNodes = 25    // that are looked at first, spread over all
	mostNodes   = 1_600 // that are looked at in the end, likewise
)

type growth struct {
	actors   *space.Actors
	labels   serializer.Labels
	messages map[model.MessageID]map[string]measure // their measures
}

// measure is the number of messages from one actor in an inbox, the size of a collection or a text, a number of actors,
// or how far a number is from zero.
type measure struct {
	what string
	size int
	more string // text beside the size
}

// grown is the largest that was met of something.
type grown struct {
	measure
	id    int // of the node that has it
	times int // how many of the nodes that were met first had a larger one than those before
}

// growing is what grew time and again in the nodes that were met first, and is larger still in those that were met last. Ids count
// nodes as they are met.
func (g growth) growing(ctx context.Context) (found []grown) {
	for most := fewestNodes; most <= mostNodes; most *= 2 {
		among, whole := g.among(ctx, min(g.actors.Nodes.Len(), most))
		if !whole {
			break
		}
		if found = among; g.actors.Nodes.Len() <= most {
			break
		}
	}
	return found
}

// among returns the parts that grew among so many nodes. whole is false if ctx ended before all of them were looked at.
func (g growth) among(ctx context.Context, nodes int) (found []grown, whole bool) {
	count, largest := g.actors.Nodes.Len(), map[string]grown{}
	isLate := func(id int) bool { return id*3 >= count*2 }
	for i := range nodes {
		if ctx.Err() != nil {
			return nil, false
		}
		id := 1 + i*count/nodes
		g.node(model.NodeID(id), func(m measure) {
			if before := largest[m.what]; m.size > before.size {
				if id != before.id && !isLate(id) {
					before.times++
				}
				largest[m.what] = grown{m, id, before.times}
			}
		})
	}
	for _, what := range slices.Sorted(maps.Keys(largest)) {
		if of := largest[what]; isLate(of.id) && of.times >= leastTimes {
			found = append(found, of)
		}
	}
	slices.SortStableFunc(found, func(a, b grown) int { return strings.Count(a.what, ".") - strings.Count(b.what, ".") })
	return found[:min(len(found), mostGrowing)], true
}

// node measures the inbox of a node, its messages, the creators of its actor, and its local state.
func (g growth) node(id model.NodeID, note func(measure)) {
	local := g.actors.Nodes.Local(id)
	if local == 0 { // of an actor that is not there
		return
	}
	of, messages := g.actors.Values.Actor(local), map[model.MessageID]int{}
	waiting, delivered := space.Inbox(g.actors.Nodes, id)
	for _, list := range []space.Messages{waiting, delivered} {
		for m, count := range list.Counts {
			messages[m] += count
		}
	}
	g.inbox(of.Name, messages, note)
	for _, m := range slices.Sorted(maps.Keys(messages)) {
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
	way := fmt.Sprintf(", in one from %s to %s", report.SenderText(m.Sender), m.Receiver)
	for what, of := range largest {
		largest[what] = measure{of.what + inMessages, of.size, of.more + way}
	}
	return largest
}

// encoded measures the hashed part of a local state or payload.
func (g growth) encoded(b []byte, note func(measure)) {
	hashed, err := g.actors.Values.Decomposition.Hashed(b)
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

// inbox measures the messages from each sender: many senders that each send a few fill an inbox, and it does not grow.
func (g growth) inbox(receiver string, messages map[model.MessageID]int, note func(measure)) {
	sizes, payloads := map[string]int{}, map[string]map[string]int{}
	for id, count := range messages {
		m := g.actors.Values.Message(id)
		sizes[m.Sender] += count
		if payloads[m.Sender] == nil {
			payloads[m.Sender] = map[string]int{}
		}
		payloads[m.Sender][string(m.Payload)] += count
	}
	for _, sender := range slices.Sorted(maps.Keys(sizes)) {
		text := fmt.Sprintf(" messages from %s%s", report.SenderText(sender), g.mostly(payloads[sender]))
		note(measure{inboxOf + receiver, sizes[sender], text})
	}
}

// mostly says which message there is most of, by how many of each payload there are.
func (g growth) mostly(counts map[string]int) string {
	most := ""
	for _, payload := range slices.Sorted(maps.Keys(counts)) {
		if counts[payload] > counts[most] {
			most = payload
		}
	}
	v, err := serializer.Decode([]byte(most))
	if err != nil {
		return ""
	}
	return fmt.Sprintf(", %d of them %s", counts[most], report.Cut(g.labels.Format(v)))
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

// Prefixes and suffixes of the names of measures, by which mend knows how to bound them.
const (
	inboxOf     = "the inbox of "
	creationsOf = "the number of actors created by "
	chainOf     = "the chain of actors that create one another from "
	inMessages  = " in messages"
)

// resent is the actor whose inbox something is, if messages to it may be lost, or any are received again and again; else "".
func (g growth) resent(what string) string {
	name, inbox := strings.CutPrefix(what, inboxOf)
	if !inbox || !slices.ContainsFunc(g.actors.Program().Faults, func(f model.Fault) bool { return f.Kind == model.Lose && f.Scope.Has(name) || f.Repeats() }) {
		return ""
	}
	return name
}

// mend returns how to bound a measure, unless it is an inbox to which messages are sent again.
func (g growth) mend(what string) string {
	p := g.actors.Program()
	switch {
	case strings.HasPrefix(what, inboxOf):
		return "have senders wait for answers, or bound how often they send"
	case strings.HasPrefix(what, creationsOf), strings.HasPrefix(what, chainOf):
		return "have actors that exist do more, or bound how many are created, as by a guard"
	case strings.HasSuffix(what, inMessages) && p.NeedsWholeMessages():
		return "bound it where it is sent, as by a guard"
	case strings.HasSuffix(what, inMessages):
		return "bound it where it is sent, as by a guard, or mark the field @Auxiliary if nothing depends on it"
	case strings.Contains(what, "."+serializer.AgendaTimers):
		return "set a timer again when it fired, with equal content"
	}
	return "bound it, as by a guard, or mark the field @Auxiliary if nothing depends on it"
}
