package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"text/tabwriter"
	"time"
)

// costs are what a shared search costs, in seconds of one processor, as runs of it show. They are what the simulation of more workers
// rests on, which assumes that
//
//   - each worker has a processor of its own, and the engine one for all of them;
//   - states fall to workers by chance, and all states have as many successors;
//   - what workers need beyond one process is for states that they send or receive, of which n workers have (n-1)/n of all successors;
//   - at a level's end nobody works for two round trips;
//   - no worker is slower than the others.
type costs struct {
	levels   []uint64 // new states
	once     float64  // of all, not shared out: the set-up
	state    float64  // of a state with its successors in one process
	exchange float64  // of a state whose successors all go to other workers, beyond that
	engine   float64  // of such a state, in the engine
	trip     float64  // there and back in the network
}

// roundTrip is that of machines in one room.
const roundTrip = 500 * time.Microsecond

func costsOf(s settings, alone, together []outcome) costs {
	first, last := alone[len(alone)-1], together[len(together)-1]
	c := costs{levels: first.summary.Levels, trip: roundTrip.Seconds()}
	states, others := float64(first.summary.States), float64(s.workers-1)/float64(s.workers)
	c.once = min(first.summary.SetUpSeconds, first.check.Seconds())
	c.state = (first.check.Seconds() - c.once) / states
	used := s.used.Seconds()/float64(s.runs) - float64(s.workers)*c.once
	c.exchange = max(0, used/states-c.state) / others
	c.engine = last.engine.Seconds() / states / others
	return c
}

// seconds is how long a search by n workers takes. Those of a level are as long as its slowest worker, or the engine.
func (c costs) seconds(n int) float64 {
	random := rand.New(rand.NewPCG(1, uint64(n)))
	others := float64(n-1) / float64(n)
	total := c.once
	for _, level := range c.levels {
		shares := make([]int, n)
		for range level {
			shares[random.IntN(n)]++
		}
		worker := float64(slices.Max(shares)) * (c.state + others*c.exchange)
		total += max(worker, float64(level)*others*c.engine)
		if n > 1 {
			total += 2 * c.trip
		}
	}
	return total
}

func (c costs) print(to io.Writer) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	one := c.seconds(1)
	fmt.Fprintf(w, "\nsimulated from these costs\t%.2f µs a state in one process, %.2f µs more if its successors go to others, %.2f µs of the engine then; %v there and back\n",
		1e6*c.state, 1e6*c.exchange, 1e6*c.engine, roundTrip)
	for n := 1; n <= 32; n *= 2 {
		fmt.Fprintf(w, "%d workers\t%.2f s, %.2f times one process\n", n, c.seconds(n), one/c.seconds(n))
	}
	return w.Flush()
}
