package toy

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"harrier/internal/model"
	"harrier/internal/model/network"
	"harrier/internal/testkit/must"
)

// Read reads a script. Each line is one of these:
//
//	start: ann 0, bob idle
//	mail: bob>ann tick, ann>bob two words
//	ann 0 tick -> 1, send bob tock, create kid new, record x, stop | fail what it fails with
//	ann 0 itself -> 1
//	ann 0 within tick -> 0, send bob tock
//	ann 0 tick+tock -> 2
//	together: tick 2, tock 2 voter
//	role: voter ann bob
//	delivery: M-MP
//	queues: ann bob
//	fault: 1 restart all
//	fault: 1 restart-within ann
//	fault: 1 crash-losing ann
//	fault: any duplicate ann bob
//	byzantine: 2 eve>ann tick, eve>ann tock
//	never: ann bad, kid
//	final: ann 1
//
// A rule leads to one of its outcomes, each of which begins with what the actor becomes. Messages are taken together by size, 0
// for any number. Never is an invariant: that not all of these actors exist, and are in these states; gone is not to exist.
// Final is what all must be in terminal states. Restart-within is a restart that happens within handlers, too, as stop-within is a stop;
// crash-losing is a crash after which messages to the actor may be lost while it is down.
func Read(text string) *Script {
	s := &Script{Start: map[string]string{}, Rules: map[string][]Then{}, Quorums: map[string][]model.Quorum{}}
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			s.read(line)
		}
	}
	return s
}

// A Case is a script of a file, with what a test expects of it.
type Case struct{ Name, Want, Text string }

// ReadCases reads a file of scripts. Of each it has a line "## name", perhaps a line "want: " with what a test expects, and the
// script. Other lines that begin with # are comments.
func ReadCases(t testing.TB, path string) (cases []Case) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		name, named := strings.CutPrefix(line, "## ")
		want, wanted := strings.CutPrefix(line, "want: ")
		switch last := len(cases) - 1; {
		case named:
			cases = append(cases, Case{Name: strings.TrimSpace(name)})
		case wanted:
			cases[last].Want = strings.TrimSpace(want)
		case last >= 0 && !strings.HasPrefix(line, "#"):
			cases[last].Text += line
		}
	}
	return cases
}

func (s *Script) read(line string) {
	if when, then, found := strings.Cut(line, " ->"); found {
		s.Rules[when] = []Then{}
		for _, outcome := range strings.Split(then, "|") {
			if outcome = strings.TrimSpace(outcome); outcome != "" {
				s.Rules[when] = append(s.Rules[when], readThen(outcome))
			}
		}
		return
	}
	what, rest, _ := strings.Cut(line, ": ")
	items, words := strings.Split(rest, ", "), strings.Fields(rest)
	switch what {
	case "start":
		s.Start = readStates(items)
	case "mail":
		s.Mail = append(s.Mail, items...)
	case together:
		for _, item := range items {
			words := append(strings.Fields(item), "")
			s.Quorums[words[0]] = append(s.Quorums[words[0]], model.Quorum{Handler: together, Size: readNumber(words[1]), Role: words[2]})
		}
	case "role":
		s.Roles = append(s.Roles, model.Role{Name: words[0], Actors: words[1:]})
	case "delivery":
		s.Delivery = must.Get(network.ParseDeliveryModel(rest))
	case "queues":
		s.FIFO = readScope(words)
	case "fault":
		kind, losing := strings.CutSuffix(words[1], "-losing")
		kind, within := strings.CutSuffix(kind, "-within")
		s.Faults = append(s.Faults, model.Fault{Kind: must.Get(network.ParseEventKind(kind)), Scope: readScope(words[2:]),
			Budget: readNumber(words[0]), Label: words[1], Within: within, Losing: losing})
	case "byzantine":
		s.Faults = append(s.Faults, readByzantine(rest))
	case "never":
		are := readStates(items)
		s.Invariants = append(s.Invariants, func(states map[string]string) bool { return !holds(are, states) })
	case "final":
		are := readStates(items)
		s.Final = func(states map[string]string) bool { return holds(are, states) }
	default:
		panic("no line of a script: " + line)
	}
}

// holds reports whether all actors are what they are to be; any state will do where none is given.
func holds(are, states map[string]string) bool {
	for name, state := range are {
		is, exists := states[name]
		if exists == (state == "gone") || exists && state != "" && is != state {
			return false
		}
	}
	return true
}

func readThen(outcome string) (then Then) {
	for i, item := range strings.Split(outcome, ", ") {
		word, rest, _ := strings.Cut(item, " ")
		switch {
		case word == "fail":
			then.Fail = rest
		case i == 0:
			then.Become = item
		case word == "send":
			then.Send = append(then.Send, rest)
		case word == "create":
			then.Create = readStates([]string{rest})
		case word == "record":
			then.Record = rest
		case word == "stop":
			then.Stop = true
		default:
			panic("no outcome of a script: " + outcome)
		}
	}
	return then
}

// readStates reads actors with their states.
func readStates(items []string) map[string]string {
	states := map[string]string{}
	for _, item := range items {
		name, state, _ := strings.Cut(item, " ")
		states[name] = state
	}
	return states
}

func readScope(words []string) model.Scope {
	if slices.Equal(words, []string{"all"}) {
		return model.Scope{All: true}
	}
	slices.Sort(words)
	return model.Scope{Names: words}
}

func readNumber(word string) int {
	if word == "any" {
		return model.Unbounded
	}
	return must.Get(strconv.Atoi(word))
}

func readByzantine(text string) model.Fault {
	budget, rest, _ := strings.Cut(text, " ")
	f := model.Fault{Kind: model.Byzantine, Budget: readNumber(budget), Label: fmt.Sprintf("Byzantine sends (%s)", text)}
	for _, item := range strings.Split(rest, ", ") {
		from, mail, _ := strings.Cut(item, ">")
		f.Domain = append(f.Domain, mailTo(from, mail))
		f.Scope.Names = union(f.Scope.Names, []string{from})
	}
	return f
}
