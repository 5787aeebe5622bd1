package space

// A Numbering is what a system numbers in the order in which it comes to be known, where the order of transitions or what is counted
// depends on it: the names of actors, and the labels of handlers, from 1. A search that goes on has to number them as before.
type Numbering struct {
	Positions, Handlers []string
}

// NumberingOf is the numbering so far.
func NumberingOf(v *Values) (n Numbering) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for position := range v.names.Len() {
		n.Positions = append(n.Positions, *v.names.At(uint32(position) + 1))
	}
	for number := range v.handlers.Len() {
		n.Handlers = append(n.Handlers, *v.handlers.At(uint32(number) + 1))
	}
	return n
}

// Restore numbers names and labels that are not known yet, and reports whether all have the numbers that they had.
func (n Numbering) Restore(v *Values) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	same := true
	for i, name := range n.Positions {
		same = same && v.position(name) == uint32(i)+1
	}
	for i, label := range n.Handlers {
		same = same && v.handler(label) == uint32(i)+1
	}
	return same
}
