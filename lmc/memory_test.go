package lmc_test

import (
	"fmt"
	"runtime"
	"testing"

	"harrier/internal/memory"
	"harrier/internal/toy"
	"harrier/lmc"
	"harrier/property"
)

// TestWaysAreSmall has a server be reached in thousands of ways: each subset of its messages leads to the number of these.
func TestWaysAreSmall(t *testing.T) {
	const messages, most = 12, 64 // bytes for each way, with all else
	s := &toy.Script{Start: map[string]string{"server": "0"}, Rules: map[string][]toy.Then{}}
	for i := range messages {
		s.Mail = append(s.Mail, fmt.Sprintf("client%d>server m%d", i, i))
		for k := range messages {
			s.Rules[fmt.Sprintf("server %d m%d", k, i)] = []toy.Then{{Become: fmt.Sprint(k + 1)}}
		}
	}
	actors := actorsOf(t, s)
	before := memory.Live()
	probe, err := lmc.NewProbe(t.Context(), actors, property.NewChecker(s, actors), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	took := memory.Live() - before
	if ways := probe.Ways(); ways != 1<<messages || took > most*ways {
		t.Errorf("%d bytes for %d ways", took, ways)
	}
	t.Log(took, "bytes")
	runtime.KeepAlive(s)
}
