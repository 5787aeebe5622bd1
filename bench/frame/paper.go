package frame

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"harrier/compare"
	"harrier/report"
)

// Figure is a number of a paper, or a lower bound of one.
type Figure struct {
	Value   float64
	AtLeast bool
	Text    string
}

// Ratio is a figure over another; ok says whether both are known.
func (f Figure) Ratio(base Figure) (ratio float64, ok bool) {
	if f.Value == 0 || base.Value == 0 || f.AtLeast || base.AtLeast {
		return 0, false
	}
	return f.Value / base.Value, true
}

// ReadCount reads a number of states; > before it makes it a lower bound.
func ReadCount(text string) (Figure, error) {
	digits, atLeast := strings.CutPrefix(text, ">")
	n, err := strconv.ParseUint(digits, 10, 63)
	shown := humanize.Comma(int64(n))
	if atLeast {
		shown = ">" + shown
	}
	return Figure{float64(n), atLeast, shown}, err
}

// ReadTime reads a time, likewise.
func ReadTime(text string) (Figure, error) {
	duration, atLeast := strings.CutPrefix(text, ">")
	d, err := time.ParseDuration(duration)
	return Figure{d.Seconds(), atLeast, text}, err
}

// ReadPaper reads the figures of a paper: comma-separated, with comments behind #, and a line of heads.
func ReadPaper(content []byte) ([][]string, error) {
	r := csv.NewReader(bytes.NewReader(content))
	r.Comment = '#'
	records, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("reading the paper's figures: %w", err)
	}
	return records[1:], nil
}

// Answer is a verdict in a paper's words, OK or CE (there is a counterexample), and "" where there is none.
func Answer(r *compare.Result) string {
	switch r.Verdict {
	case compare.Verified:
		return "OK"
	case compare.Violated:
		return "CE"
	}
	return ""
}

// EndedBy says why a search ended.
func EndedBy(r *compare.Result) string {
	switch r.Verdict {
	case compare.Verified:
		return "all states"
	case compare.Violated:
		return "the first violation"
	case compare.Inconclusive:
		return r.Note
	}
	return string(r.Verdict) + ": " + r.Note
}

// Counted writes figures of a result: how far it came, if it was not to the end.
func Counted(r *compare.Result) (states, transitions, time string) {
	if r.Figures == nil {
		return "", "", ""
	}
	atLeast := ""
	if !r.Conclusive() {
		atLeast = ">"
	}
	return atLeast + compare.Count(r.States), atLeast + compare.Count(r.Transitions), atLeast + report.Seconds(r.Seconds)
}

// Expected is a result with the paper's answer.
type Expected struct {
	*compare.Result
	Answer string
}

// Text is the paper's answer, and ours where it is another.
func (e Expected) Text() string {
	if e.differs() {
		return e.Answer + ", OURS IS " + Answer(e.Result)
	}
	return e.Answer
}

func (e Expected) differs() bool {
	a := Answer(e.Result)
	return a != "" && a != e.Answer
}

// Verdict is the exit code with what is wrong: results that are not the paper's, runs that broke down.
func Verdict(results []Expected) (int, error) {
	var other, broken []string
	for _, r := range results {
		where := fmt.Sprintf("%s in mode %s", r.Program, r.Mode)
		switch {
		case r.differs():
			other = append(other, fmt.Sprintf("%s is %s, in the paper %s", where, Answer(r.Result), r.Answer))
		case r.Verdict == compare.Failed || r.Verdict == compare.NotApplicable:
			broken = append(broken, where+": "+r.Note)
		}
	}
	switch {
	case other != nil:
		return Different, fmt.Errorf("results are not the paper's: %s", strings.Join(other, "; "))
	case broken != nil:
		return Impossible, fmt.Errorf("%d runs could not be made, the first: %s", len(broken), broken[0])
	}
	return OK, nil
}
