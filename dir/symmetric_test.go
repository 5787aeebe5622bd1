package dir_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"harrier/internal/toy"
	"harrier/internal/twin"
	"harrier/model"
	"harrier/symmetry"
)

// TestPersistentLabelsWithSymmetryAgreeWithTwin does as TestPersistentLabelsAgreeWithTwin where actors are permuted: orbits are
// compared.
func TestPersistentLabelsWithSymmetryAgreeWithTwin(t *testing.T) {
	var n tally
	for seed := *seed0; n.programs < 3**programs; seed++ {
		var o model.Oracle = newRoles(seed)
		if seed%8 == 0 {
			o = toy.RandomSymmetric(seed)
		}
		want := twin.Explore(o, twin.Options{MaxStates: mostStates, MaxPending: mostPending})
		if !n.wants(want) {
			continue
		}
		for _, groups := range [][][]string{nil, byRole(o, seed)} {
			s := symmetric(t, o, groups)
			if s.group.IsTrivial() {
				continue
			}
			macro, reduced, problem := s.persistentProblem(context.Background(), want, s.someRead(rand.New(rand.NewPCG(seed, 1))))
			if problem != "" {
				t.Fatalf("seed %d, groups %v: %s", seed, groups, problem)
			}
			n.programs++
			if reduced < macro {
				n.factors = append(n.factors, float64(macro)/float64(reduced))
			}
			n.plain += macro
			n.macro += reduced
			if want.States > 100 {
				n.over100++
			}
		}
	}
	n.check(t)
}

// symmetric is a program of which actors are permuted.
func symmetric(t *testing.T, o model.Oracle, groups [][]string) subject {
	o.Program().Components = groups
	s := subject{Oracle: o, groups: groups, actors: newActors(t, o, model.Decomposition{})}
	var err error
	if s.group, err = symmetry.Find(s.actors); err != nil {
		t.Fatal(err)
	}
	return s
}

// permuted are some positions, and those of actors that may come in the place of actors there.
func (s subject) permuted(seen []uint32) (all []uint32) {
	label := symmetry.Labels(s.group.Generators)
	for position := range uint32(s.actors.Positions() + 1) {
		if slices.ContainsFunc(seen, func(p uint32) bool {
			return p == position || p > 0 && position > 0 && label(s.actors.PositionName(int(p))) == label(s.actors.PositionName(int(position)))
		}) {
			all = append(all, position)
		}
	}
	return all
}

// symmetricScripts are programs written by hand, each for what would be lost in it that no representative of an orbit does.
var symmetricScripts = map[string]func() *toy.Script{
	// Where both ants are calm and the bee is at 3, the one has ignored drop, and the search starts the other one only.
	"a message that is not ignored by the one who ignored it": func() *toy.Script {
		rules := thens{
			"bee 0 go":   {{Become: "1", Send: []string{"ann mark"}}, {Become: "1", Send: []string{"ben mark"}}},
			"bee 2 done": {{Become: "3"}},
			"bee 3 go":   {{Become: "4", Send: []string{"ben start"}}, {Become: "4", Send: []string{"ann start"}}},
		}
		for _, ant := range []string{"ann", "ben"} {
			rules["bee 1 marked:"+ant] = []toy.Then{{Become: "2", Send: []string{ant + " drop"}}}
			rules[ant+" calm mark"] = []toy.Then{{Become: "marked", Send: []string{"bee marked:" + ant}}}
			rules[ant+" marked itself"] = []toy.Then{{Become: "calm", Send: []string{"bee done"}}}
			rules[ant+" calm start"] = []toy.Then{{Become: "started"}}
			rules[ant+" calm drop"] = []toy.Then{{Become: "calm"}}
			rules[ant+" marked drop"] = []toy.Then{{Become: "marked"}}
			rules[ant+" started drop"] = []toy.Then{{Fail: "drop"}}
		}
		return &toy.Script{Start: map[string]string{"ann": "calm", "ben": "calm", "bee": "0"}, Mail: []string{"bee>bee go", "bee>bee go"}, Rules: rules}
	},
	// Once ace has forgotten whom it chose, it makes no difference who is woken, and the search wakes one of them. Before, it does.
	"a message that one sends who is never woken": func() *toy.Script {
		rules := thens{"cat 0 left": {{Become: "0"}}, "cat 0 chose": {{Become: "0"}}}
		for ant, other := range map[string]string{"ann": "ben", "ben": "ann"} {
			rules["ace 0 go"] = []toy.Then{{Become: "1:ann", Send: []string{"dog ready"}}, {Become: "1:ben", Send: []string{"dog ready"}}}
			rules["ace 1:"+ant+" itself"] = []toy.Then{{Become: "2", Send: []string{"cat left"}}}
			rules["dog 0 ready"] = []toy.Then{{Become: "1:ann", Send: []string{"cat chose"}}, {Become: "1:ben", Send: []string{"cat chose"}}}
			rules["dog 1:"+ant+" itself"] = []toy.Then{{Become: "2", Send: []string{ant + " wake"}}}
			rules[ant+" calm wake"] = []toy.Then{{Become: "awake", Send: []string{"ace hello:" + ant}}}
			rules["ace 1:"+ant+" hello:"+other] = []toy.Then{{Fail: "hello"}}
			rules["ace 2 hello:"+ant] = []toy.Then{{Become: "2"}}
		}
		return &toy.Script{Start: map[string]string{"ann": "calm", "ben": "calm", "ace": "0", "dog": "0", "cat": "0"}, Mail: []string{"ace>ace go"}, Rules: rules}
	},
}

// TestSymmetricScriptsAgreeWithTwin holds persistent labels to the dumb twin on these, whatever invariants read.
func TestSymmetricScriptsAgreeWithTwin(t *testing.T) {
	for name, script := range symmetricScripts {
		t.Run(name, func(t *testing.T) {
			p := script()
			p.Roles = []model.Role{{Name: "ant", Actors: []string{"ann", "ben"}}}
			o := newNamed(p)
			want := twin.Explore(o, twin.Options{MaxStates: mostStates, MaxPending: mostPending})
			if want.TooLarge || want.Err != nil {
				t.Fatalf("%v, too large: %v", want.Err, want.TooLarge)
			}
			for position := range uint32(len(p.Start) + 1) {
				s := symmetric(t, o, nil)
				if macro, reduced, problem := s.persistentProblem(context.Background(), want, []uint32{position}); problem != "" {
					t.Errorf("invariants read %d: %s", position, problem)
				} else {
					t.Logf("%d states, %d macro states, %d with persistent labels", want.States, macro, reduced)
				}
			}
		})
	}
}
