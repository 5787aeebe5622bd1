package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Mode is a way to search, by a name. One that is not among Modes is a user's.
type Mode struct {
	Name     string   `json:"name"`
	Settings []string `json:"settings"` // NAME=VALUE, of a user's mode: flags of check; the others have their defaults
	Meaning  string   `json:"meaning"`
}

// Modes are the ways to search that have a name. A new one is a line here, which says of each reduction whether it is used.
var Modes = []Mode{
	{"stateless", strings.Fields("search=stateless symmetry=off por=off"), "no state is remembered"},
	{"dynamic", strings.Fields("search=stateless symmetry=off por=dynamic"), "as stateless, with dynamic partial-order reduction"},
	{"stateful", strings.Fields("search=dfs reduction=off hashing=full symmetry=off por=off push=all"), "whole states, depth-first"},
	{"static", strings.Fields("search=dfs reduction=off hashing=full symmetry=off por=static push=all"), "as stateful, with static partial-order reduction (POR)"},
	{"dbss-all", strings.Fields("search=dfs reduction=off hashing=fields symmetry=off por=off push=all"), "relevant parts of states (DBSS without selective push-on-stack)"},
	{"dbss", strings.Fields("search=dfs reduction=off hashing=fields symmetry=off por=off push=selective"), "decomposition-based stateful search (DBSS)"},
	{"dbss-static", strings.Fields("search=dfs reduction=off hashing=fields symmetry=off por=static push=selective"), "as dbss, with static partial-order reduction (DBSS + POR)"},
	{"dbss-symmetry", strings.Fields("search=dfs reduction=off hashing=fields symmetry=on por=off push=selective"), "as dbss; states that differ by a permutation of symmetric actors are one"},
	{"static-symmetry", strings.Fields("search=dfs reduction=off hashing=fields symmetry=on por=static push=selective"), "as dbss-symmetry, with static partial-order reduction"},
	{"macro", strings.Fields("search=dfs reduction=macro hashing=fields push=selective symmetry=off"), "as dbss, over macro steps (interface reduction without traces)"},
	{"macro-symmetry", strings.Fields("search=dfs reduction=macro hashing=fields push=selective symmetry=on"), "as macro; states that differ by a permutation of symmetric actors are one"},
	{"demeter", strings.Fields("search=dfs reduction=demeter hashing=fields push=selective symmetry=off por=off"), "global skeletons composed of local traces (dynamic interface reduction, DEMETER)"},
	{"local", strings.Fields("search=local"), "local states only, and searches that verify suspicious combinations (local model checking)"},
	{"local-gen", strings.Fields("search=local pruning=off"), "as local; combinations of local states, not of what properties read"},
	{"local-1", strings.Fields("search=local events=1"), "as local; at most one timer or internal event of each actor, for watch"},
	{"bfs-stateful", strings.Fields("search=bfs reduction=off hashing=full symmetry=off por=off"), "whole states, breadth-first"},
	{"bfs", strings.Fields("search=bfs reduction=off hashing=fields symmetry=off por=off"), "relevant parts of states, breadth-first"},
	{"bfs-symmetry", strings.Fields("search=bfs reduction=off hashing=fields symmetry=on por=off"), "as bfs; states that differ by a permutation of symmetric actors are one"},
	{"mp", strings.Fields("search=dfs reduction=off hashing=fields symmetry=off por=off push=selective model=MP"), "as dbss; delivery is an event, and an event consumes all that was delivered"},
	{"mp-symmetry", strings.Fields("search=dfs reduction=off hashing=fields symmetry=on por=off push=selective model=MP"), "as mp; states that differ by a permutation of symmetric actors are one"},
	{"m-mp", strings.Fields("search=dfs reduction=off hashing=fields symmetry=off por=off push=selective model=M-MP"), "as dbss; delivery is an event, and an event consumes any that were delivered"},
	{"m-mp-symmetry", strings.Fields("search=dfs reduction=off hashing=fields symmetry=on por=off push=selective model=M-MP"), "as m-mp; states that differ by a permutation of symmetric actors are one"},
}

// set sets the options of a check so that it searches in this mode, as if flags of these names did.
func (m Mode) set(o *Options) {
	for _, s := range m.Settings {
		name, value, _ := strings.Cut(s, "=")
		o.OfMode = append(o.OfMode, name)
		if o.Given[name] = value; name == "events" {
			o.LocalEvents, _ = strconv.Atoi(value)
		} else {
			*o.Text(name) = value
		}
	}
}

// Setting is the value of one of a mode's settings, "" if it has none.
func (m Mode) Setting(name string) string {
	for _, s := range m.Settings {
		if value, ok := strings.CutPrefix(s, name+"="); ok {
			return value
		}
	}
	return ""
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
