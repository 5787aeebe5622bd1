package dynamic

import (
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/space"
)

// A run is the steps that led from the initial state to the current one, with their order. Steps have numbers from 1 on; 0 is what
// was there at the beginning.
type run struct {
	taken  []taken                   // the first is no step
	last   []int                     // by slot: the actor's last step
	born   map[uint32]int            // by slot: the step that created the actor
	sent   map[model.MessageID][]int // the steps that sent copies of a message
	used   map[model.MessageID]int   // how many of these were taken
	writes map[resource]int          // the last step that touched it
}

// taken is a step of the run.
type taken struct {
	option
	clock    []int // by slot: the last of the actor's steps that come before this one, or are it
	seen     []int // the same of its visible steps
	recorded int   // the same of all steps that add to the history
	needs    []int // steps without which it is not enabled
	after    []int // for each of its resources: the step that touched it before
	before   int   // the actor's step before it
	latest   int   // the last step that comes before it
}

func newRun(actors *space.Actors, initial model.State) *run {
	r := &run{
		taken: make([]taken, 1), born: map[uint32]int{}, sent: map[model.MessageID][]int{}, used: map[model.MessageID]int{},
		writes: map[resource]int{},
	}
	for _, id := range initial[1:] {
		for _, m := range actors.Nodes.Parts(id).Waiting {
			r.sent[m] = append(r.sent[m], 0)
		}
	}
	return r
}

func at(list []int, i uint32) int {
	if int(i) < len(list) {
		return list[i]
	}
	return 0
}

func set(list []int, i uint32, value int) []int {
	for int(i) >= len(list) {
		list = append(list, 0)
	}
	list[i] = value
	return list
}

// later is the greater number of each slot.
func later(clock, other []int) []int {
	for slot, number := range other {
		if number > at(clock, uint32(slot)) {
			clock = set(clock, uint32(slot), number)
		}
	}
	return clock
}

// take adds a step to the run, and returns its number.
func (r *run) take(o option) int {
	n := len(r.taken)
	t := taken{option: o, before: at(r.last, o.Slot)}
	t.needs = append(t.needs, t.before)
	if o.Kind != model.Lose && o.Kind != model.Duplicate { // which need no actor
		t.needs = append(t.needs, r.born[o.Slot])
	}
	copies := map[model.MessageID]int{}
	for _, m := range o.takes {
		if i := r.used[m] + copies[m]; i < len(r.sent[m]) {
			t.needs = append(t.needs, r.sent[m][i])
		}
		copies[m]++
	}
	for _, touched := range o.touches {
		t.after = append(t.after, r.writes[touched])
		r.writes[touched] = n
	}
	for _, before := range slices.Concat(t.needs, t.after) {
		t.latest = max(t.latest, before)
		t.clock = later(t.clock, r.taken[before].clock)
		t.seen = later(t.seen, r.taken[before].seen)
		t.recorded = max(t.recorded, r.taken[before].recorded)
	}
	t.clock = set(t.clock, o.Slot, n)
	if o.visible {
		t.seen = set(t.seen, o.Slot, n)
	}
	if o.Records {
		t.recorded = n
	}
	r.last = set(r.last, o.Slot, n)
	r.taken = append(r.taken, t)
	r.pass(o.step, n)
	return n
}

// pass notes what a step does to messages and actors.
func (r *run) pass(st *step, n int) {
	for _, m := range st.takes {
		switch {
		case st.copies:
			r.sent[m] = slices.Insert(r.sent[m], r.used[m], 0) // the actor's own step made it
		case !st.keeps:
			r.used[m]++
		}
	}
	for _, e := range st.Effects {
		if e.Message == 0 {
			r.born[e.Position-1] = n
		} else {
			r.sent[e.Message] = append(r.sent[e.Message], n)
		}
	}
}

// back takes the last step back.
func (r *run) back() {
	n := len(r.taken) - 1
	t := &r.taken[n]
	for _, e := range t.Effects {
		if e.Message == 0 {
			delete(r.born, e.Position-1)
		} else {
			r.sent[e.Message] = r.sent[e.Message][:len(r.sent[e.Message])-1]
		}
	}
	for _, m := range slices.Backward(t.takes) {
		switch {
		case t.copies:
			r.sent[m] = slices.Delete(r.sent[m], r.used[m], r.used[m]+1)
		case !t.keeps:
			r.used[m]--
		}
	}
	for i, touched := range t.touches {
		r.writes[touched] = t.after[i]
	}
	r.last[t.Slot] = t.before
	r.taken = r.taken[:n]
}

// isOrdered reports whether step k comes before step n in all orders of the run that differ in commuting steps only, for another reason
// than that the two touch the same resource.
func (r *run) isOrdered(k, n int) bool {
	comesAfter := func(c int) bool { return at(r.taken[c].clock, r.taken[k].Slot) >= k }
	other := func(c int) bool { return c != k && comesAfter(c) }
	return slices.ContainsFunc(r.taken[n].needs, comesAfter) || slices.ContainsFunc(r.taken[n].after, other)
}

// races lets the states before earlier steps follow what the last step, which is number n, could do before these. frames[k] is the
// state after step k.
func (r *run) races(n int, frames []frame, nodes *nodes) {
	last := &r.taken[n]
	if len(last.Effects) == 0 && len(last.touches) == 0 {
		return
	}
	for k := n - 1; k > 0; k-- {
		f, slot := &frames[k-1], r.taken[k].Slot
		if slot == last.Slot || f.followsAll {
			continue
		}
		reaches := slices.ContainsFunc(last.Effects, func(e space.Effect) bool { return e.Position == slot+1 })
		conflicts := reaches || shares(last.touches, nodes.known[f.state[slot+1]].touches)
		if conflicts && !r.isOrdered(k, n) {
			r.reverse(k, n, f)
		}
	}
}

// reverse lets the state before step k follow an actor that leads to step n without step k.
func (r *run) reverse(k, n int, f *frame) {
	found := -1
	for j := k + 1; j <= n; j++ {
		if at(r.taken[n].clock, r.taken[j].Slot) < j || r.taken[j].latest > k {
			continue // it does not come before step n, or is not the first of those that do
		}
		i := slices.IndexFunc(f.options, func(o option) bool { return o.is(&r.taken[j].option) })
		switch {
		case i < 0:
		case f.options[i].sleeps || f.follows[f.options[i].Slot]:
			return
		case found < 0:
			found = i
		}
	}
	if found < 0 {
		f.followsAll = true
		return
	}
	f.follow(f.options[found].Slot)
}
