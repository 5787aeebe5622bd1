package picture

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"

	"github.com/dustin/go-humanize"

	"harrier/internal/report"
)

//go:embed tables.html
var tablesSource string

var tablesTemplate = template.Must(template.New("tables").Funcs(template.FuncMap{
	"count": func(n uint64) string { return humanize.Comma(int64(n)) },
	"fewer": func(times float64) string { return fmt.Sprintf("%.0f %%", 100*(1-1/times)) },
}).Parse(tablesSource))

// level is a row of the table of levels.
type level struct {
	Distance int
	New, All uint64
	Times    string // how many there are for each of the level before
	Open     bool   // there may be more
}

// Tables writes a page on a search that a bound ended: the multipliers of its states, and how many states each of its levels has.
func Tables(w io.Writer, s *report.Summary) error {
	var figures struct {
		Levels      []uint64
		Multipliers []struct {
			What   string
			Values int
			Times  float64
		}
	}
	if err := s.Figures(&figures); err != nil {
		return err
	}
	page := struct {
		*report.Summary
		Style       template.CSS
		Levels      []level
		Multipliers any
	}{s, template.CSS(Style), nil, figures.Multipliers}
	all := uint64(0)
	for i, n := range figures.Levels {
		all += n
		l := level{Distance: i, New: n, All: all, Open: i == len(figures.Levels)-1}
		if i > 0 && figures.Levels[i-1] > 0 {
			l.Times = fmt.Sprintf("%.1f", float64(n)/float64(figures.Levels[i-1]))
		}
		page.Levels = append(page.Levels, l)
	}
	return tablesTemplate.Execute(w, page)
}
