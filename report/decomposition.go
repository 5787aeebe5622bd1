package report

import (
	"fmt"
	"io"

	"harrier/model"
)

// DecompositionVersion is the version of the JSON document of 'harrier explain decomposition'.
const DecompositionVersion = 1

// Decomposition says which fields of a program are relevant, and why. It is the JSON document too.
type Decomposition struct {
	Version  int                  `json:"version"`
	Program  string               `json:"program"`
	Scenario string               `json:"scenario"`
	Fields   []DecompositionField `json:"fields"` // class by class
}

// DecompositionField is a field of an actor or of a message.
type DecompositionField struct {
	Class     string   `json:"class"`
	Field     string   `json:"field"`
	Auxiliary bool     `json:"auxiliary"`
	Verdict   string   `json:"verdict"`
	Reason    []string `json:"reason"`
}

// NewDecomposition describes a program's fields.
func NewDecomposition(path string, program *model.Program) Decomposition {
	d := Decomposition{Version: DecompositionVersion, Program: path, Scenario: program.Scenario, Fields: []DecompositionField{}}
	for _, f := range program.Fields {
		d.Fields = append(d.Fields, DecompositionField{
			Class: f.Class, Field: f.Name, Auxiliary: f.Verdict.Auxiliary(), Verdict: f.Verdict.String(),
			Reason: append([]string{}, f.Reason...),
		})
	}
	return d
}

// JSON writes the fields as one document.
func (d Decomposition) JSON(w io.Writer) error { return WriteJSON(w, d) }

// Text writes the fields for people, class by class.
func (d Decomposition) Text(w io.Writer, p Painter) {
	auxiliary, class := 0, ""
	for _, f := range d.Fields {
		if f.Class != class {
			if class != "" {
				fmt.Fprintln(w)
			}
			class = f.Class
			fmt.Fprintln(w, p.strong.Sprint(class))
		}
		verdict := f.Verdict
		if f.Auxiliary {
			auxiliary++
			verdict = p.good.Sprint(verdict)
		}
		fmt.Fprintf(w, "  %-16s %s\n", f.Field, verdict)
		for _, r := range f.Reason {
			fmt.Fprintf(w, "  %-16s   %s\n", "", r)
		}
	}
	fmt.Fprintf(w, "\nauxiliary: %d of the %s of %s\n", auxiliary, plural(uint64(len(d.Fields)), "field"), d.Scenario)
}
