package compare

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"path"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// palette tells modes apart, for people who see colours otherwise too (Okabe and Ito).
var palette = []color.Color{
	color.RGBA{0x00, 0x72, 0xb2, 255}, color.RGBA{0xe6, 0x9f, 0x00, 255}, color.RGBA{0x00, 0x9e, 0x73, 255},
	color.RGBA{0xcc, 0x79, 0xa7, 255}, color.RGBA{0x56, 0xb4, 0xe9, 255}, color.RGBA{0xd5, 0x5e, 0x00, 255},
	color.RGBA{0x99, 0x99, 0x99, 255}, color.RGBA{0xf0, 0xe4, 0x42, 255},
}

const (
	height = 4.5 * vg.Inch
	// The legend has some room: other fonts may be wider.
	legendWidth = 1.9 * vg.Inch
)

// spacing is how wide bars are, how far a program's are from the next one's, how large and steep the numbers above are, and
// how much of the height the highest bar leaves to its number.
type spacing struct {
	bar, gap, number vg.Length
	tilt, room       float64
}

// Bars of many runs are narrow, so that the plot still fits a page.
const manyBars = 24

func spacingOf(bars int) spacing {
	if bars > manyBars {
		return spacing{bar: 10, gap: 30, number: 6, tilt: math.Pi / 2.2, room: 0.3}
	}
	return spacing{bar: 28, gap: 40, number: 7, tilt: math.Pi / 6, room: 0.15}
}

// SVG draws the states of each program, a bar for each mode.
func (t *Table) SVG(w io.Writer) error { return t.bars(w, states) }

// bars draws a quantity of each program, a bar for each mode, on a logarithmic scale.
func (t *Table) bars(w io.Writer, q quantity) error {
	programs := programs(t.Results)
	p := plot.New()
	p.Title.Text = q.name + " by mode"
	p.Y.Label.Text = q.label
	// Bars stand on a power of ten: the scale is in the values, not in the axis.
	foot, _ := decades(t.values(q))
	top, space := 1.0, spacingOf(len(t.Modes)*len(programs))
	for i := range t.Modes {
		highest, err := t.barsOf(programs, p, q, foot, i, space)
		if err != nil {
			return fmt.Errorf("drawing the plot: %w", err)
		}
		top = max(top, highest)
	}
	p.Y.Min, p.Y.Max = 0, top*(1+space.room)
	p.Y.Tick.Marker = powers{foot}
	p.X.Min, p.X.Max = -0.5, float64(len(programs))-0.5
	var names []string
	for _, runs := range programs {
		// Parameters stand below the name, so that it is no wider than the bars.
		names = append(names, strings.NewReplacer(":", "\n", ",", "\n").Replace(path.Base(runs[0].Program)))
	}
	p.NominalX(names...)
	group := space.bar*vg.Length(len(t.Modes)) + space.gap
	return writeSVG(w, p, t.colours(), group*vg.Length(max(len(programs), 1))+1.1*vg.Inch)
}

// writeSVG writes a plot so wide, with a legend to the right of it.
func writeSVG(w io.Writer, p *plot.Plot, legend plot.Legend, width vg.Length) error {
	canvas := vgsvg.New(width+legendWidth, height)
	area := draw.New(canvas)
	area.SetColor(color.White)
	area.Fill(area.Rectangle.Path())
	p.Draw(draw.Crop(area, 0, -legendWidth, 0, 0))
	legend.Top, legend.Left, legend.Padding = true, true, vg.Points(4)
	legend.Draw(draw.Crop(area, width, 0, 0, -0.4*vg.Inch))
	if _, err := canvas.WriteTo(w); err != nil {
		return fmt.Errorf("writing the plot: %w", err)
	}
	return nil
}

// colours is the legend of the modes.
func (t *Table) colours() plot.Legend {
	l := plot.NewLegend()
	l.ThumbnailWidth = vg.Points(10)
	for i, m := range t.Modes {
		l.Add(m.Name, swatch{palette[i%len(palette)]})
	}
	l.Add("> at least")
	return l
}

// swatch is the colour of a mode in the legend.
type swatch struct{ color color.Color }

// Thumbnail implements plot.Thumbnailer.
func (s swatch) Thumbnail(c *draw.Canvas) {
	c.FillPolygon(s.color, []vg.Point{
		{X: c.Min.X, Y: c.Min.Y}, {X: c.Min.X, Y: c.Max.Y}, {X: c.Max.X, Y: c.Max.Y}, {X: c.Max.X, Y: c.Min.Y},
	})
}

// barsOf adds the bars of a mode, each with its number above, and returns how high they go. It has the results of each program.
func (t *Table) barsOf(programs [][]Result, p *plot.Plot, q quantity, foot float64, mode int, space spacing) (float64, error) {
	values := make(plotter.Values, len(programs))
	labels := plotter.XYLabels{XYs: make(plotter.XYs, len(programs)), Labels: make([]string, len(programs))}
	highest := 0.0
	for i, runs := range programs {
		labels.XYs[i].X = float64(i)
		for _, r := range runs {
			if r.Mode != t.Modes[mode].Name || r.Figures == nil {
				continue
			}
			values[i] = q.log(&r) - foot
			labels.XYs[i].Y, labels.Labels[i] = values[i], r.atLeast()+q.text(&r)
		}
		highest = max(highest, values[i])
	}
	bars, err := plotter.NewBarChart(values, space.bar)
	if err != nil {
		return 0, err
	}
	bars.Color, bars.LineStyle.Width = palette[mode%len(palette)], 0
	bars.Offset = space.bar * (vg.Length(mode) - vg.Length(len(t.Modes)-1)/2)
	numbers, err := plotter.NewLabels(labels)
	if err != nil {
		return 0, err
	}
	numbers.Offset = vg.Point{X: bars.Offset, Y: vg.Points(3)}
	for i := range numbers.TextStyle {
		numbers.TextStyle[i].Font.Size = space.number
		numbers.TextStyle[i].Rotation = space.tilt
		numbers.TextStyle[i].XAlign = text.XLeft
	}
	p.Add(bars, numbers)
	return highest, nil
}
