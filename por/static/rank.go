package static

import (
	"hash/fnv"

	"harrier/model"
	"harrier/serializer"
)

// States have a rank, and a transition that raises it is on no cycle of such. Any function of the state would do for that; this one
// is likely to be raised by protocols: they count, collect and find out. What it looks at does not depend on the names of actors, so
// states that an exchange of actors maps to each other have the same rank. Ranks are compared measure by measure; the first
// that differs decides. Of a local state that has no structure all measures are 0.

const (
	ofNumbers = iota // the sum of all numbers
	ofValues         // how many values there are
	ofTruths         // how many of them are true
	ofWords          // a sum over constants: so some steps from phase to phase raise it
	localMeasures
)

type rank [localMeasures]int64

// rankOf is the rank of an actor's part of a state: what tells it from others, so it is the same for all forms of it.
func (r *reader) rankOf(l model.LocalID) (rank, error) {
	if k, ok := r.ranks[l]; ok {
		return k, nil
	}
	b, err := r.actors.HashedLocal(l)
	if err != nil {
		return rank{}, err
	}
	var k rank
	if v, err := serializer.Decode(b); err == nil {
		k.add(&v)
	}
	r.ranks[l] = k
	return k, nil
}

func (k *rank) add(v *serializer.Value) {
	const most = 1 << 32 // so that sums do not overflow
	switch v.Kind {
	case serializer.Null, serializer.Ref:
		return
	case serializer.Byte, serializer.Short, serializer.Int, serializer.Long, serializer.Char:
		k[ofNumbers] += max(-most, min(most, v.Int))
	case serializer.True:
		k[ofTruths]++
	case serializer.Enum:
		h := fnv.New32()
		h.Write([]byte(v.ClassName + "." + v.Text))
		k[ofWords] += int64(h.Sum32())
	}
	k[ofValues]++
	inside(v, k.add)
}

// rises says whether a transition raises the rank of the state. What is in flight counts last, and less is more: of each message
// the weight. That of messages in sets cannot be told by what is taken and sent.
func (r *reader) rises(before model.LocalID, p model.TransitionParts) (bool, error) {
	if before == 0 || p.Local == 0 {
		return false, nil
	}
	one, err := r.rankOf(before)
	if err != nil {
		return false, err
	}
	other, err := r.rankOf(p.Local)
	if err != nil {
		return false, err
	}
	for i := range one {
		if one[i] != other[i] {
			return other[i] > one[i], nil
		}
	}
	return r.lightens(p)
}

// lightens says whether a transition leaves less in flight than there was.
func (r *reader) lightens(p model.TransitionParts) (bool, error) {
	left := int64(0)
	weigh := func(m model.MessageID, sign, waits int64) error {
		k, err := r.key(m)
		if err == nil && (k == noKey || r.repeats(r.keys[k].receiver)) {
			left += 1 << 40
		} else if err == nil {
			left += sign * (2*r.weights[k] + waits)
		}
		return err
	}
	taken := int64(1) // of what waits, 0 of what was delivered
	if r.wiring.program.Passing != model.M {
		taken = 0
	}
	if p.Kind == model.Deliver {
		m, err := r.key(p.Messages[0])
		return err == nil && m != noKey && !r.repeats(r.keys[m].receiver), err // what was delivered weighs less
	}
	for _, m := range p.Messages {
		if err := weigh(m, -1, taken); err != nil {
			return false, err
		}
	}
	for _, e := range p.Effects {
		if err := weigh(e.Message, +1, 1); err != nil {
			return false, err
		}
	}
	return left < 0, nil
}

// weigh gives messages weights, such that a request weighs more than its answer, if no type goes round.
func (s *Static) weigh() {
	s.weights = make([]int64, len(s.keys))
	open := make([]bool, len(s.keys))
	var weight func(k int) int64
	weight = func(k int) int64 {
		if open[k] || s.weights[k] > 0 {
			return s.weights[k]
		}
		open[k] = true
		heaviest := int64(0)
		for i := range s.classes {
			if c := &s.classes[i]; c.kind == model.Receive && contains(c.keys, k) {
				for sent := range c.sends.all() {
					heaviest = max(heaviest, weight(sent))
				}
			}
		}
		const most = 1 << 30
		s.weights[k] = min(1+2*heaviest, most)
		return s.weights[k]
	}
	for k := range s.keys {
		weight(k)
	}
}
