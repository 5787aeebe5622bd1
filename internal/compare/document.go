package compare

import (
	"encoding/csv"
	"io"
	"maps"
	"strconv"
	"strings"
	"time"

	"harrier/internal/plan"
	"harrier/internal/report"
)

// documentVersion is the version of the JSON document. Keys may be added without a new one.
const documentVersion = 3

// document is the JSON form of a table.
type document struct {
	Version        int            `json:"version"`
	Origin         *Origin        `json:"origin,omitempty"`
	Baseline       string         `json:"baseline"`
	Modes          []plan.Mode    `json:"modes"`
	TimeoutSeconds float64        `json:"timeoutSeconds"`
	MaxMemoryBytes uint64         `json:"maxMemoryBytes"`
	Missing        int            `json:"missing"`
	Disagreements  []Disagreement `json:"disagreements"`
	Runs           []row          `json:"runs"`
}

// row is a result with its proportions to the baseline, null where there are none.
type row struct {
	Result
	StatesRatio    *float64 `json:"statesRatio"`
	TimeRatio      *float64 `json:"timeRatio"`
	ProcessorRatio *float64 `json:"processorRatio"`
}

func (t *Table) rows() []row {
	rows := []row{}
	for _, runs := range programs(t.Results) {
		base := t.base(runs)
		for i := range runs {
			r := row{Result: runs[i]}
			if base != nil {
				r.StatesRatio, r.TimeRatio = optional(runs[i].StatesRatio(base)), optional(runs[i].TimeRatio(base))
				r.ProcessorRatio = optional(runs[i].ProcessorRatio(base))
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
		Version: documentVersion, Origin: t.Origin, Baseline: t.Baseline, Modes: t.Modes, TimeoutSeconds: t.Limits.Time.Seconds(),
		MaxMemoryBytes: t.Limits.Memory, Missing: t.Missing, Disagreements: t.Disagreements(), Runs: t.rows(),
	})
}

// csvHeads are the columns of CSV.
var csvHeads = []string{
	"program", "scenario", "mode", "verdict", "states", "states_ratio", "transitions", "depth", "seconds", "seconds_ratio",
	"set_up_seconds", "peak_memory_bytes", "local_steps", "executions", "note",
	"terminal", "property", "steps", "flags", "repeats", "reused", "coverage", "seconds_low", "seconds_high",
	"process_seconds", "process_seconds_low", "process_seconds_high", "processor_seconds", "processor_seconds_ratio", "processor_seconds_low", "processor_seconds_high",
	"commit", "harrier", "java", "processor", "cores", "memory_bytes", "load", "started",
}

// CSV writes the table with a line for each program in each mode, numbers as they are. What is not known is empty.
func (t *Table) CSV(w io.Writer) error {
	c := csv.NewWriter(w)
	c.Write(csvHeads)
	for _, r := range t.rows() {
		cells := map[string]string{"flags": strings.Join(t.settings(r.Mode), " ")}
		r.addTo(cells)
		r.Figures.addTo(cells)
		r.Interval.addTo(cells)
		t.Origin.addTo(cells)
		line := make([]string, len(csvHeads))
		for i, head := range csvHeads {
			line[i] = cells[head]
		}
		c.Write(line)
	}
	c.Flush()
	return c.Error()
}

func (r *row) addTo(cells map[string]string) {
	maps.Copy(cells, map[string]string{
		"program": r.Program, "scenario": r.Scenario, "mode": r.Mode, "verdict": string(r.Verdict), "note": r.Note,
		"peak_memory_bytes": number(r.PeakMemoryBytes), "repeats": strconv.Itoa(max(1, len(r.Repeats))),
		"reused": strconv.FormatBool(r.Reused), "commit": r.Commit, "process_seconds": decimal(r.ProcessSeconds),
		"processor_seconds": decimal(r.ProcessorSeconds), "states_ratio": ratioNumber(r.StatesRatio),
		"seconds_ratio": ratioNumber(r.TimeRatio), "processor_seconds_ratio": ratioNumber(r.ProcessorRatio),
	})
}

func (f *Figures) addTo(cells map[string]string) {
	if f == nil {
		return
	}
	maps.Copy(cells, map[string]string{
		"states": number(f.States), "transitions": number(f.Transitions), "depth": strconv.Itoa(f.Depth), "seconds": decimal(f.Seconds),
		"set_up_seconds": decimal(f.SetUpSeconds), "local_steps": number(f.LocalSteps), "executions": number(f.Executions),
		"terminal": number(f.Terminal), "property": f.Property,
	})
	if f.Property != "" {
		cells["steps"] = strconv.Itoa(f.Steps)
	}
}

func (i *Intervals) addTo(cells map[string]string) {
	if i == nil {
		return
	}
	cells["coverage"] = decimal(i.Coverage)
	for name, ends := range map[string][2]float64{
		"seconds": i.Seconds, "process_seconds": i.ProcessSeconds, "processor_seconds": i.ProcessorSeconds,
	} {
		cells[name+"_low"], cells[name+"_high"] = decimal(ends[0]), decimal(ends[1])
	}
}

func (o *Origin) addTo(cells map[string]string) {
	if o == nil {
		return
	}
	maps.Copy(cells, map[string]string{
		"harrier": o.Harrier, "java": o.Java, "processor": o.Machine.Processor, "cores": strconv.Itoa(o.Machine.Cores),
		"memory_bytes": number(o.Machine.MemoryBytes), "load": decimal(o.Load), "started": o.Started.Format(time.RFC3339),
	})
}

func number(n uint64) string { return strconv.FormatUint(n, 10) }

func decimal(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func ratioNumber(ratio *float64) string {
	if ratio == nil {
		return ""
	}
	return decimal(*ratio)
}
