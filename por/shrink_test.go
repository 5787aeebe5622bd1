package por_test

import (
	"encoding/json"
	"maps"
	"slices"

	"harrier/internal/testkit/toy"
)

// shrunk is the smallest program found by leaving out pieces of a program, such that shows still holds. Pieces are parts of its
// JSON.
func shrunk(p *toy.Protocol, shows func(p *toy.Protocol) bool) *toy.Protocol {
	for {
		smaller := pieces(p)
		i := slices.IndexFunc(smaller, shows)
		if i < 0 {
			return p
		}
		p = smaller[i]
	}
}

// pieces are the programs that lack one piece of a program.
func pieces(p *toy.Protocol) []*toy.Protocol {
	var all []*toy.Protocol
	var tree any
	if err := json.Unmarshal(written(p), &tree); err != nil {
		return nil
	}
	without(tree, "", func() {
		b, err := json.Marshal(tree)
		if err != nil {
			return
		}
		if q, err := read(b); err == nil {
			all = append(all, q)
		}
	})
	return all
}

func written(p *toy.Protocol) []byte {
	b, _ := json.Marshal(p)
	return b
}

func read(b []byte) (*toy.Protocol, error) {
	p := &toy.Protocol{}
	return p, json.Unmarshal(b, p)
}

// without changes a tree in all ways that make it smaller in one place, calls then, and changes it back.
func without(tree any, name string, then func()) {
	object, ok := tree.(map[string]any)
	if !ok {
		for _, element := range elements(tree) {
			without(element, name, then)
		}
		return
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		value := object[key]
		switch v := value.(type) {
		case []any:
			leaveOut(object, key, v, then)
		case map[string]any, bool:
			if key == "Final" || key == "Quorum" || key == "Timer" || key == "Logs" || key == "Told" || key == "History" {
				delete(object, key)
				then()
				object[key] = value
			}
		case float64:
			if (key == "Value" || key == "Hops" || key == "Budget" || key == "Delivery" || key == "Durable") && v > 0 {
				object[key] = v - 1
				then()
				object[key] = value
			}
		}
		without(value, key, then)
	}
}

func elements(tree any) []any {
	list, _ := tree.([]any)
	return list
}

// leaveOut leaves one element out of a list, unless each of them has a meaning by its place.
func leaveOut(object map[string]any, key string, list []any, then func()) {
	if key == "Classes" || key == "Fields" || key == "Facts" && len(list) == 1 {
		return
	}
	if key == "Outcomes" {
		for i, outcome := range list {
			acts := elements(outcome)
			for k := range acts {
				list[i] = slices.Delete(slices.Clone(acts), k, k+1)
				then()
			}
			list[i] = outcome
		}
		if len(list) == 1 {
			return
		}
	}
	for i := range list {
		object[key] = slices.Delete(slices.Clone(list), i, i+1)
		then()
	}
	object[key] = list
}
