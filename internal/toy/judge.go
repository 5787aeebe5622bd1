package toy

import (
	"context"
	"slices"

	"harrier/model"
)

// A judge evaluates a property on what it sees of the actors.
type judge func(v *view) bool

// A view hands out local states and notes which were read, in the order of first reads.
type view struct {
	actors  []model.Actor
	records []byte // the history
	reads   []int
	failure *model.Failure
}

// Evaluate implements model.Oracle.
func (p *Protocol) Evaluate(ctx context.Context, evaluations []model.Evaluation) ([]model.Judgement, error) {
	var judgements []model.Judgement
	for _, e := range evaluations {
		v := view{actors: e.Actors, records: e.History}
		holds := p.properties[e.Property](&v) && v.failure == nil
		judgements = append(judgements, model.Judgement{Holds: holds, Failure: v.failure, Reads: v.reads})
	}
	return judgements, nil
}

func (v *view) read(i int) local {
	if !slices.Contains(v.reads, i) {
		v.reads = append(v.reads, i)
	}
	return decodeLocal(v.actors[i].Local)
}

// history returns the words recorded last, the latest at the end.
func (v *view) history() []byte {
	if !slices.Contains(v.reads, model.ReadHistory) {
		v.reads = append(v.reads, model.ReadHistory)
	}
	return v.records
}

// find returns the local state of the actor of that name, if it exists. Whether it does is no read.
func (v *view) find(name string) (local, bool) {
	i := slices.IndexFunc(v.actors, func(a model.Actor) bool { return a.Name == name })
	if i < 0 {
		return local{}, false
	}
	return v.read(i), true
}

// in says whether the actor exists and is in one of the control states of a set.
func (v *view) in(name string, controls uint) bool {
	l, ok := v.find(name)
	return ok && controls>>l.control&1 == 1
}

// some says whether an actor of a class is in one of the control states of a set. It reads actors
// until it finds one.
func (v *view) some(class string, controls uint) bool {
	for i, a := range v.actors {
		if a.Class == class && controls>>v.read(i).control&1 == 1 {
			return true
		}
	}
	return false
}

// Visible is what properties can read of a local state: not the fuel, nor how many children there are, nor the auxiliary part.
func (p *Protocol) Visible(_ int, b []byte) ([]byte, error) {
	l := decodeLocal(b)
	l.fuel, l.children, l.auxiliary = 0, 0, 0
	return l.encode(), nil
}
