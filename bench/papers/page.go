package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"harrier/bench/frame"
	"harrier/bridge"
	"harrier/internal/compare"
	"harrier/internal/plan"
	"harrier/internal/process/files"
)

// papersTable is a table of a paper, by the name of its file and what a page calls it.
type papersTable struct{ name, title string }

// tables are all that there are.
var tables = []papersTable{
	{"fig10", "Guerraoui, Yabandeh, *Model Checking a Networked System Without the Network*, Figures 10 to 13"},
	{"table1", "Saissi, Bokor, Muftuoglu, Suri, Serafini, *Efficient Verification of Distributed Protocols Using Stateful Model Checking*, Table I"},
	{"hashing", "What hashing leaves out of states, of protocols of both papers of Bokor and others"},
	{"table2", "Guo, Wu, Zhou, Hu, Yang, Zhang, *Practical Software Model Checking via Dynamic Interface Reduction*, Table 2"},
	{"mp-models", "Bokor, Serafini, Suri, *On Efficient Models for Model Checking Message-Passing Distributed Protocols*, Table 1"},
}

// makePage makes all tables, one after another, and then the figures by depth. Each may take an equal share of the time that is left for
// it and those behind it, so that all end within it; a run a tenth of an equal share of the whole, and a hundredth if it
// remembers no states, counted from the end of its set-up.
// In the folder are then
//
//	README.md                    the page
//	TABLE.json, TABLE.csv, .svg  the runs of a table, as harrier compare writes them
//	by-depth.md, .svg            the figures by depth
//	runs, traces                 what each run came to; the same again takes what is there
//
// The exit code is the gravest of those of the tables.
func (s *settings) makePage(ctx context.Context, progress io.Writer) (int, error) {
	origin, err := s.origin(ctx)
	if err != nil {
		return frame.Impossible, err
	}
	s.out = s.page
	began, all, parts := time.Now(), s.within, time.Duration(len(tables)+1)
	useful := all - all/100 // the rest is for processes to end
	if all > 0 {
		setUp, err := s.setUpTime(ctx)
		if err != nil {
			return frame.Impossible, err
		}
		s.limits.Time, s.stateless = min(s.limits.Time, useful/parts/10)+setUp, min(s.stateless, useful/parts/100)+setUp
	}
	var page bytes.Buffer
	code, wrong := frame.OK, []error{}
	for part := range parts {
		if all > 0 {
			s.within = max((useful-time.Since(began))/(parts-part), time.Millisecond).Truncate(time.Millisecond)
		}
		c, err := s.addPart(ctx, &page, int(part), origin, progress)
		if ctx.Err() != nil {
			return frame.Impossible, errors.New("interrupted; what is finished is kept, the same command goes on")
		}
		if err != nil {
			code, wrong = gravest(code, c), append(wrong, err)
		}
	}
	head := fmt.Sprintf("# Tables of papers\n\nharrier %s, Java %s, examples of commit %s; %s; a load of %.2f at the start. Begun %s, took %v of %v.\n"+
		"Times are those of this machine while it did what else it did; counts do not depend on that.\n",
		origin.Harrier, origin.Java, cmp.Or(compare.Commit(s.examples), "unknown"), origin.Machine, origin.Load,
		origin.Started.Format(time.RFC3339), time.Since(began).Round(time.Second), all)
	if err := files.WriteWhole(filepath.Join(s.page, "README.md"), append([]byte(head), page.Bytes()...)); err != nil {
		return frame.Impossible, err
	}
	fmt.Fprintf(progress, "the page is %s\n", filepath.Join(s.page, "README.md"))
	return code, errors.Join(wrong...)
}

// setUpTime is how long a run takes before its search begins, in whole seconds: kept results are those of runs with equal limits.
func (s *settings) setUpTime(ctx context.Context) (time.Duration, error) {
	found, _, err := frame.Check(ctx, s.harrier, "--max-states", "1", filepath.Join(s.examples, "paxos"))
	if err != nil {
		return 0, fmt.Errorf("measuring the time of a set-up: %w", err)
	}
	return time.Duration(math.Ceil(found.SetUpSeconds)) * time.Second, nil
}

// addPart adds one of the tables to a page, or behind them the figures by depth.
func (s *settings) addPart(ctx context.Context, page *bytes.Buffer, part int, origin compare.Origin, progress io.Writer) (int, error) {
	if part < len(tables) {
		return s.addTable(ctx, page, tables[part], origin, progress)
	}
	if err := s.addDepth(ctx, page, progress); err != nil {
		return frame.Impossible, err
	}
	return frame.OK, nil
}

// gravest is the first of two exit codes in the order of Different, Impossible, OK.
func gravest(a, b int) int {
	order := []int{frame.Different, frame.Usage, frame.Impossible, frame.OK}
	return order[min(slices.Index(order, a), slices.Index(order, b))]
}

// addTable makes a table, adds it to the page, and writes its files.
func (s *settings) addTable(ctx context.Context, page *bytes.Buffer, t papersTable, origin compare.Origin, progress io.Writer) (int, error) {
	rows, err := readPaper(t.name)
	if err == nil {
		err = s.plan(rows)
	}
	if err != nil {
		return frame.Usage, err
	}
	if err := s.make(ctx, rows, progress); err != nil {
		return frame.Impossible, err
	}
	fmt.Fprintf(page, "\n## %s\n\n", t.title)
	s.writeTable(page, t.name, rows)
	made := madeOf(rows)
	if made.Origin = &origin; len(made.Results) == 0 {
		return frame.OK, nil
	}
	fmt.Fprintf(page, "\nEach run: [%s.json](%[1]s.json), [%[1]s.csv](%[1]s.csv).\n\n![states](%[1]s.svg)\n", t.name)
	for extension, write := range map[string]func(io.Writer) error{".json": made.JSON, ".csv": made.CSV, ".svg": made.SVG} {
		var text bytes.Buffer
		if err := write(&text); err != nil {
			return frame.Impossible, err
		}
		if err := files.WriteWhole(filepath.Join(s.page, t.name+extension), text.Bytes()); err != nil {
			return frame.Impossible, err
		}
	}
	code, err := verdict(rows)
	if err != nil {
		err = fmt.Errorf("%s: %w", t.name, err)
	}
	return code, err
}

// addDepth adds the figures by depth to the page, which a test of examples makes, if it ends in time.
func (s *settings) addDepth(ctx context.Context, page *bytes.Buffer, progress io.Writer) error {
	folder, err := filepath.Abs(s.page)
	if err != nil {
		return err
	}
	fmt.Fprintf(progress, "the figures by depth, at most %v\n", s.within)
	limited, cancel := ctx, context.CancelFunc(func() {})
	if s.within > 0 {
		limited, cancel = context.WithTimeout(ctx, s.within)
	}
	defer cancel()
	test := filepath.Join(folder, "examples.test") // the test itself, as it is ended by a signal
	defer os.Remove(test)
	c := exec.CommandContext(limited, "go", "test", "-c", "-o", test, "./"+s.examples)
	out, err := c.CombinedOutput()
	if err == nil {
		c = exec.CommandContext(limited, test, "-test.run", "BoundedSearchByDepth", "-test.timeout", "0", "-by-depth", filepath.Join(folder, "by-depth"))
		c.Dir = s.examples
		out, err = c.CombinedOutput()
	}
	fmt.Fprintf(page, "\n## By depth, Figures 10 and 11 of Guerraoui, Yabandeh\n\n")
	switch {
	case limited.Err() != nil:
		fmt.Fprintf(page, "They were not done within %v.\n", s.within)
	case err != nil:
		return fmt.Errorf("the figures by depth: %w\n%s", err, out)
	default:
		fmt.Fprintf(page, "[By depth](by-depth.md).\n")
	}
	return nil
}

// madeOf is the table of the runs that were made, as harrier compare has it.
func madeOf(rows []row) *compare.Table {
	var modes []plan.Mode
	var results []compare.Result
	for _, r := range rows {
		if r.program != "" && !slices.Contains(plan.ModeNames(modes), r.mode) {
			modes = append(modes, r.job.Mode)
		}
		if r.ours != nil {
			results = append(results, *r.ours)
		}
	}
	return compare.NewTable(modes, "stateful", compare.Limits{}, results, missing(rows))
}

// origin is where the figures of a page are from.
func (s *settings) origin(ctx context.Context) (compare.Origin, error) {
	jdk, err := bridge.FindJDK("")
	if err != nil {
		return compare.Origin{}, err
	}
	if err := os.MkdirAll(s.page, 0o777); err != nil {
		return compare.Origin{}, err
	}
	version, err := exec.CommandContext(ctx, s.harrier, "--version").Output()
	if err != nil {
		return compare.Origin{}, fmt.Errorf("asking %s for its version: %w", s.harrier, err)
	}
	return compare.NewOrigin(strings.TrimPrefix(strings.TrimSpace(string(version)), "harrier version "), jdk.Version), nil
}
