// Command papers makes tables of papers with harrier's own examples, and puts the papers' figures beside ours as Markdown.
// `make table1`, `make hashing`, `make mp-models`, `make fig10`, `make table2` and, for all of them, `make papers` run it.
//
//	TABLE.csv -> row               a paper's figures, with our program and mode for each
//	row -> runs -> compare.Result  our figures, kept as those of harrier compare
//	row, Result -> table, factors  into bench/papers/README.md
//	-page FOLDER                   all tables within a time, as a page with what each run came to; make papers
//
// Counts compare only within a column: the papers' protocols are others in detail, and their states too. What should agree is
// the answer, and that the same mode saves more, or less.
package main

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"

	"harrier/bench/frame"
	"harrier/internal/compare"
	"harrier/internal/plan"
	"harrier/internal/process/files"
)

//go:embed *.csv
var papers embed.FS

// settings say how to make a table.
type settings struct {
	runs
	table string
	rows  string // which of it, see choose; "" for all
	into  string // the file that gets the table, "" for standard output
	plot  string // the file that gets the bars, "" for none
	page  string // the folder that gets all tables, "" to make one
}

func main() { frame.Main("papers", run) }

// run makes a table. The exit code is 0 where our answers are the paper's as far as they go, 1 where not, 2 for wrong use, 3 for
// what could not be run, and 130 if interrupted.
func run(ctx context.Context, arguments []string, stdout, stderr io.Writer) (int, error) {
	s, err := parse(arguments, stderr)
	if err != nil {
		return frame.Usage, err
	}
	if s.page != "" {
		return s.makePage(ctx, stderr)
	}
	rows, err := readPaper(s.table)
	if err == nil {
		rows, err = choose(rows, s.rows)
	}
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
	f.StringVar(&s.table, "table", "table1", "the table: table1, hashing, mp-models, fig10 or table2")
	f.StringVar(&s.into, "into", "",
		"the file that gets the table between its marks, such as bench/papers/README.md (default: print it)")
	f.StringVar(&s.plot, "plot", "", "draw the states into an SVG file")
	f.StringVar(&s.rows, "rows", "", "only rows to which all these words belong, by program, protocol and mode, such as \"register dbss; paxos (6)\" (default: all)")
	f.StringVar(&s.page, "page", "", "make all tables instead, and leave them in a folder with what each run came to")
	s.register(f)
	if err := frame.Parse(f, arguments); err != nil {
		return s, err
	}
	if s.rows != "" && s.into+s.plot+s.page != "" {
		return s, errors.New("-rows does not go together with -into, -plot and -page, which are of all rows: leave one of them out")
	}
	if s.page != "" && s.into+s.plot != "" {
		return s, errors.New("-page has the tables and plots in a folder: leave -into and -plot out")
	}
	return s, s.check()
}

// write prints the table, or puts it into a file, and draws it.
func (s *settings) write(stdout io.Writer, rows []row) error {
	var text bytes.Buffer
	s.writeTable(&text, s.table, rows)
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

// writeTable writes a table by its name, and what else is to be said of it.
func (r *runs) writeTable(text *bytes.Buffer, name string, rows []row) {
	switch name {
	case "table2":
		table2(text, rows)
	case "hashing":
		writeHashings(text, rows)
	default:
		table(text, rows)
		factors(text, rows)
	}
	if missing := missing(rows); missing > 0 {
		fmt.Fprintf(text, "\n%d runs are missing, as all together were to end within %v; the same command makes them.\n",
			missing, r.within)
	}
}

func missing(rows []row) int {
	n := 0
	for _, r := range rows {
		if r.ours == nil && r.program != "" {
			n++
		}
	}
	return n
}

// drawn are the modes that are drawn. Searches that remember no states count them as often as they meet them.
const drawn = "stateful,dbss,static,dbss-static,macro,dbss-symmetry,static-symmetry,macro-symmetry"

func draw(path string, rows []row) error {
	modes, err := plan.ParseModes(drawn)
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
