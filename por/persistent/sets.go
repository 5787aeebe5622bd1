package persistent

import (
	"cmp"
	"slices"

	"harrier/internal/ds/pairs"
	"harrier/internal/ds/slab"
)

// A set has messages to components with how often each may be sent, sorted.
type set []counted

type counted struct {
	component, message uint32
	count              uint32 // unbounded stands for any number
}

// unbounded is the count of what may be sent any number of times.
const unbounded = 255

func (c counted) compare(o counted) int {
	return cmp.Or(cmp.Compare(c.component, o.component), cmp.Compare(c.message, o.message))
}

// sets numbers sets. The empty one is 0.
type sets struct {
	all        *slab.Table[set]
	sums       pairs.Map // (set, set) -> set
	maxima     pairs.Map
	images     pairs.Map // (set, permutation) -> set
	components map[uint32]map[uint32]uint32
}

func (s *sets) at(number uint32) set { return *s.all.At(number) }

func (s *sets) number(of set) uint32 {
	if len(of) == 0 {
		return 0
	}
	var ids []uint32
	for _, c := range of {
		ids = append(ids, c.component, c.message, c.count)
	}
	return s.all.Intern(slab.Key(ids...), func() set { return of })
}

// ofSends is the set of some messages.
func (s *sets) ofSends(sends []Arrival) uint32 {
	number := uint32(0)
	for _, a := range sends {
		number = s.plus(number, s.number(set{{a.Component, a.Message, 1}}))
	}
	return number
}

// plus adds the counts of two sets up.
func (s *sets) plus(x, y uint32) uint32 {
	return s.merge(&s.sums, x, y, func(a, b uint32) uint32 { return min(a+b, unbounded) })
}

// max takes the larger of the counts of two sets.
func (s *sets) max(x, y uint32) uint32 {
	if x == y {
		return x
	}
	return s.merge(&s.maxima, x, y, func(a, b uint32) uint32 { return max(a, b) })
}

func (s *sets) merge(known *pairs.Map, x, y uint32, counts func(a, b uint32) uint32) uint32 {
	if x == 0 || y == 0 {
		return x | y
	}
	x, y = min(x, y), max(x, y)
	number, _ := known.GetOrPut(x, y, func() (uint32, error) {
		var out set
		a, b := s.at(x), s.at(y)
		for len(a) > 0 && len(b) > 0 {
			switch order := a[0].compare(b[0]); {
			case order < 0:
				out, a = append(out, a[0]), a[1:]
			case order > 0:
				out, b = append(out, b[0]), b[1:]
			default:
				both := a[0]
				both.count = counts(a[0].count, b[0].count)
				out, a, b = append(out, both), a[1:], b[1:]
			}
		}
		return s.number(slices.Concat(out, a, b)), nil
	})
	return number
}

// withoutBound has the messages of a set any number of times.
func (s *sets) withoutBound(x uint32) uint32 {
	of := slices.Clone(s.at(x))
	for i := range of {
		of[i].count = unbounded
	}
	return s.number(of)
}

// byComponent divides a set by the components that messages are to.
func (s *sets) byComponent(x uint32) map[uint32]uint32 {
	if parts, ok := s.components[x]; ok {
		return parts
	}
	by := map[uint32]set{}
	for _, c := range s.at(x) {
		by[c.component] = append(by[c.component], c)
	}
	parts := map[uint32]uint32{}
	for component, of := range by {
		parts[component] = s.number(of)
	}
	s.components[x] = parts
	return parts
}
