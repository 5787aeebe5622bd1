package report

import (
	"fmt"
	"io"
	"strings"

	"harrier/internal/model"
	"harrier/internal/section"
)

// Heading begins the JSON document of a 'harrier explain' command.
type Heading struct {
	Version  int    `json:"version"` // of the document's form
	Program  string `json:"program"`
	Scenario string `json:"scenario"`
}

// NewHeading begins a document on the program at a path.
func NewHeading(path string, p *model.Program) Heading { return Heading{1, path, p.Scenario} }

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

// Text writes it for people.
func (d Components) Text(w io.Writer, p Painter) {
	d = Escaped(d)
	fmt.Fprintf(w, "%s macro states of %s", section.Count(d.States), d.Scenario)
	if !d.Complete {
		fmt.Fprintf(w, ", not all: %s", d.Reason)
	}
	fmt.Fprintln(w)
	for _, c := range d.Components {
		c.text(w, p)
	}
}

func (c Component) text(w io.Writer, p Painter) {
	fmt.Fprintf(w, "\n%s\n", p.strong.Sprint(strings.Join(c.Actors, ", ")))
	fmt.Fprintf(w, "  states        %s, each with what it becomes by itself %.1f on average, %s at most\n",
		section.Count(uint64(c.States)), c.MeanInside, section.Count(uint64(c.LargestInside)))
	for _, s := range c.Shows {
		fmt.Fprintf(w, "  shows         %s %s\n", s.What, p.faint.Sprint("("+strings.Join(s.By, ", ")+")"))
	}
	for _, e := range c.Inside {
		fmt.Fprintf(w, "  inside        %s: %s\n", e.Event, section.Plural(e.Steps, "step"))
	}
	if len(c.Shows)+len(c.Inside) == 0 {
		fmt.Fprintln(w, "  inside        nothing happens")
	}
}
