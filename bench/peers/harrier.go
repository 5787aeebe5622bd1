package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"

	"harrier/bench/frame"
	"harrier/internal/report"
)

// harrier is harrier with some flags.
func harrier(s settings, key, how string, options ...string) tool {
	return tool{
		key: key, name: "harrier", how: how, needs: s.harrier,
		prepare: func(context.Context, size, figures, io.Writer) error { return nil },
		command: func(z size) []string {
			return append([]string{
				s.harrier, "check", "--json", filepath.Join(s.examples, "paxos"), "--set", fmt.Sprint("proposers=", z.proposers),
				"--set", fmt.Sprint("acceptors=", z.acceptors), "--set", fmt.Sprint("learners=", z.learners),
			}, options...)
		},
		read: readHarrier,
	}
}

func readHarrier(output string) (figures, error) {
	var s frame.Summary
	if err := json.Unmarshal([]byte(output), &s); err != nil {
		return figures{}, fmt.Errorf("its summary: %w", err)
	}
	if s.Verdict != report.Verified {
		return figures{}, fmt.Errorf("its verdict is %s %s", s.Verdict, s.Reason)
	}
	return figures{
		states: s.States, transitions: s.Transitions, seconds: s.Seconds, bytes: s.VisitedBytes + s.FrontierBytes + s.MemoBytes,
	}, nil
}
