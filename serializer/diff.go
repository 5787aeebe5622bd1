package serializer

import (
	"cmp"
	"slices"
	"strconv"
)

// A Change is one part of a value that differs. Path leads to it from the outermost value:
// `log[2].term`, `votes[3]`. It is "" if the whole value differs.
type Change struct {
	Path string `json:"path"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// absent stands for a map's value that is not there.
const absent = "absent"

// Diff lists what changed between two values, in the order of their fields. It looks into
// records, objects and actors of the same class, arrays and lists of the same class and
// length, and maps of the same class, by key. What an actor has beside the fields of its class may be
// absent. All other values, sets among them, change as
// a whole. It finds no change exactly when both have the same content.
//
// A ref is the same if it names the same part of both values. What that part holds is
// shown where it stands, not again at each ref to it. If the place of that part changed as
// a whole, a ref to it is the same if what it names reads the same.
//
// Old and New are what Format gives, after a ref with what it names. If they would have
// the same text, kind and class come first.
//
// Both trees must be numbered as Decode numbers them.
func Diff(before, after Value) []Change { return Labels(nil).Diff(before, after) }

// Diff lists what changed as the function Diff does, with the labels of classes.
func (l Labels) Diff(before, after Value) []Change {
	d := differ{
		labels:  l,
		before:  appendNumbered(nil, &before),
		after:   appendNumbered(nil, &after),
		targets: map[pair]bool{},
	}
	d.compare("", &before, &after)
	var changes []Change
	for _, c := range d.changes {
		changes = append(changes, d.show(c))
	}
	return changes
}

// appendNumbered lists the numbered values of a tree by number.
func appendNumbered(list []*Value, v *Value) []*Value {
	if v.Kind.Numbered() {
		list = append(list, v)
	}
	v.Each(func(inner *Value) { list = appendNumbered(list, inner) })
	return list
}

type differ struct {
	labels        Labels
	before, after []*Value      // the numbered values, by number
	pairs         []pair        // the numbers of one part in both; sorted, as parts are met in order
	targets       map[pair]bool // whether the values of two numbers read the same
	changes       []change
}

type pair struct{ old, new int }

// A change is kept as values until it is known to stay: formatting is the costly part.
type change struct {
	path     string
	old, new *Value // nil if absent
}

// compare notes how a and b, which stand at the same path, differ.
func (d *differ) compare(path string, a, b *Value) {
	if !sameHead(a, b) {
		d.whole(path, a, b)
		return
	}
	if a.Kind.Numbered() {
		d.pairs = append(d.pairs, pair{a.Number, b.Number})
	}
	if !d.sameParameter(a, b) {
		d.whole(path, a, b)
		return
	}
	switch a.Kind {
	case Ref:
		if !d.sameTarget(pair{a.Number, b.Number}) {
			d.whole(path, a, b)
		}
	case Record, Object, Actor:
		d.fields(path, a, b)
	case Array, List, ImmutableList, NullableList:
		d.elements(path, a, b)
	case Map, OrderedMap, ImmutableMap:
		d.entries(path, a, b)
	case Optional, Set, ImmutableSet:
		d.lump(path, a, b)
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

// try runs f. If f finds changes, try forgets them, and the pairs that f made, and returns
// false.
func (d *differ) try(f func()) bool {
	changes, pairs := len(d.changes), len(d.pairs)
	f()
	if len(d.changes) == changes {
		return true
	}
	d.changes, d.pairs = d.changes[:changes], d.pairs[:pairs]
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
		d.whole(join(path, "children"), &Value{Kind: Long, Int: a.Int}, &Value{Kind: Long, Int: b.Int})
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
			d.whole(join(path, a[0].Name), &a[0].Value, nil)
			a = a[1:]
		default:
			d.whole(join(path, b[0].Name), nil, &b[0].Value)
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
	if len(a.Elements) != len(b.Elements) {
		d.whole(path, a, b)
		return
	}
	for i := range a.Elements {
		d.compare(path+"["+strconv.Itoa(i)+"]", &a.Elements[i], &b.Elements[i])
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
	oldKeys, oldIndex := d.labels.indexKeys(a)
	newKeys, newIndex := d.labels.indexKeys(b)
	if oldIndex == nil || newIndex == nil || a.Kind == OrderedMap && reordered(oldKeys, newIndex) {
		d.lump(path, a, b)
		return
	}
	for i, key := range oldKeys {
		at := path + "[" + key + "]"
		j, ok := newIndex[key]
		if !ok {
			d.whole(at, &a.Entries[i].Value, nil)
			continue
		}
		d.compare(at, &a.Entries[i].Key, &b.Entries[j].Key)
		d.compare(at, &a.Entries[i].Value, &b.Entries[j].Value)
	}
	for j, key := range newKeys {
		if _, ok := oldIndex[key]; !ok {
			d.whole(path+"["+key+"]", nil, &b.Entries[j].Value)
		}
	}
}

// indexKeys returns the keys of a map as text, and the place of each; the index is nil if
// two keys have the same text.
func (l Labels) indexKeys(v *Value) (keys []string, index map[string]int) {
	index = make(map[string]int, len(v.Entries))
	for i := range v.Entries {
		key := l.Format(v.Entries[i].Key)
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

// sameTarget reports whether two refs, by number, name the same.
func (d *differ) sameTarget(p pair) bool {
	i, met := slices.BinarySearchFunc(d.pairs, p.old, func(q pair, old int) int {
		return cmp.Compare(q.old, old)
	})
	if met {
		return d.pairs[i].new == p.new
	}
	same, known := d.targets[p]
	if !known {
		same = d.labels.target(d.before, p.old) == d.labels.target(d.after, p.new)
		d.targets[p] = same
	}
	return same
}

// target formats the value of that number. A ref inside it shows as its number, so this
// ends even where values refer to each other.
func (l Labels) target(numbered []*Value, number int) string {
	if number < 0 || number >= len(numbered) {
		return ""
	}
	return l.Format(*numbered[number])
}

func (d *differ) show(c change) Change {
	before, after := d.labels.text(c.old, d.before), d.labels.text(c.new, d.after)
	if before == after {
		before, after = withKind(c.old, before), withKind(c.new, after)
	}
	return Change{c.path, before, after}
}

func (l Labels) text(v *Value, numbered []*Value) string {
	switch {
	case v == nil:
		return absent
	case v.Kind == Ref:
		return l.Format(*v) + " " + l.target(numbered, v.Number)
	}
	return l.Format(*v)
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
