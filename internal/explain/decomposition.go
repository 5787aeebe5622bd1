package explain

import (
	"fmt"
	"io"
	"strings"

	"harrier/internal/model"
	"harrier/internal/report"
	"harrier/internal/section"
	"harrier/serializer"
)

// Decomposition says which fields of a program are relevant, and why. It is the JSON document too.
type Decomposition struct {
	Heading
	Fields  []DecompositionField  `json:"fields"`  // class by class
	Senders []DecompositionSender `json:"senders"` // of messages, receiver by receiver
}

// DecompositionSender is the sender of the messages of a class, where actors of a class take them.
type DecompositionSender struct {
	Message   string   `json:"message"`
	Actor     string   `json:"actor"`
	Auxiliary bool     `json:"auxiliary"` // for some of the actors
	Verdict   string   `json:"verdict"`
	Reason    []string `json:"reason"`
}

// DecompositionField is a field of an actor or of a message.
type DecompositionField struct {
	Class     string   `json:"class"`
	Field     string   `json:"field"`    // as structured bytes have it
	Declares  string   `json:"declares"` // the class that declares it
	Auxiliary bool     `json:"auxiliary"`
	Verdict   string   `json:"verdict"`
	Reason    []string `json:"reason"`
	label     string
}

// OfDecomposition describes the fields of the program at a path, and the senders of its messages.
func OfDecomposition(path string, program *model.Program) Decomposition {
	d := Decomposition{Heading: newHeading(path, program), Fields: []DecompositionField{}, Senders: []DecompositionSender{}}
	labels := serializer.Labels(program.Labels)
	for _, f := range program.Fields {
		d.Fields = append(d.Fields, DecompositionField{
			Class: f.Class, Field: f.Name, Declares: f.Owner, Auxiliary: f.Verdict.Auxiliary(), Verdict: f.Verdict.String(),
			Reason: append([]string{}, f.Reason...), label: f.String(),
		})
	}
	for _, s := range program.Senders {
		part, reason := program.SenderPart(s)
		d.Senders = append(d.Senders, DecompositionSender{
			Message: labels.Of(s.Message), Actor: labels.Of(s.Actor), Auxiliary: part.Auxiliary(), Verdict: part.String(),
			Reason: append([]string{}, reason...),
		})
	}
	return d
}

// Text writes the fields for people, class by class.
func (d Decomposition) Text(w io.Writer, p report.Painter) {
	d = report.Escaped(d)
	fields, auxiliary, class := map[string]bool{}, map[string]bool{}, ""
	for _, f := range d.Fields {
		if f.Class != class {
			if class != "" {
				fmt.Fprintln(w)
			}
			class = f.Class
			fmt.Fprintln(w, p.Strong.Sprint(class))
		}
		verdict := f.Verdict
		fields[f.label] = true
		if f.Auxiliary {
			auxiliary[f.label] = true
			verdict = p.Good.Sprint(verdict)
		}
		name := f.Field
		if f.Declares != f.Class || strings.Contains(name, ".") {
			name = f.label
		}
		fmt.Fprintf(w, "  %-16s %s\n", name, verdict)
		for _, r := range f.Reason {
			fmt.Fprintf(w, "  %-16s   %s\n", "", r)
		}
	}
	anonymous := d.writeSenders(w, p)
	fmt.Fprintf(w, "\nauxiliary: %d of the %s of %s", len(auxiliary), section.Plural(uint64(len(fields)), "field"), d.Scenario)
	if len(d.Senders) > 0 {
		fmt.Fprintf(w, ", and %d of the %s of messages", anonymous, section.Plural(uint64(len(d.Senders)), "sender"))
	}
	fmt.Fprintln(w)
}

// writeSenders writes the senders, and returns how many are auxiliary.
func (d Decomposition) writeSenders(w io.Writer, p report.Painter) (auxiliary int) {
	actor := ""
	for _, s := range d.Senders {
		if s.Actor != actor {
			actor = s.Actor
			fmt.Fprintf(w, "\n%s\n", p.Strong.Sprint("senders of what "+actor+" takes"))
		}
		verdict := s.Verdict
		if s.Auxiliary {
			auxiliary++
			verdict = p.Good.Sprint(verdict)
		}
		fmt.Fprintf(w, "  %-16s %s\n", s.Message, verdict)
		for _, r := range s.Reason {
			fmt.Fprintf(w, "  %-16s   %s\n", "", r)
		}
	}
	return auxiliary
}
