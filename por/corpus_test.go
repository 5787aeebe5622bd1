package por_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
)

// A specimen is a program that once showed a defect, or shows one that is planted.
type specimen struct {
	Why     string // the error that it once showed
	Program *toy.Protocol
}

// TestCorpus compares all searches of the programs of the corpus, and the chosen transitions with the definition.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob("testdata/corpus/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("there is no corpus: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			t.Parallel()
			of := must.Get(readSpecimen(file))
			if problem := of.problem(); problem != "" {
				t.Errorf("%s\n%s", of.Why, problem)
			}
		})
	}
}

func readSpecimen(file string) (of specimen, err error) {
	b, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(b, &of)
	}
	return of, err
}

func (of specimen) problem() string {
	s := subject{of.Program}
	if problem := s.defined(); problem != "" {
		return problem
	}
	if _, err := s.whole(); err != nil {
		return "it cannot be compared any more: " + err.Error()
	}
	return s.different()
}

// different returns the error of any search of a program, whatever its size, if that can be compared.
func (s subject) different() string {
	whole, err := s.whole()
	if err != nil {
		return ""
	}
	for seed := range uint64(4) {
		if problem, _ := s.compare(byAnalysis, seed, whole, s.explored()); problem != "" {
			return problem
		}
	}
	return ""
}
