package frame

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"harrier/dbss"
	"harrier/internal/check"
	"harrier/internal/distributed/tasks"
	"harrier/internal/liveness"
	"harrier/internal/model/space"
	"harrier/internal/report"
	"harrier/symmetry"
)

// Summary is what benchmarks read of the document of a check.
type Summary struct {
	report.Answer
	dbss.Counts
	dbss.Discarded
	space.Stats
	check.Times
	check.Space
	check.Taken
	Levels   []uint64
	Phases   []tasks.Phase
	Symmetry *symmetry.Figures
	Liveness []liveness.Figures
	report.Details
}

// Check runs a harrier with the arguments of check, and returns what it came to and what it took. Its traces are not kept.
func Check(ctx context.Context, harrier string, arguments ...string) (*Summary, *os.ProcessState, error) {
	folder, err := os.MkdirTemp("", "harrier-bench")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(folder)
	c := exec.CommandContext(ctx, harrier, append([]string{"check", "--json", "--out", folder}, arguments...)...)
	c.Stderr = os.Stderr
	out, err := c.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, nil, err
	}
	s := &Summary{}
	if err := json.Unmarshal(out, s); err != nil {
		return nil, nil, fmt.Errorf("%s: it printed no summary: %w", strings.Join(c.Args, " "), err)
	}
	return s, c.ProcessState, nil
}
