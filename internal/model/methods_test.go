package model_test

import (
	"reflect"
	"testing"

	"harrier/internal/model"
)

// Actors and its tables are read by all that makes a system smaller, so each has few methods.
func TestTypesHaveFewMethods(t *testing.T) {
	const most = 12
	for _, of := range []reflect.Type{
		reflect.TypeFor[*model.Actors](), reflect.TypeFor[model.Values](), reflect.TypeFor[model.Nodes](),
		reflect.TypeFor[model.Globals](), reflect.TypeFor[model.LocalSteps](),
	} {
		if of.NumMethod() > most {
			t.Errorf("%v has %d exported methods", of, of.NumMethod())
		}
	}
}
