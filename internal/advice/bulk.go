package advice

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"harrier/internal/model"
	"harrier/serializer"
)

// large is how many bytes a local state has at least that largeStates describes.
const large = 16 << 10

// largeStates names the part that most of the largest local state is in, if that is large: each step captures it.
func largeStates(e Ended) []string {
	var largest []byte
	actors := e.Actors
	for id := range actors.LocalSteps.Stats().LocalStates {
		if local := actors.Values.Actor(model.LocalID(id + 1)).Local; len(local) > len(largest) {
			largest = local
		}
	}
	if len(largest) < large {
		return nil
	}
	v, err := serializer.Decode(largest)
	if err != nil {
		return nil
	}
	sizes := map[*serializer.Value]int{}
	sizeOf(&v, sizes)
	labels := serializer.Labels(actors.Program().Labels)
	path, part := labels.Of(v.ClassName), &v
	for {
		name, inner := largestPart(part, sizes, labels)
		if inner == nil || 2*sizes[inner] < sizes[&v] {
			break
		}
		path, part = path+name, inner
	}
	return []string{fmt.Sprintf("local states have up to %s, of which %s are in %s: each step captures them, so have actors hold less that no handler needs",
		humanize.IBytes(uint64(len(largest))), humanize.IBytes(uint64(len(largest)*sizes[part]/sizes[&v])), path)}
}

// sizeOf notes how large a value and its parts are, about in bytes.
func sizeOf(v *serializer.Value, sizes map[*serializer.Value]int) int {
	n := 1 + len(v.ClassName) + len(v.Text)
	for _, f := range v.Fields {
		n += len(f.Name)
	}
	v.Each(func(of *serializer.Value) { n += sizeOf(of, sizes) })
	sizes[v] = n
	return n
}

// largestPart is the largest part of a value, with its name in a path; nil if the value has no parts.
func largestPart(v *serializer.Value, sizes map[*serializer.Value]int,
	labels serializer.Labels) (name string, part *serializer.Value) {
	of := func(by string, p *serializer.Value) {
		if part == nil || sizes[p] > sizes[part] {
			name, part = by, p
		}
	}
	for i := range v.Fields {
		of("."+labels.Field(v.Fields[i].Name), &v.Fields[i].Value)
	}
	for i := range v.Elements {
		of("[]", &v.Elements[i])
	}
	for i := range v.Entries {
		of("[]", &v.Entries[i].Value)
	}
	return name, part
}
