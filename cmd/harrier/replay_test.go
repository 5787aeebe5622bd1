package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"harrier/bridge"
	"harrier/internal/check"
	"harrier/internal/model"
	"harrier/internal/plan"
	"harrier/internal/process/files"
	"harrier/internal/report"
	"harrier/internal/testkit/must"
)

// traced are examples with short violations, which together have steps of many kinds.
var traced = []bridge.Source{
	{Path: "abp-faulty"},
	{Path: "two-phase-commit", Parameters: map[string]string{"missing": "1"}, Delivery: model.MP},
	{Path: "byzantine-generals", Parameters: map[string]string{"generals": "3"}},
}

// TestChangedTraces replays traces in which something was changed, as somebody may who sends them. The result is the
// violation, a rule that the program breaks, or wrong use, with a line that says why.
func TestChangedTraces(t *testing.T) {
	jdk := must.Get(bridge.FindJDK(""))
	home := must.Get(bridge.Prepare(jdk))
	defer home.Remove()
	must.Do(home.KeepIn(t.TempDir(), "", ""))
	jvm := must.Get(bridge.Open(jdk, home, bridge.Options{StepTime: time.Minute}))
	folder, seen := t.TempDir(), map[string]int{}
	for _, source := range traced {
		t.Run(source.Path, func(t *testing.T) {
			content := violate(t, jvm, source)
			codes := map[int]int{}
			replay := func(what string, content []byte) {
				code, text := replayed(t, jvm, filepath.Join(folder, "changed.json"), content)
				codes[code]++
				line, rest, _ := strings.Cut(text, "\n")
				if code != report.ExitUsage && code != report.ExitViolated && code != report.ExitRule || len(line) > 1000 || strings.Contains(rest, "harrier.runtime") {
					t.Errorf("%s: exit code %d\n%.2000s", what, code, text)
				}
			}
			if replay("nothing changed", content); codes[report.ExitViolated] != 1 {
				t.Fatal("the trace does not replay")
			}
			change(t, content, seen, replay)
			t.Logf("exit codes: %v", codes)
		})
	}
}

// violate gives a trace of a violation.
func violate(t *testing.T, jvm *bridge.JVM, source bridge.Source) []byte {
	t.Helper()
	source.Path = filepath.Join("..", "..", "examples", source.Path)
	o := plan.Default()
	o.Source, o.Model, o.Hashing = source, source.Delivery.String(), "full"
	o.Reduction, o.Symmetry = "off", "off"
	c := check.New(must.Get(plan.Resolve(o)), check.Environment{Keep: files.KeepIn(t.TempDir())})
	c.JVM = jvm
	summary, err := c.Run(context.Background())
	if err != nil || summary.Violation == nil {
		t.Fatalf("no violation: %v", err)
	}
	return must.Get(os.ReadFile(summary.Violation.Trace))
}

func replayed(t *testing.T, jvm *bridge.JVM, path string, content []byte) (code int, text string) {
	must.Do(os.WriteFile(path, content, 0o644))
	ctx, r := context.Background(), replay{}
	trace, source, err := r.read(path)
	if err == nil {
		err = r.execute(ctx, jvm, source, trace, io.Discard)
	}
	var stderr bytes.Buffer
	code = exitCode(ctx, err, &stderr, nil)
	return code, stderr.String()
}

// change gives a trace with one thing changed at a time: a value of each kind that is there, unless one of
// it was seen before, and bytes of classes.
func change(t *testing.T, content []byte, seen map[string]int, give func(what string, content []byte)) {
	var root map[string]any
	must.Do(json.Unmarshal(content, &root))
	random := rand.New(rand.NewPCG(1, 2))
	number := regexp.MustCompile(`\[\d+\]`)
	kind := func(path string) string { return number.ReplaceAllString(path, "") }
	isNew := func(path string) bool { return seen[kind(path)] == 0 }
	var walk func(path string, was any, set func(any))
	try := func(path string, was any, set func(any), others ...any) {
		for _, other := range others {
			set(other)
			b := must.Get(json.Marshal(root))
			give(fmt.Sprintf("%s = %.60v", path, other), b)
		}
		set(was)
	}
	walk = func(path string, was any, set func(any)) {
		if isNew(path) {
			seen[kind(path)]++
			try(path, was, set, nil, "", 1, 1e9, []any{}, map[string]any{})
			text, _ := was.(string)
			switch encoded := strings.HasSuffix(path, ".payload") || strings.HasPrefix(path, "classes["); {
			case encoded:
				try(path, was, set, damaged(t, text, random)...)
			case text != "":
				try(path, was, set, "other", "java.lang.Object")
			}
		}
		switch was := was.(type) {
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(was)) {
				value, place := was[key], path+"."+key
				if path == "classes" {
					place = path + "[" + key + "]"
				}
				if isNew(place) {
					delete(was, key)
					give(place+" is missing", must.Get(json.Marshal(root)))
					was[key] = value
				}
				walk(place, value, func(v any) { was[key] = v })
			}
		case []any:
			for i := range was {
				walk(fmt.Sprintf("%s[%d]", path, i), was[i], func(v any) { was[i] = v })
			}
			if len(was) > 1 && seen[kind(path)+" in order"] == 0 {
				seen[kind(path)+" in order"]++
				reversed := slices.Clone(was)
				slices.Reverse(reversed)
				try(path, was, set, reversed, was[1:], was[:len(was)-1], append(slices.Clone(was), was...))
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(root)) {
		walk(key, root[key], func(v any) { root[key] = v })
	}
}

// damaged are variants of bytes in base64.
func damaged(t *testing.T, text string, random *rand.Rand) []any {
	b := must.Get(base64.StdEncoding.DecodeString(text))
	all := [][]byte{b[:len(b)/2], b[:1], append(slices.Clone(b), 0), bytes.Repeat(b, 2), bytes.Repeat([]byte{0xff}, len(b))}
	for range 4 {
		flipped := slices.Clone(b)
		flipped[random.IntN(len(b))] ^= byte(1 << random.IntN(8))
		all = append(all, flipped)
	}
	var texts []any
	for _, v := range all {
		texts = append(texts, base64.StdEncoding.EncodeToString(v))
	}
	return texts
}
