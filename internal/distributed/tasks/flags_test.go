package tasks_test

import "flag"

var (
	programs = flag.Int("programs", 3, "random programs of each kind")
	seed0    = flag.Uint64("seed", 0, "the first seed")
)
