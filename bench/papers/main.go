// Command papers makes tables of papers with harrier's own examples, and puts the papers' figures beside ours as Markdown.
// `make table1`, `make mp-models` and `make fig10` run it.
//
//	TABLE.csv -> row               a paper's figures, with our program and mode for each
//	row -> runs -> compare.Result  our figures, kept as those of harrier compare
//	row, Result -> table, factors  into bench/papers/README.md
//
// Counts compare only within a column: the papers' protocols are others in detail, and their states too. What should agree is
// the answer, and that the same mode saves more, or less.
package main

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"io"

	"harrier/bench/frame"
	"harrier/internal/compare"
	"harrier/internal/process/files"
)

//go:embed *.csv
var papers embed.FS

// settings say how to make a table.
type settings struct {
	runs
	table string
	into  string // the file that gets the table, "" for standard output
	plot  string // the file that gets the bars, "" for none
}

func main() { frame.Main("papers", run) }

// run makes a table. The exit code is 0 where our answers are the paper's as far as they go, 1 where not, 2 for wrong use, 3 for
// what could not be run, and 130 if interrupted.
func run(ctx context.Context, arguments []string, stdout, stderr io.Writer) (int, error) {
	s, err := parse(arguments, stderr)
	if err != nil {
		return frame.Usage, err
	}
	rows, err := readPaper(s.table)
	if err == nil {
		err = s.plan(rows)
	}
	if err != nil {
		return frame.Usage, err
	}
	if err := s.make(ctx, rows, stderr); err != nil {
		return frame.Impossible, err
	}
	if err := s.write(stdout, rows); err != nil {
		return frame.Impossible, err
	}
	return verdict(rows)
}

func parse(arguments []string, stderr io.Writer) (settings, error) {
	var s settings
	f := frame.Flags("papers", stderr)
	f.StringVar(&s.table, "table", "table1", "the table: table1, mp-models or fig10")
	f.StringVar(&s.into, "into", "",
		"the file that gets the table between its marks, such as bench/papers/README.md (default: print it)")
	f.StringVar(&s.plot, "plot", "", "draw the states into an SVG file")
	s.register(f)
	if err := frame.Parse(f, arguments); err != nil {
		return s, err
	}
	return s, s.check()
}

// write prints the table, or puts it into a file, and draws it.
func (s *settings) write(stdout io.Writer, rows []row) error {
	var text bytes.Buffer
	table(&text, rows)
	factors(&text, rows)
	if missing := missing(rows); missing > 0 {
		fmt.Fprintf(&text, "\n%d runs are missing, as all together were to end within %v; the same command makes them.\n",
			missing, s.within)
	}
	if s.plot != "" {
		if err := draw(s.plot, rows); err != nil {
			return err
		}
	}
	if s.into != "" {
		return frame.Replace(s.into, s.table, text.Bytes())
	}
	_, err := text.WriteTo(stdout)
	return err
}

func missing(rows []row) int {
	n := 0
	for _, r := range rows {
		if r.ours == nil {
			n++
		}
	}
	return n
}

// drawn are the modes that are drawn. Searches that remember no states count them as often as they meet them.
const drawn = "stateful,dbss,static,dbss-static,macro,dbss-symmetry,static-symmetry,macro-symmetry"

func draw(path string, rows []row) error {
	modes, err := compare.ParseModes(drawn)
	if err != nil {
		return err
	}
	var results []compare.Result
	for _, r := range rows {
		if r.ours != nil {
			results = append(results, *r.ours)
		}
	}
	var svg bytes.Buffer
	if err := compare.NewTable(modes, "stateful", compare.Limits{}, results, 0).SVG(&svg); err != nil {
		return err
	}
	return files.WriteWhole(path, svg.Bytes())
}
