package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"

	"harrier/bench/frame"
	"harrier/internal/compare"
)

var heads = []string{
	"size", "tool", "keeps of a state", "states", "transitions", "search, s", "process, s", "million transitions a second",
	"peak MiB", "B a state", "speed, harrier's is 1", "peak, harrier's is 1",
}

// rates writes the table of searches without reductions.
func (c *comparison) rates(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintln(&b, compare.MarkdownHead(heads, "lllrrrrrrrrr"))
	for _, z := range c.sizes {
		base := c.runsOf[c.tools[0].key][z]
		for i := range c.tools {
			fmt.Fprintln(&b, compare.MarkdownRow(c.cells(&c.tools[i], z, base)))
		}
	}
	fmt.Fprintf(&b, `
- Sizes are proposers/acceptors/learners. The tools ran one at a time and in turn; figures are medians of
  %d runs (one of what takes long) that took at most %.0f per cent more or less time for the search.
- Spin and Stateright searched depth first, harrier as by default, breadth first with random runs beside; all with one thread. Search is
  the time that the tool itself prints, process that from its start to its end: for harrier with starting Java and reading the sources, whose classes are kept
  from a run before; for Spin and Stateright without compiling the model. Speed is that of the search, in transitions a second.
- Transitions: Spin prints those stored and matched, Stateright the states that it generated. Both have
  the initial state in it, which is taken off. They are then equal to harrier's, which is checked.
- B a state: harrier's visited set, frontier and what its worker remembers of halves; all of Spin's memory, with its hash table (which is
  given the number of states, and has as many slots, up to twice) and its stack; else the peak of the process, which may have been less where
  it says "at most".
- Exact tools keep what identifies a state. Fingerprints of 64 bits leave states out where two
  have the same; here none did.
`, c.runs, 100*c.spread())
	if c.runsOf["naive"] != nil {
		fmt.Fprintf(&b, `- The naive explorer runs the Java handlers again for every transition, from the start of the program, and
  searches breadth first. It tells states apart by all fields, so its states are others. It ran
  for at most %v; its peak is what Java lets the heap grow to.
`, c.naiveTime)
	}
	_, err := b.WriteTo(w)
	return err
}

// cells are the columns of a tool at a size, beside the runs of harrier.
func (c *comparison) cells(t *tool, z size, base []measured) []string {
	runs := c.runsOf[t.key][z]
	cells := make([]string, len(heads))
	copy(cells, []string{z.String(), t.name, t.how})
	if runs == nil {
		cells[3] = "not run: " + t.missing()
		return cells
	}
	last := runs[len(runs)-1]
	if last.late {
		cells[3] = fmt.Sprintf("not ended after %v", c.timeout)
		return cells
	}
	note := ""
	if last.unfinished {
		note = ">"
	}
	cells[3], cells[4] = note+compare.Count(last.states), note+compare.Count(last.transitions)
	if last.allFields {
		cells[3] += ", by all fields"
	}
	peak := median(runs, peakOf)
	cells[5] = note + fmt.Sprintf("%.2f", median(runs, secondsOf))
	cells[6] = note + fmt.Sprintf("%.2f", median(runs, wallOf))
	timed := median(runs, secondsOf) > 0
	if timed {
		cells[7] = fmt.Sprintf("%.3g", median(runs, rateOf)/1e6)
	}
	cells[8] = mebibytes(runs)
	cells[9] = fmt.Sprintf("%.0f", median(runs, bytesOf)/float64(last.states))
	switch {
	case last.allFields: // the heap is as large as it may be
		cells[9] = ""
	case last.bytes == 0:
		cells[9] += " (peak)"
	}
	if peak <= median(runs, floorOf) {
		cells[8] = "at most " + cells[8]
		if last.bytes == 0 {
			cells[9] = "at most " + cells[9]
		}
	}
	cells[10] = compare.Ratio(median(runs, rateOf)/median(base, rateOf), timed)
	if !last.allFields {
		cells[11] = compare.Ratio(peak/median(base, peakOf), true)
	}
	return cells
}

// verdicts writes the table of searches to the verdict, each tool with its reductions.
func (c *comparison) verdicts(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintln(&b, "\n"+compare.MarkdownHead([]string{
		"size", "tool", "reductions", "states", "to the verdict, s", "peak MiB", "time, harrier's is 1", "peak, harrier's is 1",
	}, "lllrrrrr"))
	for _, z := range c.sizes {
		base := c.runsOf[c.tools[0].key][z]
		for _, t := range c.tools {
			cells := []string{z.String(), t.name, t.how, "", "", "", "", ""}
			runs := c.runsOf[t.key][z]
			switch {
			case runs == nil:
				cells[3] = "not run: " + t.missing()
			case runs[0].late:
				cells[4], cells[5] = fmt.Sprintf("> %.0f", c.timeout.Seconds()), mebibytes(runs)
			default:
				cells[3] = compare.Count(runs[0].states)
				cells[4], cells[5] = fmt.Sprintf("%.2f", median(runs, wallOf)), mebibytes(runs)
				cells[6] = compare.Ratio(median(runs, wallOf)/median(base, wallOf), true)
				cells[7] = compare.Ratio(median(runs, peakOf)/median(base, peakOf), true)
			}
			fmt.Fprintln(&b, compare.MarkdownRow(cells))
		}
	}
	fmt.Fprintf(&b, `
- Time is that of the process from its start to its end, as in the table above; medians of %d runs, or one where it
  took a minute. A tool that had not ended after %v was ended.
- Each searched with one thread, harrier as it does where nothing is said. Symmetry is that of the acceptors. Where it
  is the only reduction, states and transitions are equal, which is checked.
`, c.runs, c.timeout)
	_, err := b.WriteTo(w)
	return err
}

// spread is the largest part by which the time of a search was off the median of its tool.
func (c *comparison) spread() float64 {
	most := 0.0
	for _, sizes := range c.runsOf {
		for _, runs := range sizes {
			middle := median(runs, secondsOf)
			for _, m := range runs {
				if middle > 0 {
					most = max(most, m.seconds/middle-1, 1-m.seconds/middle)
				}
			}
		}
	}
	return most
}

// write prints a table, or puts it between its marks in a file. One without the rows of tools that could not be set up replaces no
// table in a file: it is printed. The exit code is that of run.
func (s settings) write(stdout io.Writer, marks string, table []byte, failed []error) (int, error) {
	var err error
	if s.into != "" && len(failed) == 0 {
		err = frame.Replace(s.into, marks, table)
	} else {
		_, err = stdout.Write(table)
	}
	if err = cmp.Or(err, incomplete(failed)); err != nil {
		return frame.Impossible, err
	}
	return frame.OK, nil
}

// mebibytes is the median of peaks, as a cell.
func mebibytes(runs []measured) string { return fmt.Sprintf("%.0f", median(runs, peakOf)/(1<<20)) }

func secondsOf(m measured) float64 { return m.seconds }
func wallOf(m measured) float64    { return m.wall }
func cpuOf(m measured) float64     { return m.cpu }
func rateOf(m measured) float64    { return float64(m.transitions) / m.seconds }
func peakOf(m measured) float64    { return float64(m.peak) }
func floorOf(m measured) float64   { return float64(m.floor) }

// bytesOf is what holds the states, as far as the tool prints it.
func bytesOf(m measured) float64 {
	if m.bytes == 0 {
		return float64(m.peak)
	}
	return float64(m.bytes)
}
