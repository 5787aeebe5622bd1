package static

import (
	"slices"

	"harrier/internal/ds/bitset"
	"harrier/internal/model"
)

// A summary is the footprint of a handler, with fields as numbers and without auxiliary ones.
type summary struct {
	known                bool
	guard, reads, writes touches
	sends                []model.Sending
	creates, records     bool
	stops                bool
}

// Touches are fields.
type touches struct {
	any    bool
	fields bitset.Set
	where  []model.Touch
}

// unknown is the summary of code that was not analysed.
func unknown() summary {
	all := touches{any: true, where: []model.Touch{{Field: model.AnyField, Where: "not analysed"}}}
	return summary{
		guard: all, reads: all, writes: all, creates: true, records: true, stops: true,
		sends: []model.Sending{{To: model.ToAnybody, Where: "not analysed"}},
	}
}

// childCount is a further field of each actor: how many children it created.
const childCount = "the count of children"

// summarize is the summary of a label.
func (s *Static) summarize(label string) summary {
	f, known := s.wiring.program.Footprint(label)
	if !known {
		return unknown()
	}
	p := summary{known: true, sends: f.Sends, creates: f.Creates, records: f.Records, stops: f.Stops}
	s.touch(&p.guard, f.GuardReads)
	s.touch(&p.reads, f.Reads)
	s.touch(&p.writes, f.Writes)
	if f.Creates {
		s.touch(&p.writes, []model.Touch{{Field: childCount, Where: "creates actors"}})
	}
	return p
}

func (s *Static) touch(into *touches, list []model.Touch) {
	for _, t := range list {
		if s.isAuxiliary(t.Field) {
			continue
		}
		into.where = append(into.where, t)
		if t.Field == model.AnyField {
			into.any = true
			continue
		}
		into.fields.Put(s.field(t.Field))
	}
}

func (s *Static) field(name string) int {
	if i := slices.Index(s.fields, name); i >= 0 {
		return i
	}
	s.fields = append(s.fields, name)
	return len(s.fields) - 1
}

// isAuxiliary reports whether a field is auxiliary in the objects of all classes that have it. A field that is only believed to be
// auxiliary counts if the search relies on it too.
func (s *Static) isAuxiliary(field string) bool {
	found := false
	for _, f := range s.wiring.program.Fields {
		if f.Declared() == field {
			if !f.Verdict.Auxiliary() || f.Verdict == model.Believed && !s.actors.Values.Decomposition.Decomposes() {
				return false
			}
			found = true
		}
	}
	return found
}

// meets reports whether some field may be among both.
func (t touches) meets(o touches) bool {
	return t.any && !o.isEmpty() || o.any && !t.isEmpty() || t.fields.Meets(o.fields)
}

func (t touches) isEmpty() bool { return !t.any && t.fields.IsEmpty() }

// common are a touch of one and a touch of the other that may be of the same field; the first is one of any field, if there is one.
func (t touches) common(o touches) (one, other model.Touch) {
	for _, a := range t.where {
		for _, b := range o.where {
			if a.Field == b.Field || a.Field == model.AnyField || b.Field == model.AnyField {
				return a, b
			}
		}
	}
	return one, other
}

// with are both.
func (t touches) with(o touches) touches {
	joined := touches{any: t.any || o.any, where: slices.Concat(t.where, o.where)}
	for _, fields := range []bitset.Set{t.fields, o.fields} {
		for f := range fields.All {
			joined.fields.Put(f)
		}
	}
	return joined
}
