package levels

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
)

// What a file with a choice begins with.
const choiceMagic = "harrier choice 2\n"

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
func (c *Choice) Add(p RecordAt) {
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

// Write writes the choice to a file and returns the name of that: for each of the given number of runs, the number of pairs and then the pairs
// (records left out, records chosen).
func (c *Choice) Write(to io.Writer, runs int) (name string, err error) {
	text := []byte(choiceMagic)
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
	isTorn bool   // it ended in the middle
	runs   []*Run // that were not begun
	links  bool
	run    *Cursor
	pairs  uint64 // of the run that were not read
	next   uint64 // records that follow each other
}

// ReadChoice yields the states of runs, with the places from which they were met or without, that a file of a choice says make a level of so
// many.
func ReadChoice(of []*Run, links bool, choice File, name string, states int) (*Chosen, error) {
	text, err := ReadBytes(choice, name)
	if err != nil {
		return nil, err
	}
	text, ok := bytes.CutPrefix(text, []byte(choiceMagic))
	if !ok {
		return nil, &DamagedError{name, "is no choice of this version"}
	}
	c := &Chosen{name: name, choice: text, runs: of, links: links}
	return c, c.verify(states)
}

// verify returns a *DamagedError if the choice has records that the runs lack, or another number of records than states.
func (c Chosen) verify(states int) error {
	left, isWrong := uint64(states), false
	for _, r := range c.runs {
		records := uint64(r.States)
		for pairs := c.number(); pairs > 0 && !isWrong; pairs-- {
			out, in := c.number(), c.number()
			isWrong = c.isTorn || in == 0 || out > records || in > records-out || in > left
			records, left = records-out-in, left-in
		}
	}
	if c.isTorn || isWrong || left > 0 || len(c.choice) > 0 {
		return &DamagedError{c.name, fmt.Sprintf("is no choice of %d states of its files", states)}
	}
	return nil
}

// number reads a number of the choice.
func (c *Chosen) number() (n uint64) {
	n, size := binary.Uvarint(c.choice)
	if c.isTorn = c.isTorn || size <= 0; c.isTorn {
		return 0
	}
	c.choice = c.choice[size:]
	return n
}

// Next returns the next state; ok is false at the end.
func (c *Chosen) Next() (r Record, ok bool, err error) {
	for c.next == 0 {
		switch {
		case c.pairs > 0:
			c.pairs--
			for out := c.number(); out > 0; out-- {
				if _, _, err := c.run.Next(); err != nil {
					return r, false, err
				}
			}
			c.next = c.number()
		case len(c.runs) == 0:
			return r, false, nil
		default:
			c.run, c.runs = c.runs[0].Cursor(c.links), c.runs[1:]
			c.pairs = c.number()
		}
	}
	c.next--
	return c.run.Next()
}
