package checkpoint_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"harrier/dbss"
	"harrier/internal/checkpoint"
	"harrier/internal/distributed/levels"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
	"harrier/por/macro"
	"harrier/symmetry"
)

// A subject is a program, and how it is searched.
type subject struct {
	program *toy.Protocol
	plain   bool // single steps
	workers int
}

// found is what a search must find whether it was interrupted or not.
type found struct {
	verdict                                                       string
	complete                                                      bool
	length                                                        int // of the counterexample
	states, transitions, terminal, leftover, violations, internal uint64
	depth                                                         int
	handlers                                                      map[string]uint64
	faults, failed                                                string
	steps, locals, messages                                       uint64
	varies                                                        bool // internal and handlers depend on who is first
}

// search begins or goes on with a search whose checkpoint is in a folder, "" for none.
func (s subject) search(folder string, most uint64) (f found, err error) {
	s.program.Forget()
	actors := must.Get(space.NewActors(s.program, s.program.Decomposition(space.Selective)))
	checker := property.NewChecker(s.program, actors)
	o := dbss.Options{Order: dbss.BreadthFirst, KeepGoing: true, MaxStates: most, Workers: s.workers}
	var permutations []*space.Permutation
	if group := must.Get(symmetry.Find(actors)); !group.IsTrivial() {
		checker.Permute(symmetry.Labels(group.Generators))
		checker.Combine(group)
		o.Canonical, o.Orbits, permutations = group.Canonicalizer, group.Numbers, group.Permutations()
	}
	if folder != "" {
		kept := must.Get(checkpoint.Open(folder, ""))
		defer kept.Close()
		o.Levels, o.LevelsFailed, o.Handlers = kept.Levels, kept.LevelsFailed, actors.Values
	}
	var r *dbss.Result
	if s.plain {
		r, err = dbss.Search(context.Background(), &space.SharedActors{Actors: actors}, checker, o, &dbss.Progress{})
	} else {
		system := macro.New(actors, checker)
		system.Permute(permutations)
		r, err = system.Search(context.Background(), o, &dbss.Progress{})
	}
	if err != nil {
		return f, err
	}
	stats := actors.LocalSteps.Stats()
	f = found{
		complete: r.Complete, states: r.States, transitions: r.Transitions, terminal: r.Terminal, leftover: r.Leftover,
		violations: r.Violations, internal: r.Internal, depth: r.Depth, handlers: map[string]uint64{},
		faults: strings.TrimRight(fmt.Sprint(r.FaultsTaken), "0 ]"), failed: fmt.Sprint(r.Failed),
		steps: stats.LocalSteps, locals: stats.LocalStates, messages: stats.Messages,
		varies: s.workers > 1 && permutations != nil && !s.plain, // which state of an orbit is met first
	}
	if r.Violation != nil {
		f.verdict, f.length = fmt.Sprint(r.Violation.Kind), len(r.Violation.Path)
	}
	for number, runs := range r.HandlerRuns {
		if runs > 0 {
			f.handlers[actors.Values.HandlerLabel(number)] = runs
		}
	}
	return f, nil
}

func (f found) differsFrom(o found) string {
	if f.varies || o.varies {
		f.internal, f.handlers, o.internal, o.handlers = 0, nil, 0, nil
	}
	f.varies, o.varies = false, false
	one, other := fmt.Sprintf("%+v", f), fmt.Sprintf("%+v", o)
	if one == other {
		return ""
	}
	return fmt.Sprintf("it found\n%s, want\n%s", one, other)
}

func newFolder(t *testing.T) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "checkpoint")
	must.Do(checkpoint.Create(folder, checkpoint.Command{Version: "1"}))
	return folder
}

// manifests are the paths of those of a checkpoint, by variant of the search.
func manifests(folder string) map[string][]string {
	all := map[string][]string{}
	for _, path := range must.Get(filepath.Glob(filepath.Join(checkpoint.Search(folder), "levels-*", "*.manifest"))) {
		all[filepath.Dir(path)] = append(all[filepath.Dir(path)], path)
	}
	return all
}

const mostStates = 800

// subjects are programs of all kinds that have an end, with their searches.
func subjects(t *testing.T, first uint64, count int, test func(s subject, want found, folder string, random *rand.Rand)) {
	byDelivery := func(seed uint64) *toy.Protocol { return toy.Quorums.Random(seed).Under(model.DeliveryModel(seed % 3)) }
	kinds := []func(seed uint64) *toy.Protocol{
		toy.Messages.Random, toy.Events.Random, toy.Conversations, toy.Symmetric.Random, byDelivery, toy.Auxiliary.Random, toy.Friends,
	}
	anew := 0 // searches that began anew
	for seed := first; count > 0; seed++ {
		s := subject{kinds[seed%uint64(len(kinds))](seed), seed%3 == 0, 1 + int(seed/3%2)}
		steps := subject{s.program, true, 1}
		if plain, err := steps.search("", mostStates); err != nil || plain.states >= mostStates || plain.states < 20 {
			continue
		}
		folder := newFolder(t)
		want, err := s.search(folder, mostStates)
		if err != nil {
			t.Fatal(err)
		}
		if len(manifests(folder)) > 1 {
			anew++
		}
		t.Logf("seed %d: %d states", seed, want.states)
		test(s, want, folder, rand.New(rand.NewPCG(seed, 0)))
		count--
	}
	if anew == 0 && first == 0 {
		t.Error("no search began anew")
	}
}

// TestSearchesGoOn goes on with searches of which some levels are complete.
func TestSearchesGoOn(t *testing.T) {
	subjects(t, 0, 9, func(s subject, want found, folder string, random *rand.Rand) {
		if plain, err := s.search("", mostStates); err != nil || plain.differsFrom(want) != "" {
			t.Errorf("with a checkpoint %s, %v", want.differsFrom(plain), err)
		}
		for variant, paths := range manifests(folder) {
			whole := filepath.Join(t.TempDir(), "whole")
			must.Do(os.CopyFS(whole, os.DirFS(variant)))
			for n := range paths {
				for _, path := range paths[n:] {
					must.Do(os.Remove(path))
				}
				s.workers = 1 + random.IntN(2)
				got, err := s.search(folder, mostStates)
				if err != nil || got.differsFrom(want) != "" {
					t.Fatalf("with %d of %d levels: %s %v", n, len(paths), got.differsFrom(want), err)
				}
				if again := manifests(folder)[variant]; len(again) != len(paths) {
					t.Errorf("%d levels are written, want %d", len(again), len(paths))
				}
				must.Do(os.RemoveAll(variant))
				must.Do(os.CopyFS(variant, os.DirFS(whole)))
			}
		}
	})
}

// TestBoundedSearchesGoOn stops searches at some number of states, goes on to another one, and so on to the end.
func TestBoundedSearchesGoOn(t *testing.T) {
	subjects(t, 100, 9, func(s subject, want found, _ string, random *rand.Rand) {
		folder := newFolder(t)
		most, varies := uint64(0), false
		for {
			most += 1 + random.Uint64N(want.states/3)
			s.workers = 1 + random.IntN(2)
			got, err := s.search(folder, most)
			if err != nil {
				t.Fatal(err)
			}
			varies = varies || got.varies // what an earlier search met first counts
			got.varies = varies
			if got.complete == want.complete && got.states == want.states {
				if problem := got.differsFrom(want); problem != "" {
					t.Error(problem)
				}
				return
			}
		}
	})
}

// TestEvery demands that levels are written at most so often, and in the end.
func TestEvery(t *testing.T) {
	s := subject{toy.Messages.Random(1), true, 1}
	folder := newFolder(t)
	kept := must.Get(checkpoint.Open(folder, ""))
	kept.Every = time.Hour
	chain := must.Get(kept.Levels(""))
	name := must.Get(chain.WriteNews([]byte("news")))
	must.Do(chain.Add(levels.Manifest{Run: name, News: name}))
	if len(manifests(folder)) > 0 {
		t.Error("a level was written too soon")
	}
	must.Do(chain.Sync())
	if len(manifests(folder)) != 1 {
		t.Error("a level was not written in the end")
	}
	must.Do(kept.Close())
	if _, err := s.search(folder, mostStates); !isUsage(err) {
		t.Errorf("a level without states is no error: %v", err)
	}
}

// TestScratchFilesAreNotLeft opens a folder in which there is one, and makes another.
func TestScratchFilesAreNotLeft(t *testing.T) {
	folder := newFolder(t)
	must.Do(os.WriteFile(filepath.Join(checkpoint.Search(folder), "scratch-1"), nil, 0o600))
	kept := must.Get(checkpoint.Open(folder, ""))
	defer kept.Close()
	file := must.Get(must.Get(kept.Levels("")).Scratch())
	defer file.Close()
	must.Get(file.WriteString("content"))
	for _, e := range must.Get(os.ReadDir(checkpoint.Search(folder))) {
		if strings.HasPrefix(e.Name(), "scratch") {
			t.Errorf("%s is there", e.Name())
		}
	}
}

func TestFoldersThatAreRefused(t *testing.T) {
	folder := newFolder(t)
	must.Do(checkpoint.Create(folder, checkpoint.Command{Version: "2"})) // nothing was searched yet
	if c := must.Get(checkpoint.Read(folder, "2")); c.Version != "2" {
		t.Errorf("it was called by %+v", c)
	}
	program := checkpoint.Program{Facts: "f", Classes: map[string]string{"A": "1", "B": "2"}, Rest: "r"}
	demand := func(java string, p checkpoint.Program) error {
		kept := must.Get(checkpoint.Open(folder, ""))
		defer kept.Close()
		kept.Java = java
		return kept.Demand(p)
	}
	must.Do(demand("17", program))
	must.Do(demand("17", program))
	other := program
	for want, change := range map[string]func() (java string){
		"made with Java 17, and this is 21":                      func() string { return "21" },
		"the program changed: class A":                           func() string { other.Classes = map[string]string{"A": "3", "B": "2"}; return "17" },
		"class B is gone":                                        func() string { other.Classes = map[string]string{"A": "1"}; return "17" },
		"class C is new":                                         func() string { other.Classes = map[string]string{"A": "1", "B": "2", "C": "3"}; return "17" },
		"a resource of the program changed, or a setting":        func() string { other.Rest = "s"; return "17" },
		"the initial state or the faults of the program changed": func() string { other.Facts = "g"; return "17" },
	} {
		other = program
		var refused *model.UsageError
		if err := demand(change(), other); !errors.As(err, &refused) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	must.Do(os.Mkdir(filepath.Join(checkpoint.Search(folder), "answers"), 0o700))
	if err := checkpoint.Create(folder, checkpoint.Command{}); err == nil || !strings.Contains(err.Error(), "has a checkpoint") {
		t.Error(err)
	}
	kept := must.Get(checkpoint.Open(folder, ""))
	if _, err := checkpoint.Open(folder, ""); err == nil || !strings.Contains(err.Error(), "another check uses") {
		t.Error(err)
	}
	kept.Close()
	full := t.TempDir()
	must.Do(os.WriteFile(filepath.Join(full, "file"), nil, 0o600))
	if err := checkpoint.Create(full, checkpoint.Command{}); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Error(err)
	}
	if _, err := checkpoint.Read(full, "1"); err == nil || !strings.Contains(err.Error(), "there is no checkpoint") {
		t.Error(err)
	}
}
