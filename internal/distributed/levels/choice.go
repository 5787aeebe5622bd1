package levels

import (
	"encoding/binary"
	"io"
)

// A Choice says which states of a merger make a level. It is written as unsigned varints: how many states are left out, how
// many after these are chosen, and so on. So the states of a level are written once, among its candidates.
type Choice struct {
	text        []byte
	written     int // states of the merger that the text is about
	first, next int // the states that follow each other and are not in the text
}

// Add adds the state at a place of the merger, counted from 0. Places ascend.
func (c *Choice) Add(at int) {
	if at != c.next || c.first == c.next {
		c.flush()
		c.first = at
	}
	c.next = at + 1
}

func (c *Choice) flush() {
	if c.next > c.first {
		c.text = binary.AppendUvarint(binary.AppendUvarint(c.text, uint64(c.first-c.written)), uint64(c.next-c.first))
		c.written, c.first = c.next, c.next
	}
}

// Write writes the choice to a file and returns its name.
func (c *Choice) Write(to io.Writer) (name string, err error) {
	c.flush()
	return WriteBytes(to, c.text)
}

// A Chosen yields the states of a choice. Meanwhile, halves may be included in the order.
type Chosen struct {
	from   *Merger
	name   string
	choice []byte // what was not read
	next   uint64 // states that follow each other
	left   int    // of the level
}

// ReadChoice yields the states of runs, with the places from which they were met or without, that a file of a choice says make a level of so
// many.
func ReadChoice(o *Order, of []*Run, links bool, choice File, name string, states int) (*Chosen, error) {
	text, err := ReadBytes(choice, name)
	if err != nil {
		return nil, err
	}
	from, err := MergeRuns(o, of, links)
	return &Chosen{from: from, name: name, choice: text, left: states}, err
}

// Next returns the next state; ok is false at the end.
func (c *Chosen) Next() (r Record, ok bool, err error) {
	c.from.order.mu.Lock()
	defer c.from.order.mu.Unlock()
	if c.left == 0 {
		if len(c.choice) > 0 || c.next > 0 {
			return r, false, &DamagedError{c.name, "chooses more states than is said of it"}
		}
		return r, false, nil
	}
	c.from.follow()
	if c.next == 0 {
		if err := c.pass(); err != nil {
			return r, false, err
		}
	}
	c.next, c.left = c.next-1, c.left-1
	if r, ok, err = c.from.Next(); err == nil && !ok {
		err = &DamagedError{c.name, "chooses states that its files do not have"}
	}
	return r, ok, err
}

// pass goes to the next states that were chosen.
func (c *Chosen) pass() error {
	out, n := binary.Uvarint(c.choice)
	in, k := binary.Uvarint(c.choice[max(n, 0):])
	if n <= 0 || k <= 0 || in == 0 {
		return &DamagedError{c.name, "chooses fewer states than is said of it"}
	}
	c.choice, c.next = c.choice[n+k:], in
	for range out {
		if _, ok, err := c.from.Next(); !ok || err != nil {
			if err == nil {
				err = &DamagedError{c.name, "leaves out states that its files do not have"}
			}
			return err
		}
	}
	return nil
}
