package picture

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"

	"harrier/internal/model"
	"harrier/internal/report"
)

//go:embed page.html
var pageSource string

// Style is that of pages that show runs.
//
//go:embed page.css
var Style string

// Panel has the functions by which the scripts of such pages show a Detail and local states.
//
//go:embed panel.js
var Panel string

//go:embed page.js
var script string

var pageTemplate = template.Must(template.New("page").Parse(pageSource))

// Sizes of the diagram, in pixels.
const (
	gutter     = 52  // left of the first lifeline, for numbers
	bracket    = 46  // where the line beside the loop is, between both
	lineHeight = 17  // of a line of text
	padding    = 16  // of a step
	character  = 7.2 // how wide it is
	narrowest  = 130 // a column
	widest     = 220
	most       = 48 // characters of a text: it may reach over the next columns, where nothing else stands at its height
	mostNotes  = 6  // lines of a step; the panel has all
	// blockSteps are drawn as one image: the browser lays out those that are seen.
	blockSteps = 50
	// farthest is how many steps an arrow may span to be drawn in one piece.
	farthest = 200
)

// page is what the template shows.
type page struct {
	Style         template.CSS
	Script        template.JS
	Policy        string
	Trace         *report.Trace
	Names         []line
	Width, Height float64 // of the names
	Blocks        []block
	Stack         []string
	IsViolation   bool // in which the trace ends
	Data          data
}

// data is what the script shows of steps on demand.
type data struct {
	States []report.State `json:"states"`
	Steps  []Detail       `json:"steps"`
}

// Detail is what a page shows of a step beside its picture.
type Detail struct {
	Text    string         `json:"text"`
	Handler string         `json:"handler"`
	Changes [][3]string    `json:"changes"`          // path, before, after
	More    []string       `json:"more"`             // other effects
	States  []report.State `json:"states,omitempty"` // of actors that it changed or created
	Stopped string         `json:"stopped,omitempty"`
}

// block is some steps that stand one above the other.
type block struct {
	Width, Height float64
	Lifelines     []segment
	Operations    []segment
	Arrows        []segment
	Loop          []segment // the bracket around it, or the line after which nothing happens any more
	Rows          []row
}

type row struct {
	Number       int
	Y, Top       float64
	X, Height    float64
	Class, Title string
	Lines        []line
}

type line struct {
	X, Y  float64
	Text  string
	Class string
}

type segment struct {
	X1, Y1, X2, Y2 float64
	Class, Title   string
}

// HTML writes the picture of a trace as a page that needs nothing else, and runs no script but its own.
func HTML(w io.Writer, trace *report.Trace) error {
	d := draw(trace)
	p := newPage(d)
	p.Style, p.Script, p.Policy, p.Data = template.CSS(Style), template.JS(Panel+script), Policy(Panel+script), d.data()
	return pageTemplate.Execute(w, p)
}

// Diagram writes the picture of a trace as a part of a page that has Style.
func Diagram(w io.Writer, trace *report.Trace) error {
	return pageTemplate.ExecuteTemplate(w, "diagram", newPage(draw(trace)))
}

// Policy is a content security policy of a page that needs nothing else, and runs no script but this one.
func Policy(script string) string {
	hash := sha256.Sum256([]byte(script))
	return "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'"
}

func newPage(d *diagram) *page {
	l := newLayout(d)
	p := &page{Trace: d.trace, Width: l.width, Height: 2 * lineHeight, Blocks: l.blocks(), IsViolation: d.isViolation()}
	for i, name := range d.columns {
		p.Names = append(p.Names, line{X: l.x(i), Y: lineHeight, Text: cut(name, int(l.column/character)-1), Class: name})
	}
	if f := d.trace.Violation.Failure; f != nil {
		p.Stack = f.Lines()
	}
	return p
}

func (d *diagram) data() data {
	out := data{States: d.trace.Start.States, Steps: []Detail{}}
	for _, s := range d.trace.Steps {
		out.Steps = append(out.Steps, NewDetail(s))
	}
	return out
}

// NewDetail describes a step whose texts are all plain.
func NewDetail(s report.Step) Detail {
	d := Detail{Text: s.EventText(), Handler: s.HandlerText(), Changes: [][3]string{}, States: s.States}
	for _, c := range s.Changes {
		d.Changes = append(d.Changes, [3]string{c.Path, c.Old, c.New})
	}
	d.More = notes(s)[len(s.Changes):]
	for _, m := range s.Sends {
		d.More = append(d.More, "sends "+m.Text+" to "+m.Receiver)
	}
	if len(s.Choices) > 0 {
		d.More = append(d.More, "chooses "+strings.Trim(fmt.Sprint(s.Choices), "[]"))
	}
	if s.Stopped {
		d.Stopped = s.Actor
	}
	return d
}

// layout is where everything stands.
type layout struct {
	*diagram
	column, width float64   // of a column, of all with the texts of the last
	tops          []float64 // of steps, the start first; then the end of the last
}

func newLayout(d *diagram) *layout {
	l := &layout{diagram: d, column: narrowest, tops: make([]float64, 0, len(d.trace.Steps)+2)}
	for _, name := range d.columns {
		l.column = min(widest, max(l.column, float64(len([]rune(name))+2)*character))
	}
	y := 0.0
	for i := 0; i <= len(d.trace.Steps); i++ {
		l.tops = append(l.tops, y)
		lines := 1
		if i > 0 {
			lines += len(l.shown(i))
		}
		y += l.above(i) + float64(lines)*lineHeight + padding
	}
	if d.isStanding() {
		y += lineHeight + padding
	}
	l.tops = append(l.tops, y)
	l.width = l.x(max(1, len(d.columns))-1) + (most+2)*character
	return l
}

func (l *layout) x(column int) float64 { return gutter + l.column*float64(column) + 12 }

// y is the height of a step's mark. An arrow that is pending ends below all steps.
func (l *layout) y(step int) float64 {
	if step >= len(l.tops)-1 {
		return l.tops[len(l.tops)-1]
	}
	return l.tops[step] + l.above(step) + lineHeight
}

// above is how much room there is for a text above a step.
func (l *layout) above(step int) float64 {
	if l.isFirstRepeated(step) {
		return lineHeight
	}
	return 0
}

// blocks are all steps, so many at a time.
func (l *layout) blocks() []block {
	steps := len(l.trace.Steps) + 1
	out := make([]block, (steps+blockSteps-1)/blockSteps)
	for i := range out {
		out[i].Width, out[i].Height = l.width, l.tops[min((i+1)*blockSteps, steps)]-l.tops[i*blockSteps]
		for step := i * blockSteps; step < min((i+1)*blockSteps, steps); step++ {
			r := l.row(step, l.tops[i*blockSteps])
			r.Lines = append(r.Lines, l.forEver(step, l.tops[i*blockSteps])...)
			out[i].Rows = append(out[i].Rows, r)
		}
	}
	for _, a := range l.arrows {
		l.addArrow(out, a)
	}
	l.lifelines(out)
	l.bars(out)
	l.loop(out)
	return out
}

// forEver is the text above the first step of the loop, or below the last step if nothing happens any more.
func (l *layout) forEver(step int, from float64) []line {
	switch {
	case l.isFirstRepeated(step):
		return []line{{X: bracket + 12, Y: l.tops[step] - from + lineHeight, Text: repeated, Class: "forever"}}
	case l.isStanding() && step == len(l.trace.Steps):
		return []line{{X: l.x(0) + 10, Y: l.tops[step+1] - from - padding/2, Text: stands, Class: "forever"}}
	}
	return nil
}

// loop draws a bracket around the loop, with an arrow to its first step, or a line across the actors' after which nothing happens
// any more.
func (l *layout) loop(blocks []block) {
	end := l.tops[len(l.tops)-1]
	if l.isStanding() {
		last := &blocks[len(blocks)-1]
		y := last.Height - padding/2 - lineHeight
		last.Loop = []segment{{l.x(0) - 12, y, l.x(max(1, len(l.columns))-1) + 12, y, "stands", stands}}
	}
	if l.trace.Loop == 0 {
		return
	}
	first := len(l.trace.Steps) - l.trace.Loop + 1
	for i := first / blockSteps; i < len(blocks); i++ {
		from := l.tops[i*blockSteps] // lines outside of a block are not seen
		top, bottom := l.y(first)-4-from, end-4-from
		blocks[i].Loop = []segment{
			{bracket, bottom, bracket, top, "bracket", repeated},
			{bracket, bottom, bracket + 10, bottom, "bracket", repeated},
			{bracket, top, bracket + 12, top, "bracket again", repeated},
		}
	}
}

// row is a step in a block that begins at a height.
func (l *layout) row(step int, from float64) row {
	r := row{Number: step, Top: l.tops[step] - from, Y: l.y(step) - from, Height: l.tops[step+1] - l.tops[step], X: l.x(0),
		Class: "start", Title: "start"}
	if step == 0 {
		r.Lines = []line{{X: r.X + 10, Y: r.Y + 4, Text: "start", Class: "label"}}
		return r
	}
	s := l.trace.Steps[step-1]
	r.Title, r.Class, r.X = s.EventText(), s.Event, l.x(l.of(s))
	if isFault(s) {
		r.Class += " fault"
	}
	switch {
	case l.isRepeated(step):
		r.Class += " loop"
	case step == len(l.trace.Steps) && l.isViolation():
		r.Class += " last"
	}
	if s.Event == model.Split.String() || s.Event == model.Heal.String() || s.Event == model.Tick.String() {
		r.X = l.x(0)
	}
	r.Lines = []line{{X: r.X + 10, Y: r.Y + 4, Text: cut(label(s), most), Class: "label"}}
	for i, shown := range l.shown(step) {
		r.Lines = append(r.Lines, line{X: r.X + 10, Y: r.Y + 4 + lineHeight*float64(i+1), Text: cut(shown.Text, most), Class: shown.Class})
	}
	return r
}

// shown are the lines below the label of a step: the first ones of its notes, and what a specification gives in place of a result.
func (l *layout) shown(step int) []line {
	list := notes(l.trace.Steps[step-1])
	if more := len(list) - mostNotes; more > 0 {
		list = append(list[:mostNotes-1:mostNotes-1], fmt.Sprintf("and %d more", more+1))
	}
	var lines []line
	for _, text := range list {
		lines = append(lines, line{Text: text, Class: "note"})
	}
	for _, o := range l.operations {
		if o.wrong != "" && o.to == step {
			lines = append(lines, line{Text: o.end + ", where " + o.wrong, Class: "note given"})
		}
	}
	return lines
}

// addArrow puts an arrow into each block that it crosses. Of one that goes far only the ends are drawn.
func (l *layout) addArrow(blocks []block, a arrow) {
	title := fmt.Sprintf("%s from %s to %s, sent at step %d, ", a.text, l.columns[a.from.column], l.columns[a.to.column], a.from.step)
	class := "arrow"
	whole := segment{X1: l.x(a.from.column), Y1: l.y(a.from.step), X2: l.x(a.to.column), Y2: l.y(a.to.step)}
	last := a.to.step
	switch {
	case a.pending:
		// A stub leaves the sender in the receiver's direction.
		title, class, last = title+"in flight at the end", "arrow pending", a.from.step
		whole.X2, whole.Y2 = whole.X1+max(-40, min(40, whole.X2-whole.X1)), whole.Y1+14
	case a.lost:
		title, class = title+fmt.Sprintf("lost at step %d", a.to.step), "arrow lost"
	default:
		title += fmt.Sprintf("arrives at step %d", a.to.step)
	}
	if whole.X1 == whole.X2 && whole.Y1 == whole.Y2 {
		return
	}
	for i := a.from.step / blockSteps; i <= min(last/blockSteps, len(blocks)-1); i++ {
		if last-a.from.step > farthest && i > a.from.step/blockSteps && i < last/blockSteps {
			continue
		}
		from := l.tops[i*blockSteps]
		blocks[i].Arrows = append(blocks[i].Arrows, segment{whole.X1, whole.Y1 - from, whole.X2, whole.Y2 - from, class, title})
	}
}

// lifelines draws each actor's line from where it is created to where it stops.
func (l *layout) lifelines(blocks []block) {
	born, dead := make([]int, len(l.columns)), make([]int, len(l.columns))
	for i := range dead {
		dead[i] = len(l.tops) - 1
	}
	for i, s := range l.trace.Steps {
		for _, name := range s.Creates {
			born[l.diagram.column[name]] = i + 1
		}
		if c := l.of(s); s.Thread != "" && born[c] == 0 {
			born[c] = i + 1
		}
		if s.Stopped {
			for c := range len(l.threads[s.Actor]) + 1 {
				dead[l.diagram.column[s.Actor]+c] = i + 1
			}
		}
	}
	for i := range blocks {
		from := l.tops[i*blockSteps]
		for c := range l.columns {
			y1, y2 := max(0, l.y(born[c])-from), min(blocks[i].Height, l.y(dead[c])-from)
			if born[c] == 0 {
				y1 = 0
			}
			if y1 < y2 {
				blocks[i].Lifelines = append(blocks[i].Lifelines, segment{l.x(c), y1, l.x(c), y2, "life", l.columns[c]})
			}
		}
	}
}
