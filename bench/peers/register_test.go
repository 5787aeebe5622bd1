package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"harrier/internal/report"
)

// TestVerdictsOnTheRegister holds harrier, and Stateright where it was built, to the verdicts on a small register and on one with
// a quorum that is none, and both to the same states of the protocol.
func TestVerdictsOnTheRegister(t *testing.T) {
	t.Setenv("CARGO_NET_OFFLINE", "true")
	arguments := []string{"-harrier", harrierBuilt(), "-folder", ".", "-runs", "1", "-register", "1"}
	if why := unavailable("register"); why != "" {
		t.Logf("without Stateright: %s", why)
		arguments = append(arguments, "-only", "harrier")
	}
	var stdout bytes.Buffer
	if code, err := run(t.Context(), arguments, &stdout, t.Output()); code != 0 || err != nil {
		t.Fatalf("%d, %v", code, err)
	}
	for _, want := range []string{
		"| 2 clients, 2 servers | verified | harrier | no reductions | 541 | 816 |",
		"| 2 clients, 3 servers, a quorum of 1 | violated | harrier | as by default |",
	} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("%q is not in\n%s", want, &stdout)
		}
	}
}

// saysOfRegister is a tool whose output is given.
func saysOfRegister(key, output string, read func(string) (figures, bool, error)) registerTool {
	return registerTool{
		key: key, name: key, how: "nothing", read: read,
		command: func(registerCase, bool) []string { return []string{"echo", output} },
	}
}

func TestOtherFindingsOnTheRegisterAreNoted(t *testing.T) {
	s := settings{runs: 1, timeout: time.Minute}
	says := func(key, output string) registerTool { return saysOfRegister(key, output, readRegisterStateright) }
	right, wrong := registerCase{clients: 2, servers: 2}, registerCase{clients: 2, servers: 2, quorum: 1}
	verified := "unique=7 generated=9 seconds=1 violated=false"
	for _, c := range []struct {
		name  string
		of    registerCase
		other string // what Stateright says beside harrier, which verifies with the same states
		fails bool
	}{
		{"the same", right, verified, false},
		{"other states", right, "unique=8 generated=9 seconds=1 violated=false", true},
		{"other transitions", right, "unique=7 generated=8 seconds=1 violated=false", true},
		{"a violation of the right one", right, "unique=7 generated=9 seconds=1 violated=true", true},
		{"none of the wrong one", wrong, verified, true},
		{"no verdict", right, "unique=7 generated=9 seconds=1", true},
	} {
		tools := []registerTool{says(withoutReductions, verified), says(depthFirst, c.other)}
		err := s.equalProtocols(t.Context(), c.of, tools, io.Discard)
		if err == nil {
			_, err = s.askRegister(t.Context(), c.of, tools, io.Discard)
		}
		if (err != nil) != c.fails {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestReadRegisterOfHarrier(t *testing.T) {
	for _, c := range []struct {
		verdict  report.Verdict
		violated bool
		fails    bool
	}{{report.Verified, false, false}, {report.Violated, true, false}, {report.Inconclusive, false, true}} {
		_, violated, err := readRegisterHarrier(`{"verdict": "` + string(c.verdict) + `"}`)
		if violated != c.violated || (err != nil) != c.fails {
			t.Errorf("%s: %v, %v", c.verdict, violated, err)
		}
	}
}
