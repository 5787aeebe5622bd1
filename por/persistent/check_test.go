package persistent

import (
	"context"
	"testing"
)

// TestGivesUpBeforeItAsks tries a label of a component to which five messages may come, in 32 sets: too many to look at what
// the component does after each. The components, of which there are none, are not asked for that.
func TestGivesUpBeforeItAsks(t *testing.T) {
	l := New(nil)
	at := situation{}
	for message := range uint32(5) {
		at.arrivals = l.sets.plus(at.arrivals, l.sets.ofSends([]Arrival{{Component: 1, Message: message}}))
	}
	own := &targets{label: label{Label: Label{Alone: true}}}
	if ok, err := l.check(context.Background(), &state{component: 1, id: 1}, own, at); ok || err != nil {
		t.Errorf("the label is persistent: %v, %v", ok, err)
	}
}
