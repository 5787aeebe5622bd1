package dir

import (
	"fmt"

	"harrier/model"
)

// Open gives a path of macro steps as one of single steps of the actors. It goes on by internal steps to a state of the actors
// that the last macro state stands for, if one is given. The last macro step may fail.
func (d *System) Open(path []model.Transition, to model.State) ([]model.Transition, error) {
	s := d.Initial()
	var opened []model.Transition
	for i, t := range path {
		in := d.known(s[t.Slot+1])
		m := in.steps[t.Step]
		opened = append(append(opened, in.path(m.from)...), m.by)
		var err error
		if s, _, err = d.Apply(s, t, nil); err != nil && i < len(path)-1 {
			return nil, fmt.Errorf("following the path to its macro step %d: %w", i+1, err)
		}
	}
	if to == nil {
		return opened, nil
	}
	for component, state := range d.foldAll(to)[1:] {
		if component+1 >= len(s) || s[component+1] == state {
			continue
		}
		in := d.known(s[component+1])
		k, ok := in.find(state)
		if !ok {
			return nil, fmt.Errorf("a combination has a state of component %d that is none of its macro state's", component)
		}
		opened = append(opened, in.path(k)...)
	}
	return opened, nil
}
