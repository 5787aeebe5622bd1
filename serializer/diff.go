package serializer

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// A Change is one part of a value that differs. Path leads to it from the outermost value:
// `log[2].term`, `votes[3]`. It is "" if the whole value differs.
type Change struct {
	Path string `json:"path"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// Has reports whether a path leads to the part or into it.
func (c Change) Has(path string) bool {
	rest, ok := strings.CutPrefix(path, c.Path)
	return ok && (c.Path == "" || rest == "" || rest[0] == '.' || rest[0] == '[')
}

// absent stands for a map's value that is not there.
const absent = "absent"

// Diff lists what changed between two values: the outer parts first, and in the order of
// their fields. It looks into records, objects and actors of the same class, arrays and
// lists of the same class and length, lists to which elements were appended, and maps of the
// same class, by key. What an actor has beside the fields of its class may be absent. All other
// values, sets among them, change as a whole. It finds no change exactly when both have the same
// content.
//
// Values are compared as graphs: where a ref stands instead of the part that it names makes
// no difference. What changed in a part is shown once, on the shortest path to it, of several the
// first in the order of fields. Of a part that another one takes the place of somewhere, this
// place changes; it is still the one that stands where it stood in most places.
//
// Old and New are what Format gives; for a ref, of what it names. If they would have
// the same text, kind and class come first; if these are the same, it is another one.
//
// Both trees must be numbered as Decode numbers them.
func Diff(before, after Value) []Change { return Labels(nil).Diff(before, after) }

// Diff lists what changed as the function Diff does, with the labels of classes.
func (l Labels) Diff(before, after Value) []Change {
	d := differ{labels: l, before: partsOf(&before), after: partsOf(&after), meetings: map[pair]int{}}
	whole := change{old: &before, new: &after}
	if d.pass(whole, nil); len(d.changes) > 0 {
		d.pass(whole, d.correspondence())
	}
	var changes []Change
	for _, c := range d.changes {
		changes = append(changes, d.show(c))
	}
	return changes
}

type differ struct {
	labels        Labels
	before, after numbered
	newOf, oldOf  map[int]int  // the number of the part that one corresponds to
	compared      map[int]bool // parts of before that were compared with theirs
	log           []pair       // these pairs, in that order; undone where they do not stay
	fixed         map[int]bool // parts of before whose newOf is given
	meetings      map[pair]int // how often two parts stand at the same path
	met           []pair       // these in the order in which they were met
	queue         []change     // what is still to be compared, in the order of length of paths
	changes       []change
}

// A pair has the numbers of a part of before and of one of after.
type pair struct{ old, new int }

// pass finds the changes of a whole where some parts are known to correspond, and notes which parts stand at the same path.
func (d *differ) pass(whole change, known []pair) {
	d.newOf, d.oldOf, d.compared, d.fixed = map[int]int{}, map[int]int{}, map[int]bool{}, map[int]bool{}
	d.log, d.changes = nil, nil
	for _, p := range known {
		d.newOf[p.old], d.oldOf[p.new], d.fixed[p.old] = p.new, p.old, true
	}
	d.queue = []change{whole}
	d.run(func() bool { return false })
}

// correspondence says which part of after one of before became: the one that stands where it stood in most places, of several
// the one that reads the same, or was met first.
func (d *differ) correspondence() (chosen []pair) {
	ofOld, ofNew := map[int]int{}, map[int]int{} // with how many parts one was met
	for _, p := range d.met {
		ofOld[p.old]++
		ofNew[p.new]++
	}
	differs := map[pair]int{} // 1 where two of several do not read the same
	for _, p := range d.met {
		several := ofOld[p.old] > 1 || ofNew[p.new] > 1
		if several && d.labels.text(d.before[p.old], d.before) != d.labels.text(d.after[p.new], d.after) {
			differs[p] = 1
		}
	}
	slices.SortStableFunc(d.met, func(a, b pair) int {
		return cmp.Or(cmp.Compare(d.meetings[b], d.meetings[a]), cmp.Compare(differs[a], differs[b]))
	})
	clear(ofOld)
	clear(ofNew)
	for _, p := range d.met {
		if ofOld[p.old]+ofNew[p.new] == 0 {
			chosen = append(chosen, p)
			ofOld[p.old], ofNew[p.new] = 1, 1
		}
	}
	return chosen
}

// A change is kept as values until it is known to stay: formatting is the costly part.
type change struct {
	path     string
	old, new *Value // nil if absent
}

// compare has a and b compared, which stand at the same path.
func (d *differ) compare(path string, a, b *Value) {
	d.queue = append(d.queue, change{path, a, b})
}

// run compares what is queued, until enough or nothing is left.
func (d *differ) run(enough func() bool) {
	for len(d.queue) > 0 && !enough() {
		next := d.queue[0]
		d.queue = d.queue[1:]
		d.parts(next)
	}
}

// parts notes how two values differ, and queues the parts that they have.
func (d *differ) parts(c change) {
	if c.old == nil || c.new == nil {
		d.changes = append(d.changes, c)
		return
	}
	a, b := d.before.named(c.old), d.after.named(c.new)
	if !sameHead(a, b) {
		d.changes = append(d.changes, c)
		return
	}
	if a.Kind.Numbered() {
		p := pair{a.Number, b.Number}
		if d.meetings[p]++; d.meetings[p] == 1 {
			d.met = append(d.met, p)
		}
		newOf, hasNew := d.newOf[p.old]
		oldOf, hasOld := d.oldOf[p.new]
		if hasNew && newOf != p.new || hasOld && oldOf != p.old {
			d.changes = append(d.changes, c)
			return
		}
		if d.compared[p.old] {
			return // its changes are noted where it was met
		}
		d.newOf[p.old], d.oldOf[p.new], d.compared[p.old] = p.new, p.old, true
		d.log = append(d.log, p)
	}
	if !d.sameParameter(a, b) {
		d.changes = append(d.changes, c)
		return
	}
	switch a.Kind {
	case Record, Object, Actor:
		d.fields(c.path, a, b)
	case Array, List, ImmutableList, NullableList:
		if a.isOrderedSet() {
			d.lump(c.path, a, b)
			return
		}
		d.elements(c.path, a, b)
	case Map, OrderedMap, ImmutableMap:
		d.entries(c.path, a, b)
	case Optional, Set, ImmutableSet:
		d.lump(c.path, a, b)
	}
}

// sameHead compares what makes two values comparable part by part.
func sameHead(a, b *Value) bool {
	if a.Kind != b.Kind || a.Text != b.Text || a.ClassName != b.ClassName {
		return false
	}
	return a.Int == b.Int || a.Kind == Actor
}

func (d *differ) sameParameter(a, b *Value) bool {
	if a.Parameter == nil || b.Parameter == nil {
		return a.Parameter == b.Parameter
	}
	return d.try(func() { d.compare("", a.Parameter, b.Parameter) })
}

func (d *differ) whole(path string, a, b *Value) {
	d.changes = append(d.changes, change{path, a, b})
}

// try compares what f queues. If that finds changes, try forgets them, and which parts
// corresponded, and returns false.
func (d *differ) try(f func()) bool {
	changes, pairs, queue := len(d.changes), len(d.log), d.queue
	d.queue = nil
	f()
	d.run(func() bool { return len(d.changes) > changes })
	d.queue = queue
	if len(d.changes) == changes {
		return true
	}
	for _, p := range d.log[pairs:] {
		delete(d.compared, p.old)
		if !d.fixed[p.old] {
			delete(d.newOf, p.old)
			delete(d.oldOf, p.new)
		}
	}
	d.changes, d.log = d.changes[:changes], d.log[:pairs]
	return false
}

func (d *differ) fields(path string, a, b *Value) {
	same := slices.EqualFunc(a.Fields, b.Fields, func(f, g Field) bool { return f.Name == g.Name })
	if !same && a.Kind != Actor {
		d.whole(path, a, b)
		return
	}
	d.eachField(path, a.Fields, b.Fields)
	if a.Kind == Actor && a.Int != b.Int {
		d.compare(join(path, "children"), &Value{Kind: Long, Int: a.Int}, &Value{Kind: Long, Int: b.Int})
	}
}

// eachField compares fields by name. What an actor has beside its class's fields may be absent from one side.
func (d *differ) eachField(path string, a, b []Field) {
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(a) > 0 && len(b) > 0 && a[0].Name == b[0].Name:
			d.compare(join(path, bare(d.labels.Field(a[0].Name))), &a[0].Value, &b[0].Value)
			a, b = a[1:], b[1:]
		case len(a) > 0 && !slices.ContainsFunc(b, func(f Field) bool { return f.Name == a[0].Name }):
			d.compare(join(path, a[0].Name), &a[0].Value, nil)
			a = a[1:]
		default:
			d.compare(join(path, b[0].Name), nil, &b[0].Value)
			b = b[1:]
		}
	}
}

func join(path, field string) string {
	if path == "" {
		return field
	}
	return path + "." + field
}

func (d *differ) elements(path string, a, b *Value) {
	same := len(a.Elements)
	isAppended := a.Kind != Array && 0 < same && same < len(b.Elements) && d.try(func() {
		for i := range a.Elements {
			d.compare("", &a.Elements[i], &b.Elements[i])
		}
	})
	if len(b.Elements) != same && !isAppended {
		d.whole(path, a, b)
		return
	}
	for i := range b.Elements {
		at := path + "[" + strconv.Itoa(i) + "]"
		if i < same {
			d.compare(at, &a.Elements[i], &b.Elements[i])
		} else {
			d.compare(at, nil, &b.Elements[i])
		}
	}
}

// lump compares part by part, and notes any difference as one change of the whole.
func (d *differ) lump(path string, a, b *Value) {
	same := len(a.Elements) == len(b.Elements) && len(a.Entries) == len(b.Entries) && d.try(func() {
		for i := range a.Elements {
			d.compare("", &a.Elements[i], &b.Elements[i])
		}
		for i := range a.Entries {
			d.compare("", &a.Entries[i].Key, &b.Entries[i].Key)
			d.compare("", &a.Entries[i].Value, &b.Entries[i].Value)
		}
	})
	if !same {
		d.whole(path, a, b)
	}
}

// entries compares maps by key. Keys are the same if they read the same; if that does not
// tell the keys of one map apart, or an ordered map was put in another order, the map is
// compared as a lump.
func (d *differ) entries(path string, a, b *Value) {
	oldKeys, oldIndex := d.labels.indexKeys(a, d.before)
	newKeys, newIndex := d.labels.indexKeys(b, d.after)
	if oldIndex == nil || newIndex == nil || a.Kind == OrderedMap && reordered(oldKeys, newIndex) {
		d.lump(path, a, b)
		return
	}
	for i, key := range oldKeys {
		at := path + "[" + key + "]"
		j, ok := newIndex[key]
		if !ok {
			d.compare(at, &a.Entries[i].Value, nil)
			continue
		}
		d.compare(at, &a.Entries[i].Key, &b.Entries[j].Key)
		d.compare(at, &a.Entries[i].Value, &b.Entries[j].Value)
	}
	for j, key := range newKeys {
		if _, ok := oldIndex[key]; !ok {
			d.compare(path+"["+key+"]", nil, &b.Entries[j].Value)
		}
	}
}

// indexKeys returns the keys of a map as text, and the place of each; the index is nil if
// two keys have the same text.
func (l Labels) indexKeys(v *Value, parts numbered) (keys []string, index map[string]int) {
	index = make(map[string]int, len(v.Entries))
	for i := range v.Entries {
		key := l.text(&v.Entries[i].Key, parts)
		if _, twice := index[key]; twice {
			return nil, nil
		}
		keys = append(keys, key)
		index[key] = i
	}
	return keys, index
}

// reordered reports whether the keys that stayed are now in another order.
func reordered(keys []string, index map[string]int) bool {
	last := -1
	for _, key := range keys {
		if i, ok := index[key]; ok {
			if i < last {
				return true
			}
			last = i
		}
	}
	return false
}

func (d *differ) show(c change) Change {
	before, after := d.labels.text(c.old, d.before), d.labels.text(c.new, d.after)
	if text := before; before == after {
		if before, after = withKind(d.before.named(c.old), text), withKind(d.after.named(c.new), text); before == after {
			before, after = text, "another "+text
		}
	}
	return Change{c.path, before, after}
}

// text is what Format gives; for a ref, of what it names.
func (l Labels) text(v *Value, parts numbered) string {
	if v == nil {
		return absent
	}
	w := writer{labels: l, parts: parts}
	w.format(parts.named(v))
	return w.String()
}

func withKind(v *Value, text string) string {
	switch {
	case v == nil:
		return text
	case v.ClassName == "":
		return v.Kind.String() + " " + text
	}
	return v.Kind.String() + " " + bare(v.ClassName) + " " + text
}
