package por_test

import (
	"harrier/dbss"
	"harrier/internal/toy"
	"harrier/model"
	"harrier/por/static"
)

// staticReducer is static reduction. Of programs without footprints it knows nothing.
var staticReducer = &reducer{name: "static", make: func(actors *model.Actors) (func() dbss.Reduction, error) {
	o := static.Options{OnlyTimers: true}
	if p, ok := actors.Oracle().(*toy.Fielded); ok {
		o.Takes = func(label string) string { return p.Takes(label, static.Itself, static.Restarts) }
	}
	s, err := static.New(actors, o)
	if err != nil {
		return nil, err
	}
	return func() dbss.Reduction { return s.Reduction() }, nil
}}

func init() { reducers = append(reducers, staticReducer) }
