package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"harrier/dbss"
	"harrier/model"
)

// method is how a check searches.
type method struct {
	search  string
	hashing string
	push    string
}

var orders = map[string]dbss.Order{"dfs": dbss.DepthFirst, "bfs": dbss.BreadthFirst, "stateless": dbss.Stateless}

func (m *method) register(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&m.search, "search", "dfs", "search order: dfs, bfs for shortest counterexamples, or stateless")
	f.StringVar(&m.hashing, "hashing", "selective", "what tells states apart: selective (their relevant part), or full (auxiliary fields and the messages processed last as well)")
	f.StringVar(&m.push, "push", "selective", "which states get a frame on the search stack: selective (those with several enabled transitions), or all")
}

// parse refuses values that there are not, and what does not go together.
func (m *method) parse(c *cobra.Command) error {
	if _, ok := orders[m.search]; !ok {
		return fmt.Errorf("--search is dfs, bfs or stateless, not %q", m.search)
	}
	if m.hashing != "selective" && m.hashing != "full" {
		return fmt.Errorf("--hashing is selective or full, not %q", m.hashing)
	}
	if m.push != "selective" && m.push != "all" {
		return fmt.Errorf("--push is selective or all, not %q", m.push)
	}
	switch {
	case m.search == "bfs" && c.Flags().Changed("push"):
		return fmt.Errorf("--push is for depth-first search: --search bfs has no stack to push on")
	case m.search == "stateless" && c.Flags().Changed("hashing"):
		return fmt.Errorf("--hashing is for searches that remember states: --search stateless remembers none")
	case m.search == "stateless":
		m.hashing = ""
	case m.search == "bfs":
		m.push = ""
	}
	return nil
}

// hash is what tells local states and messages apart. Where nothing is hashed, steps are taken on whole
// states.
func (m *method) hash() model.Hashing {
	if m.hashing == "selective" {
		return model.Selective
	}
	return model.Full
}
