package compare

import (
	"slices"
	"strings"

	"harrier/internal/plan"
)

// flagsOf are the flags of a check that searches in this mode.
func flagsOf(m plan.Mode) []string {
	if _, ok := plan.FindMode(m.Name); ok {
		return []string{"--mode", m.Name}
	}
	var flags []string
	for _, s := range m.Settings {
		flags = append(flags, "--"+s)
	}
	return flags
}

// terminalKind is equal for modes whose searches meet as many terminal states, if they verify; "" for a mode like no other. Neither
// the order nor partial-order reduction changes terminal states, but with full hashing the latter may leave out some that
// differ in what is not relevant. A stateless search meets a terminal state as often as runs lead to it. Of macro states
// those are counted that stand for a terminal state.
func terminalKind(m plan.Mode) string {
	hashing := m.Setting("hashing")
	if hashing == "" || hashing == "full" && m.Setting("por") != "off" {
		return ""
	}
	return strings.Join([]string{hashing, m.Setting("symmetry"), m.Setting("model"), m.Setting("reduction")}, " ")
}

// Baseline is the mode that others are put in proportion to where nothing else is asked for: the
// stateful search, or else the first.
func Baseline(modes []plan.Mode) string {
	if slices.Contains(plan.ModeNames(modes), "stateful") {
		return "stateful"
	}
	return modes[0].Name
}
