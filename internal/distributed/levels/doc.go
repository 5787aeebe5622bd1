// Package levels keeps the levels of a breadth-first search in files, which any process that checks the program can read.
//
//	Order     the order of states, which is the same in all processes
//	Write     writes a run file: states of one level in that order
//	Run       reads one, and verifies what it reads (file formats: docs/reference.md)
//	Texts     are a file with components in portable terms (Order.WriteTexts, Order.ReadTexts)
//	Sorter    puts states in order, of which few are in memory
//	Merge     yields the states of several sorters in order; Subtract takes away those of runs
//	Union     writes the states of several runs to one
//	Choice    says which states of some runs make a level; ReadChoice yields them
//	Chain     the levels of a search that are complete: a manifest for each names its files
//
// A state consists of components, ids at positions, which run files have by their hashes and files of texts in portable terms (Space). States
// are compared lexicographically by the hashes of their components. So the states of different processes merge without a common numbering, and
// the content of a run file depends on the states alone, not on who met them and when; where a search leaves auxiliary state out, a file of
// texts has the representative that its process met first. The name of a file is the hash of its content. Two components with one hash would be one in
// files: whoever meets both refuses to go on, and since each process reads the texts of all components, one does.
package levels

// A Component is an id at a position of a state.
type Component struct{ Position, ID uint32 }

// A Space gives states their meaning in this process. Its functions may be called by several goroutines.
type Space interface {
	// Write returns a component in portable terms, and Read is its inverse in any process. The id is not 0.
	Write(position, id uint32) ([]byte, error)
	Read(content []byte) (position, id uint32, err error)
	// Hash returns a hash of a component that is the same in all processes. It does not depend on what a search leaves out.
	Hash(position, id uint32) (uint64, error)
	// Fixed is the number of positions, from 0, that are those of the same actors in all processes.
	Fixed() uint32
	// Take appends the components of a half of states, in the order of their positions.
	Take(half uint32, side int, into []Component) []Component
	// Make returns the half that consists of components, which are in the order of their positions.
	Make(side int, of []Component) (half uint32, err error)
}

// A State is a state as its two halves, by their ids in this process.
type State [2]uint32

// A Record is a state in a file or on the way there.
type Record struct {
	Orbit uint64 // a number that states have in common that count as one; 0 in a search that tells all states apart
	State State
	From  uint32 // the place of the state from which it was met, in the order of the level before
}
