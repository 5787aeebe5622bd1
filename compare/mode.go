package compare

import (
	"fmt"
	"slices"
	"strings"
)

// Mode is a way to search: a name, and the flags of check that stand for it.
type Mode struct {
	Name    string   `json:"name"`
	Flags   []string `json:"flags"`
	Meaning string   `json:"meaning"`
}

// Modes are the ways to search that can be compared. A new one is a line here.
var Modes = []Mode{
	{"stateless", []string{"--search", "stateless", "--symmetry", "off"}, "no state is remembered"},
	{"stateful", []string{"--hashing", "full", "--push", "all", "--symmetry", "off"}, "states with all that belongs to them, depth-first"},
	{"dbss-all", []string{"--hashing", "selective", "--push", "all", "--symmetry", "off"}, "only what is relevant of states (DBSS without selective push-on-stack)"},
	{"dbss", selective("off"), "decomposition-based stateful search (DBSS)"},
	{"dbss-symmetry", selective("on"), "as dbss; states that differ by an exchange of alike actors are one"},
	{"bfs-stateful", []string{"--search", "bfs", "--hashing", "full", "--symmetry", "off"}, "states with all that belongs to them, breadth-first"},
	{"bfs", []string{"--search", "bfs", "--hashing", "selective", "--symmetry", "off"}, "only what is relevant of states, breadth-first"},
	{"bfs-symmetry", []string{"--search", "bfs", "--hashing", "selective", "--symmetry", "on"}, "as bfs; states that differ by an exchange of alike actors are one"},
	{"mp", selective("off", "--model", "MP"), "as dbss; delivery is an event, and an event consumes all that was delivered"},
	{"mp-symmetry", selective("on", "--model", "MP"), "as mp; states that differ by an exchange of alike actors are one"},
	{"m-mp", selective("off", "--model", "M-MP"), "as dbss; delivery is an event, and an event consumes any that were delivered"},
	{"m-mp-symmetry", selective("on", "--model", "M-MP"), "as m-mp; states that differ by an exchange of alike actors are one"},
}

// selective are the flags of DBSS, with or without symmetry, and others.
func selective(symmetry string, others ...string) []string {
	return append([]string{"--hashing", "selective", "--push", "selective", "--symmetry", symmetry}, others...)
}

// FindMode finds a mode by its name.
func FindMode(name string) (Mode, bool) {
	i := slices.IndexFunc(Modes, func(m Mode) bool { return m.Name == name })
	if i < 0 {
		return Mode{}, false
	}
	return Modes[i], true
}

// ParseModes reads a list of modes such as stateful,dbss.
func ParseModes(list string) ([]Mode, error) {
	var modes []Mode
	for name := range strings.SplitSeq(list, ",") {
		mode, ok := FindMode(strings.TrimSpace(name))
		if !ok {
			return nil, fmt.Errorf("there is no mode %q: the modes are %s", strings.TrimSpace(name), strings.Join(ModeNames(Modes), ", "))
		}
		if slices.ContainsFunc(modes, func(m Mode) bool { return m.Name == mode.Name }) {
			return nil, fmt.Errorf("the mode %s is named twice", mode.Name)
		}
		modes = append(modes, mode)
	}
	return modes, nil
}

// ModeNames lists the names of modes.
func ModeNames(modes []Mode) []string {
	var names []string
	for _, m := range modes {
		names = append(names, m.Name)
	}
	return names
}

// Baseline is the mode that others are put in proportion to where nothing else is asked for: the
// stateful search, or else the first.
func Baseline(modes []Mode) string {
	for _, m := range modes {
		if m.Name == "stateful" {
			return m.Name
		}
	}
	return modes[0].Name
}
