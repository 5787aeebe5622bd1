// Package explain describes what harrier finds out about a program before it searches, for 'harrier explain': the documents that it
// prints, as text or JSON. Its subject is one analysis each: the decomposition of states, symmetry, partial-order reduction, components.
package explain

import "harrier/internal/model"

// Heading begins the JSON document of a 'harrier explain' command.
type Heading struct {
	Version  int    `json:"version"` // of the document's form
	Program  string `json:"program"`
	Scenario string `json:"scenario"`
}

// newHeading begins a document on the program at a path.
func newHeading(path string, p *model.Program) Heading { return Heading{1, path, p.Scenario} }
