package persistent

import (
	"context"
	"reflect"
	"testing"

	"harrier/internal/model"
	"harrier/internal/testkit/must"
)

// twins are two components that do the same and are permuted: component 0 goes from 10 to 11 to 12, and then sends message 1 to component
// 1, which goes from 20 to 21 to 22, and sends message 0.
type twins struct{ Components }

func (twins) Steps(_ context.Context, _, state uint32) ([]Step, error) {
	if state%10 == 2 {
		return nil, nil
	}
	return []Step{{Label: state, Target: state + 1}}, nil
}

func (twins) Label(label uint32) Label {
	if label%10 == 0 {
		return Label{}
	}
	other := 1 - (label/10 - 1)
	return Label{Sends: []Arrival{{Component: other, Message: other}}}
}

func (twins) MayEnd(uint32) bool { return false }
func (twins) Visible() Visible   { return Visible{} }
func (twins) Permutations() int  { return 1 }

func (twins) Permute(_ int, component, state uint32) (imageComponent, image uint32, err error) {
	return 1 - component, 30 - state/10*10 + state%10, nil
}

func (twins) PermuteMessage(_ int, component, message uint32) (imageComponent, image uint32, err error) {
	return 1 - component, 1 - message, nil
}

// TestRevisionsSeeWhatIsSentByImages meets the states of one component in any order, with a revision after each, and asks what the other one
// may send.
func TestRevisionsSeeWhatIsSentByImages(t *testing.T) {
	ctx := context.Background()
	for _, order := range [][]uint32{{10, 11, 12}, {12, 11, 10}, {11, 10, 12}} {
		l := New(twins{})
		for _, x := range order {
			must.Do(l.meet(ctx, model.State{0, x, 0}, x))
			l.Revise()
		}
		for state, want := range map[uint32]set{10: {{1, 1, 1}}, 11: {{1, 1, 1}}, 20: {{0, 0, 1}}, 21: {{0, 0, 1}}} {
			var got set
			for component := range uint32(2) {
				if number, ok := l.sent.Get(state, component); ok {
					got = append(got, l.sets.at(number)...)
				}
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%v: %d may send %v, want %v", order, state, got, want)
			}
		}
	}
}
