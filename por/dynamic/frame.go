package dynamic

import (
	"slices"
	"unsafe"

	"harrier/internal/model"
)

// A frame is a state on the stack.
type frame struct {
	state   model.State
	options []option // the enabled transitions
	asleep  []option // the sleep set: their runs are, or were, followed from other states

	follows    []bool // by slot: the steps of that actor are followed
	guarded    []bool // by slot: budgets or cuts guard some of its options
	followsAll bool
	last       int // number of the option that was followed last
}

// An option is an enabled transition.
type option struct {
	*step
	sleeps, explored bool
}

// is reports whether two options, in different states perhaps, are the same step.
func (o *option) is(other *option) bool { return o.Slot == other.Slot && o.EventID == other.EventID }

// depends reports whether two options must not be swapped.
func (o *option) depends(other *option) bool {
	return o.Slot == other.Slot || shares(o.touches, other.touches)
}

// isOrdinary reports whether an option goes on, and is no fault.
func (o *option) isOrdinary() bool { return o.Fault == 0 && !o.Fails() }

// sleep marks the options that are asleep.
func (f *frame) sleep() {
	for i := range f.options {
		o := &f.options[i]
		o.sleeps = slices.ContainsFunc(f.asleep, func(z option) bool { return z.is(o) })
	}
}

// begin picks the first actor. One whose steps lead to no others is best.
func (f *frame) begin() {
	first := slices.IndexFunc(f.options, func(o option) bool { return !o.sleeps && o.isOrdinary() && !f.guarded[o.Slot] })
	if first < 0 {
		first = slices.IndexFunc(f.options, func(o option) bool { return !o.sleeps })
	}
	if first >= 0 {
		f.follow(f.options[first].Slot)
	}
}

// follow adds an actor to those whose steps are followed.
func (f *frame) follow(slot uint32) {
	f.follows[slot] = true
	f.followsAll = f.followsAll || f.guarded[slot]
}

// pick is the next option to follow, by its number, or -1.
func (f *frame) pick() int {
	if i := f.next(); i >= 0 || f.followsAll {
		return i
	}
	if slices.ContainsFunc(f.options, func(o option) bool { return o.explored && o.isOrdinary() }) {
		return -1
	}
	f.followsAll = true
	return f.next()
}

func (f *frame) next() int {
	return slices.IndexFunc(f.options, func(o option) bool {
		return !o.explored && !o.sleeps && (f.followsAll || f.follows[o.Slot])
	})
}

// asleepAfter returns the sleep set of the state that an option leads to: the options that sleep here or were followed before, unless they depend
// on the option.
func (f *frame) asleepAfter(by *option) (asleep []option) {
	for _, z := range f.asleep {
		if !z.depends(by) {
			asleep = append(asleep, z)
		}
	}
	for _, z := range f.options {
		if z.explored && !z.depends(by) {
			asleep = append(asleep, z)
		}
	}
	return asleep
}

// bytes is the memory that the frame takes.
func (f *frame) bytes() uint64 {
	return uint64(cap(f.state))*4 + uint64(cap(f.options)+cap(f.asleep))*uint64(unsafe.Sizeof(option{})) + uint64(cap(f.follows)+cap(f.guarded))
}
