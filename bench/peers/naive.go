package main

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// naive is the explorer in Java of the runtime's tests. It runs the handlers for each transition, from the
// start of the program, and tells states apart by the text of all their fields.
func naive(s settings) tool {
	var classpath string
	return tool{
		key: "naive", name: "a naive explorer in Java", how: "text of all fields", needs: "gradle", own: true,
		prepare: func(ctx context.Context, _ size, _ figures, progress io.Writer) error {
			if classpath != "" {
				return nil
			}
			fmt.Fprintln(progress, "gradle :harrier-runtime:testClasspath")
			out, err := exec.CommandContext(ctx, "gradle", "--no-daemon", "-q", ":harrier-runtime:testClasspath").Output()
			if err != nil {
				return fmt.Errorf("building the naive explorer: %w", err)
			}
			lines := strings.Split(strings.TrimSpace(string(out)), "\n")
			classpath = lines[len(lines)-1]
			return nil
		},
		command: func(z size) []string {
			return []string{
				"java", "--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED", "-cp", classpath,
				"harrier.runtime.NaiveRun", "paxos", "paxos.Paxos", fmt.Sprint(int(s.naiveTime.Seconds())),
				fmt.Sprint("proposers=", z.proposers), fmt.Sprint("acceptors=", z.acceptors), fmt.Sprint("learners=", z.learners),
			}
		},
		read: readNaive,
	}
}

func readNaive(output string) (figures, error) {
	f := figures{allFields: true}
	var verdict string
	if _, err := fmt.Sscanf(output, "verdict=%s states=%d transitions=%d seconds=%g", &verdict, &f.states, &f.transitions, &f.seconds); err != nil {
		return f, fmt.Errorf("its output %q: %w", output, err)
	}
	if verdict == "violated" {
		return f, fmt.Errorf("its verdict is %s", verdict)
	}
	f.unfinished = verdict == "inconclusive"
	return f, nil
}
