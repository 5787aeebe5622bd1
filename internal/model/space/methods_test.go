package space_test

import (
	"reflect"
	"testing"

	"harrier/internal/model/space"
)

// Actors and its tables are read by all that makes a system smaller, so each has few methods.
func TestTypesHaveFewMethods(t *testing.T) {
	const most = 12
	for _, of := range []reflect.Type{
		reflect.TypeFor[*space.Actors](), reflect.TypeFor[*space.Values](), reflect.TypeFor[*space.Nodes](),
		reflect.TypeFor[*space.Globals](), reflect.TypeFor[*space.LocalSteps](),
	} {
		if of.NumMethod() > most {
			t.Errorf("%v has %d exported methods", of, of.NumMethod())
		}
	}
}
