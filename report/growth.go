package report

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"harrier/model"
	"harrier/serializer"
)

// Growth explains a search that a bound ended: what was still growing, how far, with a run to that, and what would bound it. Perhaps
// the program has infinitely many states; what a long search has not reached the end of looks the same.
func Growth(ctx context.Context, actors *model.Actors) []string {
	g := growth{actors: actors, labels: serializer.Labels(actors.Program().Labels), fullest: map[string]inbox{}}
	var lines []string
	for _, grown := range g.growing() {
		line := fmt.Sprintf("%s was still growing when the search ended, at %d%s; if it has no bound: %s", grown.what, grown.size, g.fullest[grown.what].mostly,
			g.mend(grown.what))
		if size, run := g.run(ctx, grown.what); size >= leastSize {
			line += fmt.Sprintf("; in one run it is %d after %s", size, run)
		}
		lines = append(lines, line)
	}
	return lines
}

const (
	mostGrowing  = 3     // that are reported
	leastSize    = 6     // of what is reported
	mostNodes    = 2_000 // that are looked at, spread over all
	mostStates   = 2_000 // that a run to a large size is looked for through
	enoughInARun = 20    // the size at which that ends
	mostOfARun   = 300   // bytes of it that are reported
)

type growth struct {
	actors  *model.Actors
	labels  serializer.Labels
	fullest map[string]inbox
	known   map[model.NodeID]int // the sizes in nodes of what a run is looked for to
}

// inbox is the largest that was met of an actor.
type inbox struct {
	size   int
	mostly string // what it has most of
}

// grown is an inbox, a collection or a number with its largest size.
type grown struct {
	what string
	size int
}

// growing is what was larger in the nodes that were met last than in those before. Ids count nodes as they are met.
func (g growth) growing() []grown {
	count := g.actors.Nodes()
	var largest [2]map[string]int
	for half := range largest {
		largest[half] = map[string]int{}
	}
	for i := range min(count, mostNodes) {
		id := 1 + i*count/min(count, mostNodes)
		half := largest[min(1, id*3/2/count)]
		g.sizes(model.NodeID(id), func(what string, size int) { half[what] = max(half[what], size) })
	}
	early, late := largest[0], largest[1]
	var found []grown
	for _, what := range slices.Sorted(maps.Keys(late)) {
		if size := late[what]; size >= leastSize && size > early[what] {
			found = append(found, grown{what, size})
		}
	}
	slices.SortStableFunc(found, func(a, b grown) int { return strings.Count(a.what, ".") - strings.Count(b.what, ".") })
	return found[:min(len(found), mostGrowing)]
}

// sizes gives the sizes of the inbox, of collections and of numbers in a node.
func (g growth) sizes(id model.NodeID, note func(what string, size int)) {
	parts := g.actors.NodeParts(id)
	if parts.Local == 0 { // of an actor that is not there
		return
	}
	of := g.actors.Actor(parts.Local)
	messages, name := slices.Concat(parts.Waiting, parts.Delivered), "the inbox of "+of.Name
	note(name, len(messages))
	if len(messages) > g.fullest[name].size {
		g.fullest[name] = inbox{len(messages), g.mostly(messages)}
	}
	v, err := serializer.Decode(of.Local)
	if err != nil {
		return
	}
	for _, f := range v.Fields {
		g.value(g.labels.Of(v.ClassName)+"."+f.Name, f.Value, note)
	}
}

// mostly says which message, but for its sender, there is most of.
func (g growth) mostly(messages []model.MessageID) string {
	counts, most := map[string]int{}, ""
	for _, id := range messages {
		payload := string(g.actors.Message(id).Payload)
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

func (g growth) value(path string, v serializer.Value, note func(what string, size int)) {
	switch v.Kind {
	case serializer.Byte, serializer.Short, serializer.Int, serializer.Long:
		if v.Int > 0 && v.Int < math.MaxInt32 {
			note(path, int(v.Int))
		}
	}
	if n := len(v.Elements) + len(v.Entries); n > 0 {
		note("the size of "+path, n)
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

// mend says what would bound something.
func (g growth) mend(what string) string {
	name, inbox := strings.CutPrefix(what, "the inbox of ")
	p := g.actors.Program()
	switch {
	case inbox && slices.ContainsFunc(p.Faults, func(f model.Fault) bool { return f.Kind == model.Lose && f.Scope.Has(name) }):
		return fmt.Sprintf("if senders repeat themselves, network().duplicating(%q) takes equal messages as one", name)
	case inbox:
		return "have senders wait for answers, or bound how often they send"
	case strings.Contains(what, ".pending timers"):
		return "set a timer again when it fired, with equal content"
	}
	return "bound it, as by a guard, or mark the field @Auxiliary if nothing depends on it"
}

// A visit is a state with how it was reached.
type visit struct {
	state model.State
	size  int
	from  *visit
	label string
}

// run looks for a state in which something is large, from the initial one, always on from where it is largest.
func (g growth) run(ctx context.Context, what string) (size int, run string) {
	g.known = map[model.NodeID]int{}
	best := &visit{state: g.actors.Initial()}
	open, known := []*visit{best}, map[string]bool{}
	for len(open) > 0 && len(known) < mostStates && best.size < enoughInARun {
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
				n := &visit{next, g.sizeIn(next, what), v, g.label(v.state, t)}
				if open = append(open, n); n.size > best.size {
					best = n
				}
			}
		}
	}
	var labels []string
	for v := best; v.from != nil; v = v.from {
		labels = append(labels, v.label)
	}
	slices.Reverse(labels)
	blocks, length := repeated(labels), 0
	for i, block := range blocks {
		if length += len(block); length > mostOfARun && i > 0 {
			return best.size, strings.Join(blocks[:i], ", ") + fmt.Sprintf(" and so on, %d events", len(labels))
		}
	}
	return best.size, strings.Join(blocks, ", ")
}

// sizeIn is the largest size of something in a state.
func (g growth) sizeIn(s model.State, what string) (largest int) {
	for _, n := range s[1:] {
		if _, known := g.known[n]; !known {
			g.known[n] = 0
			g.sizes(n, func(w string, size int) {
				if w == what {
					g.known[n] = max(g.known[n], size)
				}
			})
		}
		largest = max(largest, g.known[n])
	}
	return largest
}

// label names what an actor does.
func (g growth) label(s model.State, t model.Transition) string {
	st, name := g.actors.StepOf(s, t), g.actors.PositionName(int(t.Slot)+1)
	switch {
	case st.Handler != 0:
		return name + " runs " + g.actors.HandlerLabel(int(st.Handler))
	case st.Fault != 0:
		return g.actors.Program().FaultName(int(st.Fault) - 1)
	}
	return st.Kind.String() + " at " + name
}

// repeated writes what comes several times one after the other once, with how often.
func repeated(labels []string) []string {
	var out []string
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
		out, i = append(out, block), i+length*times
	}
	return out
}
