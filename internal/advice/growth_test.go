package advice_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"harrier/dbss"
	"harrier/internal/advice"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
)

// A client that sends again and again fills an inbox, and who sends is told. So does one that receives a message again and again.
func TestGrowthTellsOfTheSender(t *testing.T) {
	repeats := model.Fault{Kind: model.Duplicate, Budget: model.Unbounded, Scope: model.Scope{Names: []string{"ann"}}}
	for mend, faults := range map[string][]model.Fault{
		"have senders wait for answers":                                   nil,
		`network().duplicating("bob"), which takes equal messages as one`: {repeats},
	} {
		p := toy.Read(`
			start: ann 0, bob 0
			mail: ann>ann tick
			ann 0 tick -> 0, send ann tick, send bob beat`)
		p.Faults = faults
		actors := must.Get(space.NewActors(p, space.Decomposition{}))
		must.Get(dbss.Search(t.Context(), actors, property.NewChecker(p, actors), dbss.Options{MaxStates: 200}, &dbss.Progress{}))
		if lines := advice.Growth(t.Context(), actors); len(lines) != 1 || !strings.Contains(lines[0], "the inbox of bob was still growing") ||
			!strings.Contains(lines[0], "messages from ann") || !strings.Contains(lines[0], mend) {
			t.Errorf("what grew with the faults %v is %q", faults, lines)
		}
		ended, end := context.WithCancel(t.Context())
		end()
		if lines := advice.Growth(ended, actors); len(lines) != 0 {
			t.Errorf("in no time it found %q", lines)
		}
	}
}

// Senders that each send once fill an inbox as far as there are senders: no growth is told of that, however late the search came there.
func TestGrowthIsNotToldOfAnInboxThatSendersFillOnce(t *testing.T) {
	start, mail, rules := "start: ann 0", "mail: ann>ann go", ""
	for i := range 12 {
		start += fmt.Sprintf(", s%d 0", i)
		mail += fmt.Sprintf(", ann>s%d go", i)
		rules += fmt.Sprintf("s%d 0 go -> 1, send ann tick\n", i)
	}
	p := toy.Read(start + "\n" + mail + "\n" + rules)
	actors := must.Get(space.NewActors(p, space.Decomposition{}))
	must.Get(dbss.Search(t.Context(), actors, property.NewChecker(p, actors), dbss.Options{Order: dbss.BreadthFirst}, &dbss.Progress{}))
	if lines := advice.Growth(t.Context(), actors); len(lines) != 0 {
		t.Errorf("what grew is %q", lines)
	}
}
