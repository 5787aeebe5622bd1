package report

import (
	"fmt"
	"io"
	"strings"

	"harrier/internal/model"
)

// Decomposition says which fields of a program are relevant, and why. It is the JSON document too.
type Decomposition struct {
	Heading
	Fields []DecompositionField `json:"fields"` // class by class
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

// NewDecomposition describes a program's fields.
func NewDecomposition(path string, program *model.Program) Decomposition {
	d := Decomposition{Heading: NewHeading(path, program), Fields: []DecompositionField{}}
	for _, f := range program.Fields {
		d.Fields = append(d.Fields, DecompositionField{
			Class: f.Class, Field: f.Name, Declares: f.Owner, Auxiliary: f.Verdict.Auxiliary(), Verdict: f.Verdict.String(),
			Reason: append([]string{}, f.Reason...), label: f.String(),
		})
	}
	return d
}

// Text writes the fields for people, class by class.
func (d Decomposition) Text(w io.Writer, p Painter) {
	d = Escaped(d)
	fields, auxiliary, class := map[string]bool{}, map[string]bool{}, ""
	for _, f := range d.Fields {
		if f.Class != class {
			if class != "" {
				fmt.Fprintln(w)
			}
			class = f.Class
			fmt.Fprintln(w, p.strong.Sprint(class))
		}
		verdict := f.Verdict
		fields[f.label] = true
		if f.Auxiliary {
			auxiliary[f.label] = true
			verdict = p.good.Sprint(verdict)
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
	fmt.Fprintf(w, "\nauxiliary: %d of the %s of %s\n", len(auxiliary), plural(uint64(len(fields)), "field"), d.Scenario)
}
