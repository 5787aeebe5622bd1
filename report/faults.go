package report

import (
	"fmt"

	"harrier/model"
)

// A trace names faults by what they are, not by their place among the scenario's declarations: a later version of the
// program may declare more.

// faultName is the label of a fault, with a number if there are several with that label.
func faultName(p *model.Program, fault int) string {
	label, number := p.Faults[fault].Label, 1
	for _, f := range p.Faults[:fault] {
		if f.Label == label {
			number++
		}
	}
	if number > 1 {
		return fmt.Sprintf("%s (%d)", label, number)
	}
	return label
}

// findFault is the index of the fault with a name, -1 if there is none.
func findFault(p *model.Program, name string) int {
	for i := range p.Faults {
		if faultName(p, i) == name {
			return i
		}
	}
	return -1
}
