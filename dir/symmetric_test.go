package dir_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"harrier/internal/toy"
	"harrier/internal/twin"
	"harrier/model"
	"harrier/symmetry"
)

// permuted are some positions, and those of actors that may come in the place of actors there.
func (s subject) permuted(seen []uint32) (all []uint32) {
	label := symmetry.Labels(s.symmetries.Generators)
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
var symmetricScripts = map[string]string{
	// Where both ants are calm and the bee is at 3, the one has ignored drop, and the search starts the other one only.
	"a message that is not ignored by the one who ignored it": `
		start: ann calm, ben calm, bee 0
		mail: bee>bee go, bee>bee go
		bee 0 go -> 1, send ann mark | 1, send ben mark
		bee 2 done -> 3
		bee 3 go -> 4, send ben start | 4, send ann start` + eachAnt(`
		bee 1 marked:ANT -> 2, send ANT drop
		ANT calm mark -> marked, send bee marked:ANT
		ANT marked itself -> calm, send bee done
		ANT calm start -> started
		ANT calm drop -> calm
		ANT marked drop -> marked
		ANT started drop -> fail drop`),
	// Once ace has forgotten whom it chose, it makes no difference who is woken, and the search wakes one of them. Before, it does.
	"a message that one sends who is never woken": `
		start: ann calm, ben calm, ace 0, dog 0, cat 0
		mail: ace>ace go
		cat 0 left -> 0
		cat 0 chose -> 0
		ace 0 go -> 1:ann, send dog ready | 1:ben, send dog ready
		dog 0 ready -> 1:ann, send cat chose | 1:ben, send cat chose` + eachAnt(`
		ace 1:ANT itself -> 2, send cat left
		dog 1:ANT itself -> 2, send ANT wake
		ANT calm wake -> awake, send ace hello:ANT
		ace 1:ANT hello:OTHER -> fail hello
		ace 2 hello:ANT -> 2`),
}

// eachAnt has lines of a script for either of two ants.
func eachAnt(lines string) string {
	return strings.NewReplacer("ANT", "ann", "OTHER", "ben").Replace(lines) + strings.NewReplacer("ANT", "ben", "OTHER", "ann").Replace(lines)
}

// TestSymmetricScriptsAgreeWithTwin holds persistent labels to the dumb twin on these, whatever invariants read.
func TestSymmetricScriptsAgreeWithTwin(t *testing.T) {
	for name, script := range symmetricScripts {
		t.Run(name, func(t *testing.T) {
			p := toy.Read(script)
			p.Roles = []model.Role{{Name: "ant", Actors: []string{"ann", "ben"}}}
			o := newNamed(p)
			want := twin.Explore(o, twin.Options{MaxStates: mostStates, MaxPending: mostPending})
			if want.TooLarge || want.Err != nil {
				t.Fatalf("%v, too large: %v", want.Err, want.TooLarge)
			}
			for position := range uint32(len(p.Start) + 1) {
				s := subject{Oracle: o}
				s.group(t, nil, true)
				if macro, reduced, problem := s.persistentProblem(context.Background(), want, []uint32{position}); problem != "" {
					t.Errorf("invariants read %d: %s", position, problem)
				} else {
					t.Logf("%d states, %d macro states, %d with persistent labels", want.States, macro, reduced)
				}
			}
		})
	}
}
