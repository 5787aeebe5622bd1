package bridge

import "context"

// Coverage says which code of the program's own the steps of actors executed so far, by all workers. Steps whose answers an earlier
// check kept executed nothing.
type Coverage struct {
	Methods []CoveredMethod // handlers, and other methods of which something was executed
	Kinds   []MessageKind   // of the messages that actors take, as far as the classes say
}

// A CoveredMethod is a method with its lines, ascending, and the ways that its jumps and switches may go.
type CoveredMethod struct {
	Label    string
	File     string
	Actors   []string // classes of the actors of which it is a handler; none if it is no handler
	Lines    []CoveredLine
	Branches []CoveredLine
}

// A CoveredLine is a line, or a branch at a line.
type CoveredLine struct {
	Line     int
	Executed bool
}

// A MessageKind is a class of messages that a class of actors takes.
type MessageKind struct {
	Actor string
	Class string // as ClassOf gives it
	Label string
}

// Coverage returns the code executed so far.
func (p *Program) Coverage(ctx context.Context) (Coverage, error) {
	r, err := p.loader.ask(ctx, opCoverage, nil)
	if err != nil {
		return Coverage{}, err
	}
	return r.coverage(), r.done()
}

func (r *reader) coverage() (c Coverage) {
	line := func() CoveredLine { return CoveredLine{r.number(), r.bool()} }
	for r.bool() {
		c.Methods = append(c.Methods, CoveredMethod{r.string(), r.string(), list(r, r.string), list(r, line), list(r, line)})
	}
	for r.bool() {
		c.Kinds = append(c.Kinds, MessageKind{r.string(), r.string(), r.string()})
	}
	return c
}
