package property

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"harrier/internal/model"
	"harrier/internal/model/space"
)

// Reasons why a property of states holds whatever the actors do.
const (
	readsNoActor  = "it reads no actor, whichever exist"
	readsNoneLeft = "it reads no actor in any %s: the actors that it asks for do not exist there"
	readsTheSame  = "what it reads is the same in every state"
	noChange      = "no step changes what it reads of actors of the class that it takes"
	noReturn      = "no operation ends"
)

// expectFinal ends the name of the property that a scenario's method of that name declares.
const expectFinal = "(expectFinal)"

// Vacuity is the reason why the answer to a property that was put to the test says nothing of what the actors do: it had nothing to
// look at, or the same in every state. It is "" otherwise. The local states of a complete search are known, and those
// that the property reads are compared, for a final condition also those of states that are not terminal.
func (c *Checker) Vacuity(ctx context.Context, property int) (string, error) {
	switch {
	case c.actors.Program().Properties[property].Kind.IsOfSteps():
		return c.stepVacuity(ctx, property)
	case c.NotReached(property) != "" || c.seesNetwork[property].Load():
		return "", nil
	}
	reads := c.visible[property].list()
	switch {
	case len(reads) == 0:
		return c.readsNothing(ctx, property)
	case slices.Equal(reads, []uint32{0}) && !c.actors.Globals.HasReturns():
		return noReturn, nil
	case c.isConstant(property, reads):
		return readsTheSame, nil
	}
	return "", nil
}

// readsNothing is the reason for a property that read neither an actor nor the history in any state that it was tested in. Which
// actors it asks for shows where it is evaluated on all that ever exist. One that reads no fields of these is about which exist.
func (c *Checker) readsNothing(ctx context.Context, property int) (string, error) {
	of := c.actors.Program().Properties[property]
	asked := model.Evaluation{Property: property}
	var positions []uint32
	for position, l := range space.Locals(c.actors.Values) {
		if slices.Contains(positions, position) {
			continue
		}
		asked.Actors, positions = append(asked.Actors, c.actors.Values.Actor(l)), append(positions, position)
		if c.actors.Program().SeesStopped {
			gone := c.actors.Values.Actor(l)
			gone.Stopped = true
			asked.Actors, positions = append(asked.Actors, gone), append(positions, position)
		}
	}
	judgements, err := c.oracle.Evaluate(ctx, []model.Evaluation{asked})
	if err != nil {
		return "", fmt.Errorf("evaluating %q: %w", of.Name, err)
	}
	reads := c.positionsRead(judgements[0], positions)
	switch {
	case len(reads) == 0 && of.Kind.IsOfTerminalStates() && (len(of.MayRead) == 0 || strings.HasSuffix(of.Name, expectFinal)):
		return "", nil // it declares that all terminal states are expected, perhaps for some values of parameters only
	case len(reads) == 0:
		return readsNoActor, nil
	case len(judgements[0].Fields) > 0 && of.Kind.IsOfTerminalStates():
		return fmt.Sprintf(readsNoneLeft, "terminal state"), nil
	case len(judgements[0].Fields) > 0:
		return fmt.Sprintf(readsNoneLeft, "state that was tested"), nil
	case c.isConstant(property, reads):
		return readsTheSame, nil
	}
	return "", nil
}

// positionsRead returns the positions of the actors that an evaluation read, and 0 if it read the history.
func (c *Checker) positionsRead(j model.Judgement, positions []uint32) []uint32 {
	var reads []uint32
	for _, r := range j.Reads {
		switch r {
		case model.ReadHistory:
			reads = append(reads, 0)
		case model.ReadNetwork:
		default:
			reads = append(reads, positions[r])
		}
	}
	return reads
}

// isConstant reports whether all that a property reads at some positions, 0 of them the history, is the same in all states: the
// actors exist in all of them, and their local states hold the same in the fields that the property reads.
func (c *Checker) isConstant(property int, reads []uint32) bool {
	for _, position := range reads {
		if position == 0 && c.actors.Globals.HasHistories() || c.actors.Nodes.ComesOrGoes(position) {
			return false
		}
	}
	m := c.memories[property].Load()
	first := map[uint32]model.LocalID{} // the class of local states, by position
	for position, l := range space.Locals(c.actors.Values) {
		if !slices.Contains(reads, position) {
			continue
		}
		seen := m.observations.Of(l)
		if before, ok := first[position]; ok && before != seen {
			return false
		}
		first[position] = seen
	}
	return true
}

// stepVacuity is the reason for a step invariant: it is evaluated on no step, or on no step that changes what it reads.
func (c *Checker) stepVacuity(ctx context.Context, property int) (string, error) {
	of := stepReads{property, map[int]bool{}, map[string]bool{}}
	for {
		changes, more, err := c.changesRead(ctx, of)
		switch {
		case err != nil:
			return "", fmt.Errorf("evaluating %q: %w", c.actors.Program().Properties[property].Name, err)
		case changes:
			return "", nil
		case !more:
			return noChange, nil
		}
	}
}

// stepReads are what a step invariant was seen to read: the numbers of fields, and for classes of actors whether it is about them.
type stepReads struct {
	property int
	fields   map[int]bool
	takes    map[string]bool
}

// changesRead reports whether some step changes a field that a step invariant read. It evaluates the invariant on one of all steps in
// which the fields that were read hold the same. more reports whether it was seen to read more then, so that steps are to be compared
// once more.
func (c *Checker) changesRead(ctx context.Context, of stepReads) (changes, more bool, err error) {
	seen, asked := space.NewObservations(c.actors, of.property, of.fields), map[[2]model.LocalID]bool{}
	for before, after := range space.Changes(c.actors.LocalSteps) {
		actors := []model.Actor{c.actors.Values.Actor(before), c.actors.Values.Actor(after)}
		class, pair := actors[0].Class, [2]model.LocalID{seen.Of(before), seen.Of(after)}
		takes, known := of.takes[class]
		switch {
		case known && (!takes || asked[pair]):
			continue
		case takes && pair[0] != pair[1]:
			return true, false, nil
		}
		judgements, err := c.oracle.Evaluate(ctx, []model.Evaluation{{Property: of.property, Actors: actors}})
		if err != nil {
			return false, false, err
		}
		of.takes[class], asked[pair] = len(judgements[0].Reads) > 0, true
		for _, f := range judgements[0].Fields {
			more, of.fields[f] = more || !of.fields[f], true
		}
		if more || !known {
			return false, true, nil
		}
	}
	return false, false, nil
}
