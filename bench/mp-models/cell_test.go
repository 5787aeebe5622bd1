package main

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"harrier/bench/frame"
	"harrier/compare"
)

func paper(t *testing.T) []cell {
	t.Helper()
	cells, err := readPaper(paperCSV)
	if err != nil {
		t.Fatal(err)
	}
	return cells
}

// TestPaperFiguresAreThoseOfItsText computes what the paper's text says of its table.
func TestPaperFiguresAreThoseOfItsText(t *testing.T) {
	cells := paper(t)
	if len(cells) != 4*6 {
		t.Fatalf("%d cells", len(cells))
	}
	mmp := cells[0].find(cells, "M-MP symm")
	for _, figures := range [][2]frame.Figure{
		{mmp.states, cells[0].find(cells, "M symm").states}, {mmp.transitions, cells[0].find(cells, "M symm").transitions},
	} {
		// "approximately 1/13 of those in the STS with M-MP"
		if ratio, ok := figures[0].Ratio(figures[1]); !ok || ratio < 12.5 || ratio > 13.5 {
			t.Errorf("%s over %s is %v", figures[0].Text, figures[1].Text, ratio)
		}
	}
	for _, c := range cells {
		if programs[c.protocol+", "+c.property] == "" || modes[c.model] == "" {
			t.Errorf("nothing is run for %s, %s, %s", c.protocol, c.property, c.model)
		}
	}
}

// sample are the cells with results that are made up.
func sample(t *testing.T) []cell {
	cells := paper(t)
	for i := range cells {
		c := &cells[i]
		c.Result = &compare.Result{Program: "p", Mode: modes[c.model], Verdict: compare.Verified, Figures: &compare.Figures{States: 3000, Transitions: 9000, Seconds: 1}}
		if c.Answer == "CE" {
			c.Verdict = compare.Violated
		}
		if strings.HasSuffix(c.model, " symm") {
			c.States = 300
		}
		if strings.HasPrefix(c.model, "M-MP") {
			c.States *= 5
		}
	}
	open := cells[0].Result
	open.Verdict, open.Note = compare.Inconclusive, "the time of 1m0s is used up (--timeout)"
	return cells
}

func TestMarkdown(t *testing.T) {
	s := settings{Runs: frame.Runs{Limits: compare.Limits{Time: time.Minute, Memory: 20 << 30}}}
	got := string(markdown(sample(t), variants[1])) + string(notes(s))
	for _, want := range []string{
		"Leaders try once, which leaves fewer messages that nobody takes (`again=false`):\n\n| protocol",
		`| Paxos (m=2, n=3), safety | OK | M-MP |  | \>15,000 |  | \>9,000 |  | \>1.00 s |  |  |  |  | the time of 1m0s is used up (--timeout) |`,
		`| Paxos (m=2, n=3), safety | OK | M-MP symm | 1,754,621 | 1,500 | 12,463,946 | 9,000 | 15m | 1.00 s | 12.97 | 5.00 |  |  | all states |`,
		`| Paxos (m=2, n=3), safety | OK | M | 1,577,161 | 3,000 | 11,411,586 | 9,000 | 3m | 1.00 s |  |  |  |  | all states |`,
		`| Paxos (m=2, n=3), safety | OK | M symm | 135,271 | 300 | 980,290 | 9,000 | 24s | 1.00 s |  |  | 11.66 | 10.00 | all states |`,
		`| Faulty Paxos (m=2, n=3), safety | CE | M symm | 99,781 | 300 | 553,159 | 9,000 | 15s | 1.00 s |  |  |  |  | the first violation |`,
		`| Paxos (m=2, n=4), safety | OK | M-MP |  | 15,000 |  | 9,000 |  | 1.00 s |  | 5.00 |  |  | all states |`,
		"after 1m0s or at 20g of memory",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nis not in\n%s", want, got)
		}
	}
}

// TestEachCellHasARun makes the jobs that the table is made of, of programs that are there.
func TestEachCellHasARun(t *testing.T) {
	s := settings{Runs: frame.Runs{Examples: "../../examples", Limits: compare.Limits{Time: time.Hour}}}
	runs := map[string]bool{}
	for _, v := range variants {
		for _, c := range paper(t) {
			job, err := c.job(v, s)
			if err != nil {
				t.Error(err)
				continue
			}
			if _, err := os.Stat(job.Program.Path); err != nil {
				t.Error(err)
			}
			if reduces := slices.Contains(job.Mode.Flags, "on"); reduces != strings.HasSuffix(c.model, " symm") {
				t.Errorf("%s is run as %v", c.model, job.Mode.Flags)
			}
			runs[job.Program.String()+" "+job.Mode.Name] = true
		}
	}
	if len(runs) != 2*24 {
		t.Errorf("%d different runs", len(runs))
	}
}
