package levels

import (
	"encoding/binary"
	"io"
)

// A Choice says which records of some runs are the states of a level, so that these are written once, among its candidates.
type Choice struct {
	of []chosenOf // by run
}

// chosenOf are the records of one run that are chosen: as unsigned varints, how many are left out, how many after these are chosen, and so
// on.
type chosenOf struct {
	text        []byte
	pairs       int // in the text
	written     int // records that the text is about
	first, next int // the records that follow each other and are not in the text
}

// Add adds a record of a merger of the runs. Those of one run are added in their order.
func (c *Choice) Add(p Origin) {
	for p.Source >= len(c.of) {
		c.of = append(c.of, chosenOf{})
	}
	of := &c.of[p.Source]
	if p.At != of.next || of.first == of.next {
		of.flush()
		of.first = p.At
	}
	of.next = p.At + 1
}

func (c *chosenOf) flush() {
	if c.next > c.first {
		c.text = binary.AppendUvarint(binary.AppendUvarint(c.text, uint64(c.first-c.written)), uint64(c.next-c.first))
		c.pairs, c.written, c.first = c.pairs+1, c.next, c.next
	}
}

// Write writes the choice among so many runs to a file, of each how many pairs of numbers follow, and these. It returns its name.
func (c *Choice) Write(to io.Writer, runs int) (name string, err error) {
	var text []byte
	for i := range runs {
		pairs := uint64(0)
		if i < len(c.of) {
			c.of[i].flush()
			pairs = uint64(c.of[i].pairs)
		}
		if text = binary.AppendUvarint(text, pairs); pairs > 0 {
			text = append(text, c.of[i].text...)
		}
	}
	return WriteBytes(to, text)
}

// A Chosen yields the states of a choice: those of the first run in their order, then those of the next one.
type Chosen struct {
	name   string
	choice []byte // what was not read
	runs   []*Run // that were not begun
	links  bool
	run    *Cursor
	pairs  uint64 // of the run that were not read
	next   uint64 // records that follow each other
	left   int    // states of the level
}

// ReadChoice yields the states of runs, with the places from which they were met or without, that a file of a choice says make a level of so
// many.
func ReadChoice(of []*Run, links bool, choice File, name string, states int) (*Chosen, error) {
	text, err := ReadBytes(choice, name)
	return &Chosen{name: name, choice: text, runs: of, links: links, left: states}, err
}

// Next returns the next state; ok is false at the end.
func (c *Chosen) Next() (r Record, ok bool, err error) {
	for c.next == 0 && c.left > 0 {
		if err := c.pass(); err != nil {
			return r, false, err
		}
	}
	if c.left == 0 {
		return r, false, c.end()
	}
	c.next, c.left = c.next-1, c.left-1
	return c.read()
}

// pass goes to the next records that were chosen, or to the next run.
func (c *Chosen) pass() error {
	if c.pairs == 0 {
		if len(c.runs) == 0 {
			return &DamagedError{c.name, "chooses fewer states than is said of it"}
		}
		c.run, c.runs = c.runs[0].Cursor(c.links), c.runs[1:]
		return c.number(&c.pairs)
	}
	var out uint64
	if err := c.number(&out); err != nil {
		return err
	}
	c.pairs--
	for range out {
		if _, _, err := c.read(); err != nil {
			return err
		}
	}
	return c.number(&c.next)
}

// read reads a record of the run.
func (c *Chosen) read() (r Record, ok bool, err error) {
	if r, ok, err = c.run.Next(); err == nil && !ok {
		err = &DamagedError{c.name, "is about records that its files do not have"}
	}
	return r, ok, err
}

// number reads a number of the choice.
func (c *Chosen) number(n *uint64) error {
	var size int
	if *n, size = binary.Uvarint(c.choice); size <= 0 {
		return &DamagedError{c.name, "is torn"}
	}
	c.choice = c.choice[size:]
	return nil
}

// end refuses a choice of more states.
func (c *Chosen) end() error {
	if c.pairs == 0 && c.next == 0 && len(c.choice) == len(c.runs) {
		for len(c.choice) > 0 && c.choice[0] == 0 {
			c.choice = c.choice[1:]
			c.runs = c.runs[1:]
		}
		if len(c.choice) == 0 {
			return nil
		}
	}
	return &DamagedError{c.name, "chooses more states than is said of it"}
}
