package main

import (
	"context"
	"fmt"
	"strings"

	"harrier/adversary"
	"harrier/bridge"
	"harrier/model"
	"harrier/report"
)

// loadProgram loads a program, and makes up what its adversaries may send where it does not say.
func loadProgram(ctx context.Context, jvm *bridge.JVM, source bridge.Source) (*bridge.Program, []adversary.MessageDomain, error) {
	program, err := jvm.Load(ctx, source)
	if err != nil || !adversary.Needed(program.Program()) {
		return program, nil, err
	}
	asHonest := source
	asHonest.Honest = true
	honest, err := jvm.Load(ctx, asHonest)
	if err != nil {
		return nil, nil, err
	}
	faults := program.Program().Faults
	domains, err := adversary.Fill(ctx, honest, program.Program())
	if err != nil {
		return nil, nil, err
	}
	// What Java runs is what was loaded last.
	if program, err = jvm.Load(ctx, source); err != nil {
		return nil, nil, err
	}
	program.Program().Faults = faults
	return program, domains, nil
}

// adversaries says in a summary what was made up.
func adversaries(program *model.Program, domains []adversary.MessageDomain, s *report.Summary) {
	for _, r := range domains {
		f := program.Faults[r.Fault]
		s.Adversaries = append(s.Adversaries, report.Adversary{
			Fault: program.FaultName(r.Fault), Messages: r.Messages, States: r.States, Complete: r.Complete,
		})
		remark := fmt.Sprintf("%s may send %d messages, made of the values in ", strings.Join(f.Scope.Names, ", "), r.Messages)
		if r.Complete {
			remark += fmt.Sprintf("all %d states of the program without adversaries", r.States)
		} else {
			remark += fmt.Sprintf("the first %d states of the program without adversaries; others may be declared", r.States)
		}
		s.Remarks = append(s.Remarks, remark)
	}
}
