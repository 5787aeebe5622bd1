package bridge

import "context"

// A Sample says how often threads of Java's side were seen to do something, when they were looked at a hundred times a second.
type Sample struct {
	Activity string // such as encoding
	Handler  string // or property, that ran; "" if none did
	Place    string // the file and the line of the program's code that ran, or its class; "" if other code did
	Count    int
}

// Profile returns what the threads of a program that was loaded with Source.Profile were seen to do so far.
func (p *Program) Profile(ctx context.Context) (all []Sample, err error) {
	r, err := p.loader.ask(ctx, opProfile, nil)
	if err != nil {
		return nil, err
	}
	for r.bool() {
		all = append(all, Sample{r.string(), r.string(), r.string(), r.number()})
	}
	return all, r.done()
}
