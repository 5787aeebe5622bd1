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
	type both struct {
		E Execution
		V Violation
	}
	var u UUIDs
	NoteUUIDs(&u, both{e, v})
	short := CutUUIDs(&u, both{e, v})
	return short.E, short.V
}

// UUIDs are those of documents that are shown together, one after the other. The zero value has none.
type UUIDs struct {
	seen map[string]bool
	left int // the characters that are cut
}

// NoteUUIDs adds those of a document, and reports whether those of earlier ones have to be longer now to differ from them.
func NoteUUIDs[T any](u *UUIDs, document T) bool {
	before, isFirst := u.left, len(u.seen) == 0
	mapped(document, func(text string) string {
		for _, id := range uuid.FindAllString(text, -1) {
			if u.seen == nil {
				u.seen, u.left = map[string]bool{}, len(id)-shortestUUID
			}
			u.seen[id] = true
		}
		return text
	})
	ids := slices.Collect(maps.Keys(u.seen))
	for !differ(ids, u.left) {
		u.left--
	}
	return !isFirst && u.left < before
}

// CutUUIDs returns a document, which was noted, with its UUIDs cut to their ends, as long as they have to be to differ from all noted.
func CutUUIDs[T any](u *UUIDs, document T) T {
	if u.left == 0 {
		return document
	}
	return mapped(document, func(text string) string {
		return uuid.ReplaceAllStringFunc(text, func(id string) string { return "…" + id[u.left:] })
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
