package compare

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"harrier/internal/section"

	"harrier/internal/plan"

	"gonum.org/v1/plot"
)

// quantity is a figure of a result that can be drawn.
type quantity struct {
	name  string
	label string // of an axis
	of    func(*Result) float64
	text  func(*Result) string
}

// log is the decimal logarithm of a quantity, that of its least unit at least.
func (q quantity) log(r *Result) float64 { return math.Log10(max(q.of(r), 1e-3)) }

var (
	states = quantity{"states", "states",
		func(r *Result) float64 { return float64(max(r.States, 1)) }, func(r *Result) string { return Count(r.States) }}
	processorTime = quantity{"time", "processor time, s",
		func(r *Result) float64 { return r.ProcessorSeconds }, func(r *Result) string { return section.Seconds(r.ProcessorSeconds) }}
	peakMemory = quantity{"memory", "peak memory, MiB",
		func(r *Result) float64 { return float64(r.PeakMemoryBytes) / (1 << 20) },
		func(r *Result) string { return Count(r.PeakMemoryBytes >> 20) }}
)

// Plot is a picture of a table.
type Plot struct {
	Name string
	Draw func(*Table, io.Writer) error
	// refuses says why the programs in the modes have no such plot, nil if they do.
	refuses func(programs []Program, modes []plan.Mode) error
}

// Plots are all that there are. Times are processor times of whole processes.
var Plots = []Plot{
	barsPlot(states), barsPlot(processorTime), barsPlot(peakMemory),
	scalingPlot(states), scalingPlot(processorTime), scalingPlot(peakMemory),
	{"cactus", (*Table).cactus, func([]Program, []plan.Mode) error { return nil }},
	{"scatter", (*Table).scatter, func(_ []Program, modes []plan.Mode) error {
		if len(modes) < 2 {
			return errors.New("it holds modes to the baseline: compare two or more")
		}
		return nil
	}},
}

func barsPlot(q quantity) Plot {
	return Plot{q.name, func(t *Table, w io.Writer) error { return t.bars(w, q) }, func([]Program, []plan.Mode) error { return nil }}
}

func scalingPlot(q quantity) Plot {
	return Plot{"scaling-" + q.name, func(t *Table, w io.Writer) error { return t.scaling(w, q) }, func(programs []Program, _ []plan.Mode) error {
		_, err := swept(programs)
		return err
	}}
}

// PlotNames lists the names of all plots.
func PlotNames() []string {
	var names []string
	for _, p := range Plots {
		names = append(names, p.Name)
	}
	return names
}

// FindPlot finds a plot by its name, for programs in modes. An error says that there is none, or why not for these.
func FindPlot(name string, programs []Program, modes []plan.Mode) (Plot, error) {
	i := slices.IndexFunc(Plots, func(p Plot) bool { return p.Name == name })
	if i < 0 {
		return Plot{}, fmt.Errorf("there is no plot %q: the plots are %s", name, strings.Join(PlotNames(), ", "))
	}
	return Plots[i], Plots[i].refuses(programs, modes)
}

// swept is the parameter that takes several numbers among programs that are the same but for it.
func swept(programs []Program) (name string, err error) {
	var names []string
	for _, p := range programs {
		for _, parameter := range p.Parameters {
			value, isNumber := p.number(parameter.Name)
			if isNumber && slices.ContainsFunc(programs, func(o Program) bool {
				other, isNumber := o.number(parameter.Name)
				return isNumber && other != value && o.Path == p.Path
			}) {
				names = with(names, parameter.Name)
			}
		}
	}
	switch len(names) {
	case 0:
		return "", errors.New("it needs a parameter that takes several numbers, as by --set n=1..4")
	case 1:
		return names[0], nil
	}
	return "", fmt.Errorf("it needs one parameter that takes several numbers, not %s", strings.Join(names, " and "))
}

// number is the value of a parameter, if it has a number.
func (p Program) number(parameter string) (value float64, ok bool) {
	for _, v := range p.Parameters {
		if v.Name == parameter {
			n, err := strconv.ParseFloat(v.Value, 64)
			return n, err == nil
		}
	}
	return 0, false
}

// without names a program without one of its parameters.
func (p Program) without(parameter string) string {
	rest := p
	rest.Parameters = nil
	for _, v := range p.Parameters {
		if v.Name != parameter {
			rest.Parameters = append(rest.Parameters, v)
		}
	}
	return rest.String()
}

// program is that of a result.
func (r *Result) program() Program {
	p, _ := ParseProgram(r.Program, r.Scenario, nil) // which was read before
	return p
}

// values are the logarithms of a quantity of all results that have figures.
func (t *Table) values(q quantity) []float64 {
	var all []float64
	for i := range t.Results {
		if r := &t.Results[i]; r.Figures != nil {
			all = append(all, q.log(r))
		}
	}
	return all
}

// decades are whole numbers around logarithms, and at least one apart.
func decades(logarithms []float64) (least, most float64) {
	if len(logarithms) == 0 {
		return 0, 1
	}
	least, most = math.Floor(slices.Min(logarithms)), math.Ceil(slices.Max(logarithms))
	return least, max(most, least+1)
}

// powers marks an axis of decimal logarithms, less what is its foot, with the powers of ten.
type powers struct{ foot float64 }

// Ticks implements plot.Ticker.
func (p powers) Ticks(least, most float64) []plot.Tick {
	var ticks []plot.Tick
	for e := math.Ceil(least); e <= most; e++ {
		label := strconv.FormatFloat(math.Pow(10, e+p.foot), 'f', int(max(0, -e-p.foot)), 64)
		if e+p.foot >= 0 {
			label = Count(uint64(math.Pow(10, e+p.foot)))
		}
		ticks = append(ticks, plot.Tick{Value: e, Label: label})
	}
	return ticks
}
