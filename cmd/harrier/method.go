package main

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"

	"github.com/spf13/cobra"

	"harrier/dbss"
	"harrier/model"
	"harrier/model/network"
)

// method is how a check searches: in which order, by what it tells states apart, and in which model.
type method struct {
	search  string
	hashing string
	push    string
	store   string
	workers string
	model   string

	reduction  string
	persistent bool // macro steps follow persistent labels alone
	components componentsFlag
	symmetry   string
	por        string

	localEvents  int // of --search local
	localPruning string

	workerCount int                 // what workers says
	delivery    model.DeliveryModel // what model says
}

// What a check does where nothing is said. Breadth-first search meets shallow violations first, and over macro steps it takes no
// more time and memory than depth-first search (docs/benchmarks.md).
const (
	usualSearch    = "bfs"
	usualReduction = "auto"
	usualSymmetry  = "auto"
	usualPOR       = "off"
)

// local is the search that is none as long as nothing is suspicious.
const local = "local"

var stores = map[string]dbss.Store{"exact": dbss.Exact, "compact": dbss.Compact}

var orders = map[string]dbss.Order{"dfs": dbss.DepthFirst, "bfs": dbss.BreadthFirst, "stateless": dbss.Stateless, local: dbss.BreadthFirst}

func (m *method) register(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&m.search, "search", usualSearch, "search order: bfs, dfs or stateless; or local: actor by actor")
	f.IntVar(&m.localEvents, "max-local-events", 0, "an actor's own events that --search local follows")
	f.StringVar(&m.localPruning, "local-pruning", "on", "what --search local combines: on (what properties read), or off (local states)")
	f.StringVar(&m.hashing, "hashing", "selective", "part of a state that is hashed: selective (the relevant part), or full")
	f.StringVar(&m.store, "store", "exact", "how states are stored: exact, or compact (64-bit hashes)")
	f.StringVar(&m.workers, "workers", "1", "how many workers search: a number, or auto for one each processor")
	f.StringVar(&m.model, "model", "M", "delivery model: M, MP or M-MP")
	f.StringVar(&m.symmetry, "symmetry", usualSymmetry, "symmetry reduction: auto, on, off, or check (on, and checked on all steps)")
	f.StringVar(&m.reduction, "reduction", usualReduction, "dynamic interface reduction: auto, macro (without persistent labels), or off")
	m.components.register(c)
	f.StringVar(&m.por, "por", usualPOR, "partial-order reduction of single steps: off, static or dynamic")
	f.StringVar(&m.push, "push", "selective", "states on the stack of dfs: selective (several enabled transitions), or all")
}

// parse refuses values that there are not, and what does not go together.
func (m *method) parse(c *cobra.Command) error {
	if !c.Flags().Changed("search") && (m.store == "compact" || c.Flags().Changed("push")) {
		m.search = "dfs"
	}
	if _, ok := orders[m.search]; !ok {
		return fmt.Errorf("--search is dfs, bfs, stateless or local, not %q", m.search)
	}
	if m.hashing != "selective" && m.hashing != "full" {
		return fmt.Errorf("--hashing is selective or full, not %q", m.hashing)
	}
	if m.push != "selective" && m.push != "all" {
		return fmt.Errorf("--push is selective or all, not %q", m.push)
	}
	if _, ok := stores[m.store]; !ok {
		return fmt.Errorf("--store is exact or compact, not %q", m.store)
	}
	if err := m.parseWorkers(); err != nil {
		return err
	}
	var err error
	if m.delivery, err = network.ParseDeliveryModel(m.model); err != nil {
		return fmt.Errorf("--model: %w", err)
	}
	if err := errors.Join(m.parseLocal(c), m.parseSymmetry()); err != nil {
		return err
	}
	switch {
	case m.search == "bfs" && m.store == "compact":
		return fmt.Errorf("--store compact is for depth-first search: --search bfs takes the states that it goes on from out of the store, and a hash does not give them back")
	case m.search == "stateless" && c.Flags().Changed("store"):
		return fmt.Errorf("--store is for searches that remember states: --search stateless remembers none")
	case m.search == "bfs" && c.Flags().Changed("push"):
		return fmt.Errorf("--push is for depth-first search: --search bfs has no stack to push on")
	case m.search == "stateless" && c.Flags().Changed("hashing"):
		return fmt.Errorf("--hashing is for searches that remember states: --search stateless remembers none")
	case m.search == "stateless":
		m.hashing, m.store = "", ""
	case m.search == "bfs", m.search == local:
		m.push = ""
	}
	return nil
}

// mostWorkers is far above what helps anybody.
const mostWorkers = 1024

func (m *method) parseWorkers() error {
	if m.workers == "auto" {
		m.workerCount = runtime.NumCPU()
		return nil
	}
	n, err := strconv.Atoi(m.workers)
	if err != nil || n < 1 || n > mostWorkers {
		return fmt.Errorf("--workers is a number from 1 to %d, or auto, not %q", mostWorkers, m.workers)
	}
	m.workerCount = n
	return nil
}

// options are those of the search that the method says.
func (m *method) options() dbss.Options {
	return dbss.Options{Order: orders[m.search], Store: stores[m.store], Workers: m.workerCount, PushAll: m.push == "all"}
}

// hash is what tells local states and messages apart. Where nothing is hashed, steps are taken on whole
// states.
func (m *method) hash() model.Hashing {
	if m.hashing == "selective" {
		return model.Selective
	}
	return model.Full
}
