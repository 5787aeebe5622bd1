package network_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"harrier/internal/model/network"
)

// only is the set of some actors.
func only(names ...string) network.Scope { return network.Scope{Names: names} }

var everyone = network.Scope{All: true}

func queues(to network.Scope) []network.Declared {
	return []network.Declared{{Channel: network.FIFO, To: to}}
}

// The faults of a scenario, by what declares them.
var (
	lossy       = network.Fault{Kind: network.Lose, Scope: everyone, SparesSelf: true, Budget: network.Unbounded}
	lossyOnce   = network.Fault{Kind: network.Lose, Scope: everyone, SparesSelf: true, Budget: 1}
	duplicating = network.Fault{Kind: network.Duplicate, Scope: only("b"), Budget: network.Unbounded}
	doublesOnce = network.Fault{Kind: network.Duplicate, Scope: only("b"), Budget: 1}
	crashesOnce = network.Fault{Kind: network.Restart, Scope: only("b"), Budget: 1}
	crashes     = network.Fault{Kind: network.Restart, Scope: only("b"), Budget: network.Unbounded}
	dies        = network.Fault{Kind: network.Restart, Scope: only("b"), Within: true, Budget: 1}
	stopsTwice  = network.Fault{Kind: network.Stop, Scope: everyone, Budget: 2}
	endsWithin  = network.Fault{Kind: network.Stop, Scope: everyone, Within: true, Budget: 1}
	goesDown    = network.Fault{Kind: network.Crash, Scope: only("b"), Within: true, Losing: true, Budget: 1}
	waitsDown   = network.Fault{Kind: network.Crash, Scope: only("b"), Budget: network.Unbounded}
	splitsOnce  = network.Fault{Kind: network.Split, Scope: only("a"), Budget: 1}
	splits      = network.Fault{Kind: network.Split, Scope: only("a"), Budget: network.Unbounded}
	oneWay      = network.Fault{Kind: network.Split, Scope: only("b"), Senders: []string{"a", "b"}, Budget: 1}
	splitsOther = network.Fault{Kind: network.Split, Scope: only("b"), Budget: 1}
	byzantine   = network.Fault{Kind: network.Byzantine, Scope: only("c", "d"), Budget: 2}
)

func TestChannel(t *testing.T) {
	for _, c := range []struct {
		name    string
		network network.Network
		of      map[string]network.Channel // by receiver
	}{
		{"nothing is said", network.Network{}, map[string]network.Channel{"a": network.Unordered}},
		{"fifo(b)", network.Network{Channels: queues(only("b"))}, map[string]network.Channel{"a": network.Unordered, "b": network.FIFO}},
		{"fifo()", network.Network{Channels: queues(everyone)}, map[string]network.Channel{"a": network.FIFO}},
		{"duplicating(b)", network.Network{Faults: []network.Fault{lossy, duplicating}},
			map[string]network.Channel{"a": network.Unordered, "b": network.Repeating}},
		{"duplicating(1, b)", network.Network{Faults: []network.Fault{doublesOnce}}, map[string]network.Channel{"b": network.Unordered}},
		{"duplicating(b), fifo(b)", network.Network{Channels: queues(only("b")), Faults: []network.Fault{duplicating}}, map[string]network.Channel{"b": network.FIFO}},
		{"other faults without bound", network.Network{Faults: []network.Fault{lossy, crashes, splits}}, map[string]network.Channel{"b": network.Unordered}},
	} {
		for receiver, want := range c.of {
			if got := c.network.Channel(receiver); got != want {
				t.Errorf("%s: the channel to %s is %+v, want %+v", c.name, receiver, got, want)
			}
		}
	}
}

// event reads an event as the tables have it, such as "lose a>b of 1": its kind, the message that it takes, and the number of its fault.
func event(t *testing.T, text string) (k network.EventKind, fault int, messages []network.Message) {
	t.Helper()
	words := strings.Fields(text)
	k, err := network.ParseEventKind(words[0])
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range words {
		if from, to, ok := strings.Cut(w, ">"); ok {
			messages = append(messages, network.Message{Sender: from, Receiver: to})
		}
		if w == "of" {
			fmt.Sscan(words[i+1], &fault)
		}
	}
	return k, fault, messages
}

func TestBudgetGuard(t *testing.T) {
	faults := []network.Fault{splitsOnce, lossy, lossyOnce, crashesOnce, crashes, splitsOther, splits}
	for _, c := range []struct {
		delivery network.DeliveryModel
		event    string
		fault    int   // -1 for none
		open     []int // the splits that the message has to cross
		none     bool  // whether there is no guard
	}{
		{event: "receive a>b", fault: -1, open: []int{0, 5, 6}},
		{event: "receive b>c", fault: -1, open: []int{5}},
		{event: "receive c>d", none: true},
		{event: "receive a>a", none: true},
		{event: "receive >b", none: true}, // of the scenario, so it was there before any cut
		{event: "receive c>d b>d", fault: -1, open: []int{5}},
		{event: "internal", none: true},
		{event: "restart of 3", fault: 3},
		{event: "restart of 4", none: true},
		{event: "restart-within a>b of 3", fault: 3, open: []int{0, 5, 6}},
		{event: "restart-within a>b of 4", fault: 4, open: []int{0, 5, 6}},
		{event: "restart-within of 3", fault: 3},
		{event: "lose a>b of 1", none: true},
		{event: "lose a>b of 2", fault: 2},
		{event: "lose a>b of 0", fault: 0},
		{event: "split of 0", fault: 0},
		{event: "split of 6", fault: 6},
		{event: "heal of 6", fault: 6},
		{event: "duplicate c>b of 2", fault: 2, open: []int{5}},
		{network.MP, "receive a>b", 0, nil, true},
		{network.MP, "deliver a>b", -1, []int{0, 5, 6}, false},
		{network.MMP, "receive a>b", 0, nil, true},
		{network.MMP, "deliver b>c", -1, []int{5}, false},
		{network.MP, "restart-within a>b of 3", 3, nil, false},
		{network.MP, "duplicate c>b of 2", 2, []int{5}, false},
		{network.M, "byzantine a>b of 2", 2, nil, false},
	} {
		n := &network.Network{Delivery: c.delivery, Faults: faults}
		k, fault, messages := event(t, c.event)
		g := n.BudgetGuard(k, fault, messages...)
		switch {
		case c.none != (g == nil):
			t.Errorf("%s, %s: %+v", c.delivery, c.event, g)
		case g != nil && (g.Kind != k || g.Fault != c.fault || !slices.Equal(g.Open, c.open)):
			t.Errorf("%s, %s: %+v, want fault %d, splits %v", c.delivery, c.event, *g, c.fault, c.open)
		}
	}
}

// TestConsume takes events one after another, and has those that budgets or cuts disable change nothing.
func TestConsume(t *testing.T) {
	for _, c := range []struct {
		name   string
		faults []network.Fault
		run    string // events; behind those that are disabled stands "disabled"
		taken  []int  // in the end, how often each fault that has a bound happened
	}{
		{"a crash", []network.Fault{crashesOnce}, "restart, receive a>b, restart disabled", []int{1}},
		{"crashes without bound", []network.Fault{crashes}, "restart, restart, restart", []int{0}},
		{"two stops", []network.Fault{stopsTwice}, "stop, stop, stop disabled", []int{2}},
		{"a crash within a handler, or between", []network.Fault{dies}, "restart-within a>b, restart disabled, restart-within disabled", []int{1}},
		{"a crash, and being up again", []network.Fault{goesDown}, "crash, recover, recover, lose a>b, crash disabled", []int{1}},
		{"a crash within a handler, or between, and downtime", []network.Fault{goesDown}, "crash-within a>b, recover, crash disabled, crash-within a>b disabled", []int{1}},
		{"a stop within a handler", []network.Fault{endsWithin}, "stop-within a>b, stop disabled", []int{1}},
		{"a loss, and losses without bound", []network.Fault{lossyOnce, lossy}, "lose a>b of 0, lose a>b of 0 disabled, lose a>b of 1, lose a>b of 1", []int{1, 0}},
		{"a duplicate", []network.Fault{doublesOnce}, "duplicate a>b, duplicate a>b disabled, receive a>b", []int{1}},
		{"duplicates without bound", []network.Fault{duplicating}, "duplicate a>b, duplicate a>b", []int{0}},
		{"an adversary", []network.Fault{byzantine}, "byzantine c>a, byzantine d>a, byzantine c>a disabled", []int{2}},
		{"budgets are apart", []network.Fault{crashesOnce, stopsTwice}, "restart of 0, stop of 1, restart of 0 disabled, stop of 1, stop of 1 disabled", []int{1, 2}},
		{"a cut stops what crosses it, until it heals", []network.Fault{splitsOnce},
			"receive a>b, split, receive a>b disabled, receive b>a disabled, receive b>c, receive a>a, receive >a, heal, receive a>b", []int{1}},
		{"a network splits when it is whole, and heals when it is split", []network.Fault{splits},
			"heal disabled, split, split disabled, heal, heal disabled, split, heal, split", []int{0}},
		{"as often as the budget says", []network.Fault{splitsOnce}, "split, heal, split disabled, receive a>b", []int{1}},
		{"messages are lost at a cut", []network.Fault{splitsOnce}, "lose a>b disabled, split, lose a>b, lose b>a, heal, lose a>b disabled", []int{1}},
		{"losses elsewhere cross no cut", []network.Fault{splitsOnce, lossyOnce}, "split, lose a>b of 1, lose b>a of 1 disabled", []int{1, 1}},
		{"nor do crashes and what an adversary sends", []network.Fault{splitsOnce, crashesOnce, byzantine},
			"split, restart of 1, byzantine c>a of 2", []int{1, 1, 1}},
		{"a crash within the handler of a message does", []network.Fault{splitsOnce, dies},
			"split, restart-within a>b of 1 disabled, restart-within c>b of 1", []int{1, 1}},
		{"so does a duplicate", []network.Fault{splitsOnce, doublesOnce}, "split, duplicate a>b of 1 disabled, duplicate c>b of 1", []int{1, 1}},
		{"a cut of one way", []network.Fault{oneWay},
			"split, receive a>b disabled, receive b>a, receive c>b, receive b>b, receive >b, lose a>b, heal, receive a>b", []int{1}},
		{"two cuts at once", []network.Fault{splitsOnce, splitsOther},
			"split of 0, split of 1, receive a>b disabled, receive a>c disabled, heal of 0, receive a>b disabled, receive a>c, heal of 1, receive a>b", []int{1, 1}},
	} {
		n := &network.Network{Faults: c.faults}
		budgets := make([]network.Budget, len(c.faults))
		for _, step := range strings.Split(c.run, ", ") {
			k, fault, messages := event(t, step)
			before := slices.Clone(budgets)
			enabled := n.Consume(n.BudgetGuard(k, fault, messages...), budgets)
			if enabled == strings.HasSuffix(step, " disabled") || !enabled && !slices.Equal(budgets, before) {
				t.Errorf("%s, at %q: enabled %v, budgets from %v to %v", c.name, step, enabled, before, budgets)
			}
		}
		for i, want := range c.taken {
			if got := network.Taken(budgets[i]); got != want {
				t.Errorf("%s: fault %d happened %d times, want %d", c.name, i, got, want)
			}
		}
	}
}

// TestWhomFaultsAffect has the messages that a fault may take, and whose messages a cut stops.
func TestWhomFaultsAffect(t *testing.T) {
	fromA, toSelfToo := lossy, lossy
	fromA.Senders, toSelfToo.SparesSelf = []string{"a"}, false
	for _, c := range []struct {
		name    string
		fault   network.Fault
		applies string // messages that it may take or copy
		not     string
	}{
		{"lossy()", lossy, "a>b c>b >b", "b>b"},
		{"lossy().from(a)", fromA, "a>b a>c", "b>c >b a>a"},
		{"lossy().andToSelf()", toSelfToo, "a>b b>b", ""},
	} {
		for text, want := range map[string]bool{c.applies: true, c.not: false} {
			_, _, messages := event(t, "lose "+text)
			for _, m := range messages {
				if c.fault.AppliesTo(m) != want {
					t.Errorf("%s, a message of %q to %q: want %v", c.name, m.Sender, m.Receiver, want)
				}
			}
		}
	}
	if m := (network.Message{Sender: "a", Receiver: "b"}); lossy.Crosses(m) || !splits.Crosses(m) {
		t.Error("what crosses a cut crosses that of a split alone")
	}
}

// TestAllows has each fault allow the events of its kind, those within handlers if it says so, and a cut its Heal and the loss of messages.
func TestAllows(t *testing.T) {
	for _, c := range []struct {
		fault network.Fault
		kinds []network.EventKind
	}{
		{crashes, []network.EventKind{network.Restart}},
		{dies, []network.EventKind{network.Restart, network.RestartWithin}},
		{stopsTwice, []network.EventKind{network.Stop}},
		{endsWithin, []network.EventKind{network.Stop, network.StopWithin}},
		{lossy, []network.EventKind{network.Lose}},
		{duplicating, []network.EventKind{network.Duplicate}},
		{splits, []network.EventKind{network.Split, network.Lose, network.Heal}},
		{byzantine, []network.EventKind{network.Byzantine}},
		{goesDown, []network.EventKind{network.Crash, network.CrashWithin, network.Recover, network.Lose}},
		{waitsDown, []network.EventKind{network.Crash, network.Recover}},
	} {
		for k := network.Receive; k <= network.Recover; k++ {
			if c.fault.Allows(k) != slices.Contains(c.kinds, k) {
				t.Errorf("a fault of kind %s allows %s: %v", c.fault.Kind, k, c.fault.Allows(k))
			}
		}
	}
}

// TestFaultName numbers faults that have one label, so that each has a name of its own.
func TestFaultName(t *testing.T) {
	n := &network.Network{Faults: []network.Fault{{Label: "loss"}, {Label: "crash of b"}, {Label: "loss"}}}
	for i, want := range []string{"loss", "crash of b", "loss (2)"} {
		if got := n.FaultName(i); got != want || n.FindFault(got) != i {
			t.Errorf("fault %d is %q, want %q, which finds %d", i, got, want, n.FindFault(got))
		}
	}
	if i := n.FindFault("loss (3)"); i != -1 {
		t.Errorf("a fault that is not there is %d", i)
	}
}

// TestAdmitted lets a message be part of the quorums of its sender's role, and of those that take any.
func TestAdmitted(t *testing.T) {
	n := &network.Network{Roles: []network.Role{{Name: "voter", Actors: []string{"voter1", "voter2"}}, {Name: "leader", Actors: []string{"leader"}}}}
	votes, all := network.Quorum{Handler: "votes", Size: 2, Role: "voter"}, network.Quorum{Handler: "all"}
	for sender, want := range map[string][]network.Quorum{"voter2": {votes, all}, "leader": {all}, "": {all}, "voter": {all}} {
		if got := n.Admitted([]network.Quorum{votes, all}, sender); !slices.Equal(got, want) {
			t.Errorf("of %q: %v, want %v", sender, got, want)
		}
	}
	for name, want := range map[string][]string{"voter": {"voter1", "voter2"}, "voter1": {"voter1"}, "leader": {"leader"}, "nobody": nil} {
		if got := n.Called(name); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}
