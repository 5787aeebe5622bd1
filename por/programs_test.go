package por_test

import (
	"harrier/internal/toy"
	"harrier/model"
)

// A subject is a program that searches are compared on. It has footprints: without them nothing is reduced.
type subject struct{ *toy.Protocol }

// passings are the models of passing messages; most programs are for the first.
var passings = []model.Passing{model.M, model.M, model.M, model.MMP, model.MP}

// drawn makes a program from a seed.
func drawn(seed uint64) subject {
	p := toy.Footprints.Random(seed)
	p.Pass(passings[seed/3%uint64(len(passings))])
	return subject{p}
}
