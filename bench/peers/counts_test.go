package main

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

// TestProgramsHaveTheCountsOfPeers checks with harrier all protocols of few states, and with peers that are there the smallest of each.
func TestProgramsHaveTheCountsOfPeers(t *testing.T) {
	t.Setenv("CARGO_NET_OFFLINE", "true")
	s := settings{harrier: harrierBuilt(), folder: ".", runs: 1, timeout: time.Minute, optimize: "-O0"}
	checked := map[string]bool{}
	for _, c := range s.countCases() {
		if c.want > 1_000 {
			continue
		}
		tools := s.harriers(c)[:1]
		for _, p := range c.peers {
			if !checked[p.name] && unavailable(p.name) == "" {
				checked[p.name] = true
				tools = append(tools, p)
			}
		}
		for _, tool := range tools {
			if _, err := s.countCells(t.Context(), c, tool, t.Output()); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestOtherCountsEndTheComparison(t *testing.T) {
	s := settings{runs: 1, timeout: time.Minute}
	c := countCase{protocol: "p", counted: states, want: 7}
	says := func(line string) countTool {
		return countTool{name: "fake", needs: "echo", command: []string{"echo", line}, read: counting(`unique=(\d+)`, "good")}
	}
	if cells, err := s.countCells(t.Context(), c, says("good unique=7"), io.Discard); err != nil || cells[4] != "7" {
		t.Errorf("%q, %v", cells, err)
	}
	var different unequal
	if _, err := s.countCells(t.Context(), c, says("good unique=8"), io.Discard); !errors.As(err, &different) {
		t.Errorf("another count: %v", err)
	}
	for _, line := range []string{"unique=7", "good"} {
		if _, err := s.countCells(t.Context(), c, says(line), io.Discard); err == nil || errors.As(err, &different) {
			t.Errorf("%s: %v", line, err)
		}
	}
	own := says("good unique=8")
	own.own = true
	if cells, err := s.countCells(t.Context(), c, own, io.Discard); err != nil || cells[4] != "8" || cells[1] == states {
		t.Errorf("its own count: %q, %v", cells, err)
	}
	absent := says("")
	absent.needs = "no-such-command"
	if cells, err := s.countCells(t.Context(), c, absent, io.Discard); err != nil || !strings.HasPrefix(cells[4], "not run") {
		t.Errorf("%q, %v", cells, err)
	}
}
