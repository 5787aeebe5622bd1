package dir

import (
	"fmt"

	"harrier/model"
)

// Open gives a path of macro steps as one of single steps of the actors. It goes on by internal steps to a state that the
// last macro state stands for, if one is given. The last macro step may fail.
func (d *System) Open(path []model.Transition, to model.State) ([]model.Transition, error) {
	s := d.Initial()
	var opened []model.Transition
	for i, t := range path {
		in := d.known(s[t.Slot+1])
		m := in.steps[t.Step]
		opened = append(in.open(opened, m.from), model.Transition{Slot: t.Slot, Step: m.step})
		var err error
		if s, _, err = d.Apply(s, t, nil); err != nil && i < len(path)-1 {
			return nil, fmt.Errorf("following the path to its macro step %d: %w", i+1, err)
		}
	}
	for position := 1; position < len(to); position++ {
		if position >= len(s) || to[position] == s[position] {
			continue
		}
		in := d.known(s[position])
		k, ok := in.find(to[position])
		if !ok {
			return nil, fmt.Errorf("a combination has a node at position %d that is none of its macro state's", position)
		}
		opened = in.open(opened, k)
	}
	return opened, nil
}

// open appends the internal steps to a member.
func (in *inside) open(into []model.Transition, to uint32) []model.Transition {
	for _, step := range in.path(to) {
		into = append(into, model.Transition{Slot: in.position - 1, Step: step})
	}
	return into
}
