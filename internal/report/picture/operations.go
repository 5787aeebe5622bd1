package picture

import (
	"fmt"
	"strings"

	"harrier/internal/model"
)

// operation is one that an actor invoked, from there to its return, the crash of the actor, or the end of the trace.
type operation struct {
	column   int
	from, to int // steps
	text     string
	end      string // what became of it
	// wrong is the specification's result in place of the operation's, if no order of the operations explains this return.
	wrong string
}

// follow gives the operations of a trace, in the order in which they were invoked.
func (d *diagram) follow() []operation {
	var all []operation
	open := map[string]int{}
	for i, s := range d.trace.Steps {
		for _, r := range s.Records {
			at, begun := open[r.Actor]
			switch {
			case r.Kind == model.Invoked.String():
				open[r.Actor] = len(all)
				all = append(all, operation{d.at(r.Actor), i + 1, len(d.trace.Steps) + 1, r.Text, "pending at the end", ""})
				continue
			case !begun:
				continue
			case r.Kind == model.Returned.String():
				all[at].end = "returns " + r.Text
				if i+1 == len(d.trace.Steps) {
					all[at].wrong = d.allowed(r.Actor)
				}
			default:
				all[at].end = "abandoned by a crash"
			}
			all[at].to = i + 1
			delete(open, r.Actor)
		}
	}
	return all
}

// allowed is what a specification gives in place of what an actor returned, as the violation says; "" if that is about something else.
func (d *diagram) allowed(actor string) string {
	f := d.trace.Violation.Failure
	if f == nil || f.Kind != model.Explanation || !strings.HasPrefix(f.Text, actor+" returns ") {
		return ""
	}
	_, text, _ := strings.Cut(f.Text, ", where ")
	return text
}

// bars draws each operation beside the lifeline of its actor. Its ends are beside the notes of the invocation and the return.
func (l *layout) bars(blocks []block) {
	for _, o := range l.operations {
		class, title := "operation", fmt.Sprintf("%s, invoked at step %d, %s", o.text, o.from, o.end)
		if o.to <= len(l.trace.Steps) {
			title += fmt.Sprintf(" at step %d", o.to)
		}
		if o.wrong != "" {
			class, title = "operation wrong", title+", where "+o.wrong
		}
		top, bottom := l.y(o.from)+2, max(l.y(o.to)-2, l.y(o.from)+6)
		for i := o.from / blockSteps; i <= min(o.to/blockSteps, len(blocks)-1); i++ {
			from := l.tops[i*blockSteps]
			blocks[i].Operations = append(blocks[i].Operations, segment{l.x(o.column) - 9, max(0, top-from), l.x(o.column) - 9,
				min(blocks[i].Height, bottom-from), class, title})
		}
	}
}
