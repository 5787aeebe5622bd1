package dir_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"harrier/internal/toy"
	"harrier/internal/twin"
	"harrier/model"
)

// scripts are programs written by hand, each for what might be lost in it.
var scripts = map[string]func() *toy.Script{
	// Once ann has taken swift, late is ignored. Before, it is not where ann comes to by slowly and step.
	"a message that is not ignored where nothing comes but what is put off": func() *toy.Script {
		rules := map[string][]toy.Then{"bob 0 bad": {{Fail: "bad"}}}
		for _, text := range []string{"swift", "slowly"} {
			rules["bob 0 from "+text] = []toy.Then{{Become: "0"}}
		}
		for _, stage := range []string{"0", "1", "2"} {
			rules["ann "+stage+" swift"] = []toy.Then{{Become: stage + "q", Send: []string{"bob from swift"}}}
			rules["ann "+stage+" late"] = []toy.Then{{Become: stage}}
			rules["ann "+stage+"q late"] = []toy.Then{{Become: stage + "q"}}
		}
		for _, done := range []string{"", "q"} {
			rules["ann 0"+done+" slowly"] = []toy.Then{{Become: "1" + done, Send: []string{"bob from slowly"}}}
			rules["ann 1"+done+" step"] = []toy.Then{{Become: "2" + done}}
		}
		rules["ann 2 late"] = []toy.Then{{Become: "2", Send: []string{"bob bad"}}}
		return &toy.Script{Start: map[string]string{"ann": "0", "bob": "0"},
			Mail: []string{"ann>ann slowly", "ann>ann swift", "ann>ann step", "ann>ann late"}, Rules: rules}
	},
	// That cid sends to ann is seen only where both messages of bob have arrived at cid.
	"two messages of one step to one actor": func() *toy.Script {
		return &toy.Script{Start: map[string]string{"ann": "0", "bob": "0", "cid": "0"}, Mail: []string{"ann>ann begin", "ann>ann end"}, Rules: map[string][]toy.Then{
			"ann 0 begin": {{Become: "1", Send: []string{"bob ask"}}},
			"ann 1 end":   {{Become: "0", Send: []string{"cid ended"}}, {Become: "2", Send: []string{"cid ended"}}},
			"ann 0 late":  {{Become: "1"}},
			"ann 1 late":  {{Become: "1"}},
			"bob 0 ask":   {{Become: "0", Send: []string{"cid one", "cid two"}}},
			"cid 0 one":   {{Become: "1", Send: []string{"ann late"}}},
		}}
	},
}

// TestScriptsAgreeWithTwin holds persistent labels to the dumb twin on programs written by hand.
func TestScriptsAgreeWithTwin(t *testing.T) {
	for name, script := range scripts {
		t.Run(name, func(t *testing.T) {
			p := script()
			want := twin.Explore(p, twin.Options{MaxStates: mostStates, MaxPending: mostPending})
			if want.TooLarge || want.Err != nil {
				t.Fatalf("%v, too large: %v", want.Err, want.TooLarge)
			}
			for seed := range uint64(12) {
				s := subject{Oracle: p}
				if seed%3 == 2 {
					s.groups = grouped(p, seed)
				}
				s.Program().Components = s.groups
				s.actors = newActors(t, p, model.Decomposition{})
				macro, reduced, problem := s.persistentProblem(context.Background(), want, rand.New(rand.NewPCG(seed, 1)))
				if problem != "" {
					t.Errorf("seed %d: %s", seed, problem)
				}
				t.Logf("%v %d states, %d macro states, %d with persistent labels", s.groups, want.States, macro, reduced)
			}
		})
	}
}
