package compare

import (
	"encoding/csv"
	"io"
	"strconv"

	"harrier/internal/report"
)

// documentVersion is the version of the JSON document. Keys may be added without a new one.
const documentVersion = 3

// document is the JSON form of a table.
type document struct {
	Version        int            `json:"version"`
	Baseline       string         `json:"baseline"`
	Modes          []Mode         `json:"modes"`
	TimeoutSeconds float64        `json:"timeoutSeconds"`
	MaxMemoryBytes uint64         `json:"maxMemoryBytes"`
	Missing        int            `json:"missing"`
	Disagreements  []Disagreement `json:"disagreements"`
	Runs           []row          `json:"runs"`
}

// row is a result with its proportions to the baseline, null where there are none.
type row struct {
	Result
	StatesRatio *float64 `json:"statesRatio"`
	TimeRatio   *float64 `json:"timeRatio"`
}

func (t *Table) rows() []row {
	rows := []row{}
	for _, runs := range t.programs() {
		base := t.base(runs)
		for i := range runs {
			r := row{Result: runs[i]}
			if base != nil {
				r.StatesRatio, r.TimeRatio = optional(runs[i].StatesRatio(base)), optional(runs[i].TimeRatio(base))
			}
			rows = append(rows, r)
		}
	}
	return rows
}

func optional(ratio float64, ok bool) *float64 {
	if !ok {
		return nil
	}
	return &ratio
}

// JSON writes the table as one document.
func (t *Table) JSON(w io.Writer) error {
	return report.WriteJSON(w, document{
		Version: documentVersion, Baseline: t.Baseline, Modes: t.Modes, TimeoutSeconds: t.Limits.Time.Seconds(),
		MaxMemoryBytes: t.Limits.Memory, Missing: t.Missing, Disagreements: t.Disagreements(), Runs: t.rows(),
	})
}

// CSV writes the table with a line for each run, numbers as they are.
func (t *Table) CSV(w io.Writer) error {
	c := csv.NewWriter(w)
	c.Write([]string{
		"program", "scenario", "mode", "verdict", "states", "states_ratio", "transitions", "depth", "seconds", "seconds_ratio",
		"set_up_seconds", "peak_memory_bytes", "local_steps", "executions", "note",
	})
	for _, r := range t.rows() {
		figures := make([]string, 9)
		if f := r.Figures; f != nil {
			figures = []string{
				number(f.States), ratioNumber(r.StatesRatio), number(f.Transitions), strconv.Itoa(f.Depth),
				decimal(f.Seconds), ratioNumber(r.TimeRatio), decimal(f.SetUpSeconds), number(f.LocalSteps), number(f.Executions),
			}
		}
		cells := append([]string{r.Program, r.Scenario, r.Mode, string(r.Verdict)}, figures[:7]...)
		c.Write(append(cells, number(r.PeakMemoryBytes), figures[7], figures[8], r.Note))
	}
	c.Flush()
	return c.Error()
}

func number(n uint64) string { return strconv.FormatUint(n, 10) }

func decimal(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func ratioNumber(ratio *float64) string {
	if ratio == nil {
		return ""
	}
	return decimal(*ratio)
}
