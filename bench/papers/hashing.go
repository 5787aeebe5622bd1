package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"harrier/internal/compare"
	"harrier/internal/plan"
)

// hashings are what tells states apart, from everything to what is relevant, as --hashing has them.
var hashings = []string{"full", "last", "fields", "selective"}

// findMode finds a mode of compare, or depth-first search of single steps with a hashing.
func findMode(name string) (plan.Mode, bool) {
	if slices.Contains(hashings, name) {
		return plan.Mode{Name: name, Settings: strings.Fields("search=dfs reduction=off symmetry=off hashing=" + name)}, true
	}
	return plan.FindMode(name)
}

// hashedRows are the protocols of Table I and of the models' table, with each hashing. The paper on DBSS has states with full hashing,
// and without the messages processed last, which are all that is auxiliary there.
func hashedRows() (rows []row, err error) {
	for _, table := range []string{"table1", "mp-models"} {
		of, err := readPaper(table)
		if err != nil {
			return nil, err
		}
		for _, r := range of {
			if r.mode != "dbss" {
				continue
			}
			stateful := find(of, r.protocol, "stateful")
			for _, h := range hashings {
				hashed := row{program: r.program, protocol: r.protocol, answer: r.answer, mode: h}
				switch {
				case stateful == nil: // the paper on models has no other hashing
				case h == "full":
					hashed.states = stateful.states
				case h == "last":
					hashed.states = r.states
				}
				rows = append(rows, hashed)
			}
		}
	}
	return rows, nil
}

// writeHashings writes a line for each protocol: the states with each hashing, and how many times fewer each leaves than the one before.
func writeHashings(w io.Writer, rows []row) {
	heads := []string{"protocol", "answer", "full", "last", "fields", "selective", "by last messages, paper", "ours", "by auxiliary fields", "by senders"}
	fmt.Fprintln(w, compare.MarkdownHead(heads, "llrrrrrrrr"))
	for i, r := range rows {
		if i > 0 && rows[i-1].protocol == r.protocol {
			continue
		}
		with := func(hashing string) *row { return cmp.Or(find(rows, r.protocol, hashing), &row{}) }
		cells, factors := []string{r.protocol, r.answer}, []string{paperFactor(with("full").states, with("last").states)}
		for k, h := range hashings {
			ours, states := with(h).ours, ""
			if ours != nil && ours.Figures != nil {
				states, _, _ = ours.Texts()
			}
			cells = append(cells, states)
			if k > 0 {
				factors = append(factors, factor(with(hashings[k-1]).ours, ours))
			}
		}
		fmt.Fprintln(w, compare.MarkdownRow(append(cells, factors...)))
	}
}
