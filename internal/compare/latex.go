package compare

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"harrier/internal/report"
)

// LaTeX writes one table of all programs, as a tabular that needs no package. What else is to be said are comments below.
func (t *Table) LaTeX(w io.Writer) error {
	t = report.Escaped(t)
	var b bytes.Buffer
	heads, alignment, cells := t.cells()
	fmt.Fprintf(&b, "\\begin{tabular}{l%s}\n\\hline\n%s\n", alignment, latexRow(append([]string{"program"}, heads...)))
	var notes []string
	for i, runs := range programs(t.Results) {
		fmt.Fprintln(&b, `\hline`)
		for _, row := range cells[i] {
			fmt.Fprintln(&b, latexRow(append([]string{runs[0].Program}, row...)))
		}
		for _, note := range t.notes(runs) {
			notes = append(notes, runs[0].Program+", "+note)
		}
	}
	fmt.Fprintln(&b, "\\hline\n\\end{tabular}")
	for _, l := range append(notes, t.closing()...) {
		fmt.Fprintln(&b, "% "+l)
	}
	_, err := b.WriteTo(w)
	return err
}

func latexRow(cells []string) string {
	escaped := make([]string, len(cells))
	for i, c := range cells {
		escaped[i] = latexText.Replace(c)
	}
	return strings.Join(escaped, " & ") + ` \\`
}

// latexText keeps text from being read as commands. A bracket at the start of a row would be taken for an argument of the row before.
var latexText = strings.NewReplacer(`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`, "{", `\{`, "}", `\}`,
	"~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "<", "$<$", ">", "$>$", "[", "{[}", "]", "{]}", "|", "$|$")
