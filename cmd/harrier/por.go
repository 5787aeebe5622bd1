package main

import (
	"fmt"
	"slices"
)

// defaultPOR is how --por is set where it is not given.
const defaultPOR = "auto"

// reductionAfter is how many states a search meets before --por auto reduces. Most checks are over by then: they pay nothing
// for it, and their counterexamples are as short as their order makes them.
const reductionAfter = 10_000

// reduction is how transitions are left out.
type reduction struct {
	method string // off, closure, static or dynamic
	after  uint64 // how many states are met before anything is
	remark string // why the method is off though nobody said so
}

var reductions = []string{"auto", "off", "closure", "static", "dynamic"}

// parsePOR refuses what does not go together with --por, and settles what it says.
func (m *method) parsePOR(maxDepth int) error {
	isStateless := m.search == "stateless"
	m.reduction.method = m.por
	switch {
	case !slices.Contains(reductions, m.por):
		return fmt.Errorf("--por is auto, off, closure, static or dynamic, not %q", m.por)
	case m.por == "dynamic" && !isStateless:
		return fmt.Errorf("--por dynamic is for --search stateless; searches that remember states take closure or static")
	case isStateless && (m.por == "closure" || m.por == "static"):
		return fmt.Errorf("--por %s is for searches that remember states; --search stateless takes dynamic", m.por)
	case maxDepth > 0 && m.por != "off" && m.por != "auto":
		return fmt.Errorf("--por %s does not go together with --max-depth: what is within the bound may be left out; take --por off", m.por)
	case m.por != "auto":
	case isStateless:
		m.reduction.method = "off"
	case maxDepth > 0:
		m.reduction = reduction{method: "off", remark: "partial-order reduction is off, as with --max-depth it may leave out what is within the bound"}
	default:
		m.reduction = reduction{method: "closure", after: reductionAfter}
	}
	return nil
}
