package main

import (
	"bytes"
	"fmt"
	"strings"

	"harrier/bench/frame"
	"harrier/compare"
)

// cell is a protocol and a property in a model, with the paper's figures and our result.
type cell struct {
	protocol, property, model string
	states, transitions, time frame.Figure // of the paper; zero where it ran out of memory
	frame.Expected
}

// readPaper reads the paper's figures.
func readPaper(content []byte) ([]cell, error) {
	records, err := frame.ReadPaper(content)
	if err != nil {
		return nil, err
	}
	var cells []cell
	for _, fields := range records {
		c := cell{protocol: fields[0], property: fields[1], model: fields[3], Expected: frame.Expected{Answer: fields[2]}}
		if fields[4] != "" {
			if c.states, err = frame.ReadCount(fields[4]); err == nil {
				c.transitions, err = frame.ReadCount(fields[5])
			}
			if err == nil {
				c.time, err = frame.ReadTime(fields[6])
			}
			if err != nil {
				return nil, fmt.Errorf("reading the paper's figures: %w", err)
			}
		}
		cells = append(cells, c)
	}
	return cells, nil
}

// find finds the cell of the same program in a model.
func (c *cell) find(cells []cell, model string) *cell {
	for i := range cells {
		if o := &cells[i]; o.protocol == c.protocol && o.property == c.property && o.model == model {
			return o
		}
	}
	return nil
}

var heads = []string{
	"protocol, property", "result", "model", "states, paper", "states, ours", "transitions, paper", "transitions, ours",
	"time, paper", "time, ours", "states over those of M, paper", "ours", "without symmetry over with, paper", "ours", "ours ended by",
}

// markdown is the table of a variant.
func markdown(cells []cell, v variant) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s (`%s`):\n\n", v.title, v.setting)
	fmt.Fprintln(&b, compare.MarkdownRow(heads))
	fmt.Fprintln(&b, "|---|---|---"+strings.Repeat("|---:", len(heads)-4)+"|---|")
	for i := range cells {
		fmt.Fprintln(&b, compare.MarkdownRow(cells[i].columns(cells)))
	}
	fmt.Fprintln(&b)
	return b.Bytes()
}

// notes say how the tables are to be read.
func notes(s settings) []byte {
	return fmt.Appendf(nil, `- The paper's figures are those of Table 1 in Bokor, Serafini, Suri, "On Efficient Models for Model Checking
  Message-Passing Distributed Protocols": Murphi on Xeon machines with 4 GB of memory. Where it has none, it ran
  out of memory.
- Our runs end after %v or at %s of memory; \> marks those, which say how far they came. Searches with a counterexample
  (CE) end at the first, depth-first, so their counts depend on the order in which events are tried. Times are of the
  search, without starting Java and compiling.
- States over those of M are put in proportion where both searches verified, with symmetry for a model with it. So are
  states without symmetry over those with it.
`, s.Limits.Time, compare.Size(s.Limits.Memory))
}

// columns are those of a cell, beside the others.
func (c *cell) columns(cells []cell) []string {
	columns := []string{
		c.protocol + ", " + c.property, c.Text(), c.model, c.states.Text, "", c.transitions.Text, "", c.time.Text, "",
		"", "", "", "", frame.EndedBy(c.Result),
	}
	columns[4], columns[6], columns[8] = frame.Counted(c.Result)
	plain, isReduced := strings.CutSuffix(c.model, " symm")
	m := "M"
	if isReduced {
		m = "M symm"
		columns[11], columns[12] = proportion(c.find(cells, plain), c)
	}
	if m != c.model {
		columns[9], columns[10] = proportion(c, c.find(cells, m))
	}
	return columns
}

// proportion is how many times more states one cell has than another, in the paper and with us. Where a search ends
// at a violation, states say where that was met, and not how many there are.
func proportion(more, fewer *cell) (paper, ours string) {
	if more.Answer != "OK" {
		return "", ""
	}
	return compare.Ratio(more.states.Ratio(fewer.states)), compare.Ratio(more.StatesRatio(fewer.Result))
}
