package explain

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/report"
	"harrier/internal/section"
	"harrier/por/macro"
	"harrier/serializer"
)

// Components says what the components of a program show outside, with figures of a run. It is the JSON document too.
type Components struct {
	Heading
	States     uint64      `json:"states"` // macro states that were explored
	Complete   bool        `json:"complete"`
	Reason     string      `json:"reason"` // why the run is not complete
	Components []Component `json:"components"`
}

// Component is what one shows and keeps inside.
type Component struct {
	Actors []string `json:"actors"`
	States int      `json:"states"`
	// Of what it can become by internal steps from one of these states:
	MeanInside    float64         `json:"meanInside"`
	LargestInside int             `json:"largestInside"`
	Shows         []Shown         `json:"shows"`
	Inside        []InternalEvent `json:"inside"`
}

// Shown is something that ends macro steps, with the handlers and faults that do it.
type Shown struct {
	What string   `json:"what"`
	By   []string `json:"by"`
}

// InternalEvent is a handler or fault with how many different steps of it are internal.
type InternalEvent struct {
	Event string `json:"event"`
	Steps uint64 `json:"steps"`
}

// OfComponents describes the components of the program at a path after a search of macro steps.
func OfComponents(path string, actors *space.Actors, system *macro.System, result *dbss.Result) Components {
	d := Components{
		Heading: newHeading(path, actors.Program()), States: result.States, Complete: result.Complete,
		Reason: result.Reason, Components: []Component{},
	}
	for _, i := range system.Interfaces() {
		d.Components = append(d.Components, component(actors, i))
	}
	return d
}

// Text writes it for people.
func (d Components) Text(w io.Writer, p report.Painter) {
	d = report.Escaped(d)
	fmt.Fprintf(w, "%s macro states of %s", section.Count(d.States), d.Scenario)
	if !d.Complete {
		fmt.Fprintf(w, ", not all: %s", d.Reason)
	}
	fmt.Fprintln(w)
	for _, c := range d.Components {
		c.text(w, p)
	}
}

func (c Component) text(w io.Writer, p report.Painter) {
	fmt.Fprintf(w, "\n%s\n", p.Strong.Sprint(strings.Join(c.Actors, ", ")))
	fmt.Fprintf(w, "  states        %s, each with what it becomes by itself %.1f on average, %s at most\n",
		section.Count(uint64(c.States)), c.MeanInside, section.Count(uint64(c.LargestInside)))
	for _, s := range c.Shows {
		fmt.Fprintf(w, "  shows         %s %s\n", s.What, p.Faint.Sprint("("+strings.Join(s.By, ", ")+")"))
	}
	for _, e := range c.Inside {
		fmt.Fprintf(w, "  inside        %s: %s\n", e.Event, section.Plural(e.Steps, "step"))
	}
	if len(c.Shows)+len(c.Inside) == 0 {
		fmt.Fprintln(w, "  inside        nothing happens")
	}
}

// component describes an interface.
func component(actors *space.Actors, i macro.Interface) Component {
	d := Component{States: i.States, LargestInside: i.Largest, Shows: []Shown{}, Inside: []InternalEvent{}}
	for _, position := range i.Positions {
		d.Actors = append(d.Actors, actors.Values.PositionName(int(position)))
	}
	if i.States > 0 {
		d.MeanInside = float64(i.Members) / float64(i.States)
	}
	shown := map[string][]string{}
	for _, x := range i.Exits {
		for _, what := range shows(actors, x) {
			if by := eventName(actors, x.Event); !slices.Contains(shown[what], by) {
				shown[what] = append(shown[what], by)
			}
		}
	}
	for _, what := range slices.Sorted(maps.Keys(shown)) {
		d.Shows = append(d.Shows, Shown{What: what, By: slices.Sorted(slices.Values(shown[what]))})
	}
	for event, steps := range i.Internal {
		d.Inside = append(d.Inside, InternalEvent{Event: eventName(actors, event), Steps: steps})
	}
	slices.SortFunc(d.Inside, func(x, y InternalEvent) int { return cmp.Compare(x.Event, y.Event) })
	return d
}

// shows lists what an exit shows.
func shows(actors *space.Actors, x macro.Exit) []string {
	var all []string
	for _, e := range x.Outside {
		if e.Message != 0 {
			all = append(all, messageName(actors, actors.Values.Message(e.Message)))
		} else {
			all = append(all, "creates an actor")
		}
	}
	records, refusable, _ := actors.Globals.UpdateParts(x.Update)
	for _, also := range []struct {
		does bool
		what string
	}{
		{x.Failure != 0, "fails"}, {records, "a record of the history"},
		{refusable && x.Fault != 0, "the budget of a fault"}, {refusable && x.Fault == 0, "a partition has a say"},
	} {
		if also.does {
			all = append(all, also.what)
		}
	}
	return all
}

// messageName says what is sent to whom. Actors of one role are not told apart.
func messageName(actors *space.Actors, m model.Message) string {
	to := m.Receiver
	for _, r := range actors.Program().Roles {
		if slices.Contains(r.Actors, to) && len(r.Actors) > 1 {
			to = r.Name + "*"
		}
	}
	what := "a message"
	if v, err := serializer.Decode(m.Payload); err == nil {
		what = serializer.Labels(actors.Program().Labels).Of(v.ClassName)
	}
	return fmt.Sprintf("%s to %s", what, to)
}

// eventName is the handler or fault of an event.
func eventName(actors *space.Actors, e macro.Event) string {
	switch {
	case e.Fault != 0:
		return actors.Program().FaultName(int(e.Fault) - 1)
	case e.Handler != 0:
		return actors.Values.HandlerLabel(int(e.Handler))
	}
	return "delivery"
}
