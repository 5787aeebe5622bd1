package main

import (
	"fmt"
	"path/filepath"
	"slices"

	"harrier/bench/frame"
	"harrier/compare"
)

// programs are our programs for the rows of the paper, by protocol and property, as harrier compare
// takes them.
var programs = map[string]string{
	"Paxos (6), agreement":           "paxos",
	"Faulty-Paxos (6), agreement":    "paxos-faulty",
	"Faulty-Paxos2 (7), agreement":   "paxos-faulty2",
	"Register (5), regularity":       "register:objects=3",
	"Register (5), wrong regularity": "register-wrong:objects=3",
	"Register (6), regularity":       "register:objects=4",
	"Register (6), wrong regularity": "register-wrong:objects=4",
	"Register (7), regularity":       "register:objects=5",
	"Zab (6), liveness":              "zab-faulty:leaders=3,followers=3",
	"Zab (7), liveness":              "zab-faulty:leaders=4,followers=3",
}

// columns are the modes of the table: the paper's, and behind each what harrier has beside it.
var columns = []string{
	"stateless", "dynamic", "stateful", "dbss-all", "dbss", "static", "dbss-static", "macro",
	"dbss-symmetry", "static-symmetry", "macro-symmetry",
}

// inOrder are the columns in the order in which they are run: those that meet few states first, so that it is the
// others that are left out where time is short.
var inOrder = []string{
	"macro-symmetry", "macro", "static-symmetry", "dbss-symmetry", "dbss-static", "dbss", "static", "dbss-all", "stateful",
	"dynamic", "stateless",
}

// drawn are the columns that are drawn. Searches that remember no states count them as often as they meet them.
var drawn = []string{"stateful", "dbss", "static", "dbss-static", "macro", "dbss-symmetry", "static-symmetry", "macro-symmetry"}

// plan is a row of the paper with what we run for it.
type plan struct {
	row
	jobs    []compare.Job
	results []compare.Result // of the jobs that were run
}

// makePlans plans to run each row in all columns. Without selective push-on-stack it is run where the paper did so.
func makePlans(rows []row, s settings) ([]plan, error) {
	var plans []plan
	for _, r := range rows {
		ours, ok := programs[r.protocol+", "+r.property]
		if !ok {
			return nil, fmt.Errorf("there is no program for %s, %s", r.protocol, r.property)
		}
		program, err := compare.ParseProgram(filepath.Join(s.Examples, ours), "", nil)
		if err != nil {
			return nil, fmt.Errorf("the program for %s: %w", r.protocol, err)
		}
		p := plan{row: r}
		for _, name := range columns {
			if name == "dbss-all" && !slices.Contains(r.modes(), name) {
				continue
			}
			mode, ok := compare.FindMode(name)
			if !ok {
				return nil, fmt.Errorf("compare has no mode %s", name)
			}
			limits := s.Limits
			if name == "stateless" || name == "dynamic" {
				limits = s.stateless
			}
			p.jobs = append(p.jobs, compare.Job{Program: program, Mode: mode, Limits: limits})
		}
		plans = append(plans, p)
	}
	return plans, nil
}

func (r *row) modes() []string {
	var names []string
	for _, l := range r.lines {
		names = append(names, l.mode)
	}
	return names
}

// job finds what to run in a mode, nil if it is not run in it.
func (p *plan) job(mode string) *compare.Job {
	i := slices.IndexFunc(p.jobs, func(j compare.Job) bool { return j.Mode.Name == mode })
	if i < 0 {
		return nil
	}
	return &p.jobs[i]
}

// result finds the result in a mode, nil if there is none.
func (p *plan) result(mode string) *compare.Result {
	i := slices.IndexFunc(p.results, func(r compare.Result) bool { return r.Mode == mode })
	if i < 0 {
		return nil
	}
	return &p.results[i]
}

// verdict is the exit code with what is wrong.
func verdict(plans []plan) (int, error) {
	var all []frame.Expected
	for _, p := range plans {
		for i := range p.results {
			all = append(all, frame.Expected{Result: &p.results[i], Answer: p.expected})
		}
	}
	return frame.Verdict(all)
}
