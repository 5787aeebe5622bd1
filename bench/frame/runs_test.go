package frame

import (
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"harrier/compare"
)

// TestRunsEndWithTheirTime makes a run that ends and one that would take a minute.
func TestRunsEndWithTheirTime(t *testing.T) {
	folder := t.TempDir()
	harrier, program := filepath.Join(folder, "harrier"), filepath.Join(folder, "A.java")
	script := "#!/bin/sh\ncase \"$*\" in *full*) exec sleep 60;; esac\necho 'harrier: no' >&2\nexit 2\n"
	if err := os.WriteFile(harrier, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	modes, err := compare.ParseModes("dbss,stateful,bfs")
	if err != nil {
		t.Fatal(err)
	}
	var jobs []compare.Job
	for _, m := range modes {
		jobs = append(jobs, compare.Job{Program: compare.Program{Path: program}, Mode: m})
	}
	runs := Runs{Harrier: harrier, Out: filepath.Join(folder, "out"), Within: time.Second}
	results, err := runs.Make(t.Context(), jobs, io.Discard)
	if err != nil || len(results) != 1 || results[0].Mode != "dbss" {
		t.Errorf("%v, %+v", err, results)
	}
}
