package compare

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"harrier/internal/report"
)

// Text writes the table for a terminal: a block for each program.
func (t *Table) Text(w io.Writer) error {
	t = report.Escaped(t)
	var b bytes.Buffer
	heads, alignment, cells := t.cells()
	widths := widthsOf(heads, cells)
	for i, runs := range programs(t.Results) {
		fmt.Fprintln(&b, runs[0].Program)
		line(&b, heads, alignment, widths)
		for _, row := range cells[i] {
			line(&b, row, alignment, widths)
		}
		for _, note := range t.notes(runs) {
			fmt.Fprintln(&b, "  - "+note)
		}
		fmt.Fprintln(&b)
	}
	for _, l := range t.closing() {
		fmt.Fprintln(&b, l)
	}
	_, err := b.WriteTo(w)
	return err
}

// widthsOf are those of the widest cells, so that all blocks of a table align.
func widthsOf(heads []string, cells [][][]string) []int {
	widths := make([]int, len(heads))
	for _, row := range slices.Concat([][]string{heads}, slices.Concat(cells...)) {
		for i, c := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	return widths
}

func line(b *bytes.Buffer, cells []string, alignment string, widths []int) {
	var l strings.Builder
	for i, c := range cells {
		width := widths[i]
		if alignment[i] == 'l' {
			width = -width
		}
		fmt.Fprintf(&l, "  %*s", width, c)
	}
	fmt.Fprintln(b, strings.TrimRight(l.String(), " "))
}

// Markdown writes one table of all programs.
func (t *Table) Markdown(w io.Writer) error {
	t = report.Escaped(t)
	var b bytes.Buffer
	heads, alignment, cells := t.cells()
	fmt.Fprintln(&b, MarkdownHead(append([]string{"program"}, heads...), "l"+alignment))
	var notes []string
	for i, runs := range programs(t.Results) {
		for _, row := range cells[i] {
			fmt.Fprintln(&b, MarkdownRow(append([]string{runs[0].Program}, row...)))
		}
		for _, note := range t.notes(runs) {
			notes = append(notes, runs[0].Program+", "+note)
		}
	}
	fmt.Fprintln(&b)
	for _, l := range append(notes, t.closing()...) {
		fmt.Fprintln(&b, "- "+escapeMarkdown(l))
	}
	_, err := b.WriteTo(w)
	return err
}

// MarkdownHead writes the head of a table whose columns stand to the left (l) or to the right (r).
func MarkdownHead(heads []string, alignment string) string {
	return MarkdownRow(heads) + "\n" + strings.NewReplacer("l", "|---", "r", "|---:").Replace(alignment) + "|"
}

// MarkdownRow writes a row of a table.
func MarkdownRow(cells []string) string {
	var b strings.Builder
	for _, c := range cells {
		b.WriteString("| " + escapeMarkdown(c) + " ")
	}
	return b.String() + "|"
}

// escapeMarkdown keeps text from being read as markup.
func escapeMarkdown(text string) string {
	return strings.NewReplacer("|", `\|`, "*", `\*`, "_", `\_`, "<", `\<`, ">", `\>`, "`", "\\`").Replace(text)
}
