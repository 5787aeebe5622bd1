package model

import "fmt"

// What lasts names a fault by what it is, not by its place among the scenario's declarations: a later version of the
// program may declare more.

// FaultName is the label of a fault, with a number if there are several with that label.
func (p *Program) FaultName(fault int) string {
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

// FindFault is the index of the fault with a name, -1 if there is none.
func (p *Program) FindFault(name string) int {
	for i := range p.Faults {
		if p.FaultName(i) == name {
			return i
		}
	}
	return -1
}
