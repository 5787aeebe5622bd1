package space

import (
	"iter"

	"harrier/internal/model"
)

// Locals yields the local states that were met, of all actors, with the positions of these.
func Locals(v *Values) iter.Seq2[uint32, model.LocalID] {
	return func(yield func(position uint32, l model.LocalID) bool) {
		for id := range v.locals.Len() {
			l := model.LocalID(id) + 1
			if !yield(v.locals.At(l).position, l) {
				return
			}
		}
	}
}

// Changes yields the local states before and after each local step that was asked for and leaves its actor in another one.
func Changes(s *LocalSteps) iter.Seq2[model.LocalID, model.LocalID] {
	return func(yield func(before, after model.LocalID) bool) {
		for number := range s.answers.Len() {
			a := s.answers.At(uint32(number))
			for _, o := range s.outcomes.Range(a.outcomes.first, a.outcomes.count) {
				if o.local != 0 && o.local != a.Local && !yield(a.Local, o.local) {
					return
				}
			}
		}
	}
}
