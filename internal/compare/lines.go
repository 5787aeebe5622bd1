package compare

import (
	"cmp"
	"fmt"
	"image/color"
	"io"
	"math"
	"path"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// width is that of plots with two axes of numbers.
const width = 6.5 * vg.Inch

// dashes tell programs apart whose lines have the colour of one mode.
var dashes = [][]vg.Length{nil, {6, 3}, {2, 2}, {8, 2, 2, 2}}

// scaling draws a quantity against the parameter that takes several numbers: a line for each mode, and each program but for it. Only
// searches that came to their end have a point.
func (t *Table) scaling(w io.Writer, q quantity) error {
	var all []Program
	for i := range t.Results {
		all = append(all, t.Results[i].program())
	}
	name, err := swept(all)
	if err != nil {
		return err
	}
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = q.name+" by "+name, name, q.label
	if !slices.ContainsFunc(all, func(program Program) bool { x, ok := program.number(name); return ok && x != math.Trunc(x) }) {
		p.X.Tick.Marker = plot.TickerFunc(wholeTicks)
	}
	p.Y.Min, p.Y.Max = decades(t.values(q))
	var families []string
	for _, program := range all {
		families = with(families, program.without(name))
	}
	for i, family := range families {
		for j, m := range t.Modes {
			var points plotter.XYs
			for k := range t.Results {
				r := &t.Results[k]
				x, ok := all[k].number(name)
				if ok && r.Mode == m.Name && r.Conclusive() && r.Figures != nil && all[k].without(name) == family {
					points = append(points, plotter.XY{X: x, Y: q.log(r)})
				}
			}
			title := m.Name
			if len(families) > 1 {
				title = path.Base(family) + " " + m.Name
			}
			if err := addLine(p, title, points, j, i); err != nil {
				return err
			}
		}
	}
	return drawn(w, p)
}

// cactus draws how many programs each mode decides within how much time each.
func (t *Table) cactus(w io.Writer) error {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = "programs decided", "programs", processorTime.label
	p.Y.Min, p.Y.Max = decades(t.values(processorTime))
	p.X.Min, p.X.Max, p.X.Tick.Marker = 0, 1, plot.TickerFunc(wholeTicks)
	for i, m := range t.Modes {
		var times []float64
		for j := range t.Results {
			if r := &t.Results[j]; r.Mode == m.Name && r.Conclusive() && r.Figures != nil {
				times = append(times, processorTime.log(r))
			}
		}
		slices.Sort(times)
		var points plotter.XYs
		for n, time := range times {
			points = append(points, plotter.XY{X: float64(n + 1), Y: time})
		}
		if err := addLine(p, m.Name, points, i, 0); err != nil {
			return err
		}
	}
	return drawn(w, p)
}

// wholeTicks marks an axis at some ten whole numbers.
func wholeTicks(least, most float64) []plot.Tick {
	var ticks []plot.Tick
	step := math.Ceil((most - least) / 10)
	for x := math.Ceil(least); x <= most; x += step {
		ticks = append(ticks, plot.Tick{Value: x, Label: strconv.FormatFloat(x, 'f', -1, 64)})
	}
	return ticks
}

// scatter draws the time of each mode against that of the baseline, a point for each program. It is a ring where one of both did not come
// to its end, so that its time is a lower bound.
func (t *Table) scatter(w io.Writer) error {
	p := plot.New()
	p.Title.Text = "processor time"
	p.X.Label.Text, p.Y.Label.Text = t.Baseline+", s", "others, s"
	least, most := decades(t.values(processorTime))
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = least, most, least, most
	p.X.Tick.Marker = powers{}
	diagonal, err := plotter.NewLine(plotter.XYs{{X: least, Y: least}, {X: most, Y: most}})
	if err != nil {
		return err
	}
	diagonal.Color = color.Gray{0xa0}
	p.Add(diagonal)
	for i, m := range t.Modes {
		if m.Name == t.Baseline {
			continue
		}
		var ended, open plotter.XYs
		for _, runs := range programs(t.Results) {
			base := t.base(runs)
			for j := range runs {
				r := &runs[j]
				switch {
				case r.Mode != m.Name || r.Figures == nil || base == nil || base.Figures == nil:
				case r.Conclusive() && base.Conclusive():
					ended = append(ended, plotter.XY{X: processorTime.log(base), Y: processorTime.log(r)})
				default:
					open = append(open, plotter.XY{X: processorTime.log(base), Y: processorTime.log(r)})
				}
			}
		}
		if err := addPoints(p, m.Name, ended, i, draw.CircleGlyph{}); err != nil {
			return err
		}
		if err := addPoints(p, m.Name+", at least", open, i, draw.RingGlyph{}); err != nil {
			return err
		}
	}
	return drawn(w, p)
}

// addLine adds a line with its points, if there are any, in the colour of a mode.
func addLine(p *plot.Plot, title string, points plotter.XYs, mode, dash int) error {
	if len(points) == 0 {
		return nil
	}
	slices.SortFunc(points, func(a, b plotter.XY) int { return cmp.Compare(a.X, b.X) })
	line, err := plotter.NewLine(points)
	if err != nil {
		return fmt.Errorf("drawing the plot: %w", err)
	}
	line.Color, line.Width, line.Dashes = palette[mode%len(palette)], vg.Points(1.2), dashes[dash%len(dashes)]
	p.Add(line)
	if err := addPoints(p, "", points, mode, draw.CircleGlyph{}); err != nil {
		return err
	}
	p.Legend.Add(title, line)
	return nil
}

func addPoints(p *plot.Plot, title string, points plotter.XYs, mode int, shape draw.GlyphDrawer) error {
	if len(points) == 0 {
		return nil
	}
	s, err := plotter.NewScatter(points)
	if err != nil {
		return fmt.Errorf("drawing the plot: %w", err)
	}
	s.Color, s.Shape, s.Radius = palette[mode%len(palette)], shape, vg.Points(2.5)
	p.Add(s)
	if title != "" {
		p.Legend.Add(title, s)
	}
	return nil
}

// drawn writes a plot whose second axis has decimal logarithms, with its legend to the right.
func drawn(w io.Writer, p *plot.Plot) error {
	p.Y.Tick.Marker = powers{}
	legend := p.Legend
	p.Legend = plot.NewLegend()
	legend.ThumbnailWidth = vg.Points(20)
	p.Add(plotter.NewGrid())
	return writeSVG(w, p, legend, width)
}
