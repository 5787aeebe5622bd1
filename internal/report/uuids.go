package report

import (
	"maps"
	"regexp"
	"slices"
)

var uuid = regexp.MustCompile(`\b[[:xdigit:]]{8}(-[[:xdigit:]]{4}){3}-[[:xdigit:]]{12}\b`)

// shortestUUID is how many characters are shown of a UUID at least.
const shortestUUID = 4

// ShortUUIDs returns an execution and its violation with UUIDs cut to their ends, as long as they have to be to differ in both.
func ShortUUIDs(e Execution, v Violation) (Execution, Violation) {
	both := shortUUIDs(struct {
		E Execution
		V Violation
	}{e, v})
	return both.E, both.V
}

func shortUUIDs[T any](document T) T {
	found := map[string]bool{}
	mapped(document, func(text string) string {
		for _, id := range uuid.FindAllString(text, -1) {
			found[id] = true
		}
		return text
	})
	ids := slices.Collect(maps.Keys(found))
	if len(ids) == 0 {
		return document
	}
	left := len(ids[0]) - shortestUUID
	for !differ(ids, left) {
		left--
	}
	if left == 0 {
		return document
	}
	return mapped(document, func(text string) string {
		return uuid.ReplaceAllStringFunc(text, func(id string) string { return "…" + id[left:] })
	})
}

// differ reports whether all of some texts differ behind a number of characters.
func differ(texts []string, behind int) bool {
	seen := map[string]bool{}
	for _, t := range texts {
		seen[t[behind:]] = true
	}
	return len(seen) == len(texts)
}
