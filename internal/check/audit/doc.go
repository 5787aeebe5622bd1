// Package audit finds violated assumptions of reductions: auxiliary fields and senders on which steps depend, since a
// second execution that varied them differs, and events that partial-order reduction wrongly takes to be independent.
package audit
