package persistent

import (
	"context"
	"errors"
	"testing"
)

var errAsked = errors.New("the components are asked")

// asked are components that answer nothing.
type asked struct{ Components }

func (asked) Steps(context.Context, uint32, uint32) ([]Step, error) { return nil, errAsked }

// TestGivesUpBeforeItAsks tries a label where so many messages may come in so many sets, after so many targets of other labels, that
// too many states would be looked at, and where one fewer are. The components are asked only there.
func TestGivesUpBeforeItAsks(t *testing.T) {
	for _, c := range []struct {
		messages, own, others uint32
		want                  error
	}{{4, 1, 0, errAsked}, {5, 1, 0, nil}, {4, 1, 1, nil}, {4, 3, 0, errAsked}, {3, 1, 1, errAsked}, {3, 1, 2, nil}} {
		l := New(asked{})
		at := situation{}
		for message := range c.messages {
			at.arrivals = l.sets.plus(at.arrivals, l.sets.ofSends([]Arrival{{Component: 1, Message: message}}))
		}
		x := &state{component: 1, id: 1, labels: []targets{{label: label{id: 1, Label: Label{Alone: true}}}, {label: label{id: 2}}}}
		for target := range c.own {
			x.labels[0].targets = append(x.labels[0].targets, 2+target)
		}
		for target := range c.others {
			x.labels[1].targets = append(x.labels[1].targets, 10+target)
		}
		if ok, err := l.check(context.Background(), x, &x.labels[0], at); ok || err != c.want {
			t.Errorf("%+v: persistent %v, %v", c, ok, err)
		}
	}
}
