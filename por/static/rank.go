package static

import (
	"hash/fnv"

	"harrier/model"
	"harrier/serializer"
)

// States have a rank, and a transition that raises it is on no cycle of such. Any function of the state would do for that; this one
// is likely to be raised by protocols: they count, collect and find out. What it looks at does not depend on the names of actors, so
// states that an exchange of actors maps to each other have the same rank. Ranks are compared measure by measure; the first
// that differs decides. The measures of a state are the sums of those of its actors, so a transition, which changes one of them, raises
// the former if it raises the latter. Of a local state that has no structure all measures are 0.

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
	v.Each(k.add)
}

// rises says whether a transition raises the rank of the state. What is in flight counts last, and less is more. What is in sets does not
// count; whether less is left of it cannot be told by what is taken and sent, so nothing rests on it.
func (r *reader) rises(before model.LocalID, p model.NodeStep) (bool, error) {
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

// lightens says whether a transition leaves less in flight than there was. Each message weighs twice what those of its kind do, and one more
// while it waits to be delivered, or to be received where nothing is delivered.
func (r *reader) lightens(p model.NodeStep) (bool, error) {
	left, isKnown := int64(0), true
	weigh := func(m model.MessageID, times, waits int64) error {
		k, err := r.key(m)
		if err != nil {
			return err
		}
		if k == noKey || r.repeats(r.keys[k].receiver) {
			isKnown = false
			return nil
		}
		left += times * (2*r.weights[k] + waits)
		return nil
	}
	taken := int64(1)
	if r.wiring.program.Passing != model.M {
		taken = 0
	}
	for _, m := range p.Messages {
		var err error
		if p.Kind == model.Deliver {
			err = weigh(m, 0, 0)
			left--
		} else {
			err = weigh(m, -1, taken)
		}
		if err != nil {
			return false, err
		}
	}
	for _, e := range p.Effects {
		if err := weigh(e.Message, +1, 1); err != nil {
			return false, err
		}
	}
	return isKnown && left < 0, nil
}

// A kind is messages of a type to actors of a class. So an exchange of actors leaves each message its kind.
type kind struct{ class, of string }

// weigh gives kinds of messages weights: more than two of those that are sent in answer, but what goes round weighs the same wherever it is.
func (s *Static) weigh() {
	numbers, ofKey := map[kind]int{}, make([]int, len(s.keys))
	for k, of := range s.keys {
		id := kind{s.wiring.class[of.receiver], of.of}
		n, ok := numbers[id]
		if !ok {
			n = len(numbers)
			numbers[id] = n
		}
		ofKey[k] = n
	}
	leads := make([]set, len(numbers)) // to what is sent when it is received, or when that is
	for i := range s.classes {
		c := &s.classes[i]
		for _, k := range c.keys {
			for sent := range c.sends.all() {
				leads[ofKey[k]].put(ofKey[sent])
			}
		}
	}
	for via := range leads {
		for from := range leads {
			if leads[from].has(via) {
				for to := range leads[via].all() {
					leads[from].put(to)
				}
			}
		}
	}
	weights := make([]int64, len(numbers))
	s.weights = make([]int64, len(s.keys))
	for k := range s.keys {
		s.weights[k] = weightOf(ofKey[k], leads, weights)
	}
}

// weightOf is the weight of a kind, which is 0 as long as it is not known.
func weightOf(k int, leads []set, weights []int64) int64 {
	const most = 1 << 30 // so that sums do not overflow
	if weights[k] == 0 {
		heaviest := int64(0)
		for to := range leads[k].all() {
			if !leads[to].has(k) {
				heaviest = max(heaviest, weightOf(to, leads, weights))
			}
		}
		weights[k] = min(1+2*heaviest, most)
	}
	return weights[k]
}
