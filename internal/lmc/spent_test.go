package lmc_test

import (
	"fmt"
	"testing"

	"harrier/internal/lmc"
	"harrier/internal/property"
	"harrier/internal/testkit/toy"
)

// TestTokensTakeLittle has a server be reached in as many ways as its messages have subsets: each leads to the number of these.
func TestTokensTakeLittle(t *testing.T) {
	const messages = 20
	s := &toy.Script{Start: map[string]string{"server": "0"}, Rules: map[string][]toy.Then{}}
	for i := range messages {
		s.Mail = append(s.Mail, fmt.Sprintf("client%d>server m%d", i, i))
		for k := range messages + 1 {
			s.Rules[fmt.Sprintf("server %d m%d", k, i)] = []toy.Then{{Become: fmt.Sprint(k + 1)}}
		}
	}
	actors := actorsOf(t, s)
	probe, err := lmc.NewProbe(t.Context(), actors, property.NewChecker(s, actors), 1<<13)
	if err != nil {
		t.Fatal(err)
	}
	if n := probe.LocalStates(); n != messages+1 {
		t.Errorf("%d local states", n)
	}
	if n := probe.Functions(); n > messages*messages*messages {
		t.Errorf("%d functions of tokens", n)
	}
	t.Log(probe.Functions(), "functions of tokens")
}
