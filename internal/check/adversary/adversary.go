// Package adversary finds the message domain of Byzantine actors where a scenario does not declare it: they send any message
// of the types that they could send, built from the values seen (Bokor, Serafini, Suri: On Efficient Models for
// Model Checking Message-Passing Distributed Protocols, section 1: "a Byzantine process is a regular process sending
// arbitrary messages"). Domains have to be finite, so they are what the program itself shows:
//
//	honest program -> explore -> all messages of a part of its states
//	messages -> sample (types, the values of their fields, who sends them to whom)
//	sample -> Fault.Domain, every combination of values, for each adversary
//
// A value that no honest run of the explored part sends is not in the domain. Who needs others declares the messages.
package adversary

import (
	"context"
	"fmt"
	"slices"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/search"
)

const (
	// mostStates bounds the exploration of the honest program. Where values are of finite domains, the states near the
	// start show most of them.
	mostStates = 10_000
	// mostMessages bounds what the adversaries of a fault may send: each is a choice in nearly every state.
	mostMessages = 1_000
)

// A MessageDomain describes the messages found for a fault's adversaries.
type MessageDomain struct {
	Fault    string   `json:"fault"`
	Names    []string `json:"-"` // of the adversaries
	Messages int      `json:"messages"`
	States   uint64   `json:"states"`   // of the honest program, from which the values are
	Complete bool     `json:"complete"` // it has no more states
}

// Needed reports whether a program has adversaries whose messages are not declared.
func Needed(p *model.Program) bool { return slices.ContainsFunc(p.Faults, isUndeclared) }

func isUndeclared(f model.Fault) bool { return f.Kind == model.Byzantine && f.Domain == nil }

// Fill sets the Domain of the faults that leave it out. honest is the same program without its adversaries: these take part
// as they are written. The error is a *model.UsageError if a domain is empty or too large.
func Fill(ctx context.Context, honest model.Oracle, program *model.Program) ([]MessageDomain, error) {
	actors, result, err := explore(ctx, honest)
	if err != nil {
		return nil, fmt.Errorf("exploring the program without its adversaries, to see what they could send: %w", err)
	}
	s, err := newSample(actors)
	if err != nil {
		return nil, err
	}
	var filled []MessageDomain
	for i, f := range program.Faults {
		if !isUndeclared(f) {
			continue
		}
		domain, err := s.messageDomain(f, program)
		if err != nil {
			return nil, err
		}
		program.Faults[i].Domain = domain
		filled = append(filled, MessageDomain{program.FaultName(i), f.Scope.Names, len(domain), result.States, result.Complete})
	}
	return filled, nil
}

// explore searches a part of the honest program, the same whatever else is asked of the check, so that all of its modes and
// models have the same adversaries.
func explore(ctx context.Context, honest model.Oracle) (*space.Actors, *dbss.Result, error) {
	oracle := newUnjudged(honest)
	actors, err := space.NewActors(oracle, space.Decomposition{})
	if err != nil {
		return nil, nil, err
	}
	options := dbss.Options{Order: dbss.BreadthFirst, MaxStates: mostStates, KeepGoing: true, NoDeadlock: true}
	found, err := search.SingleSteps{}.Search(ctx, search.NewProblem(actors, options))
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return actors, found.Result, err
}

// unjudged is an oracle's program without properties, in the model with the fewest states.
type unjudged struct {
	model.Oracle
	program model.Program
}

func newUnjudged(oracle model.Oracle) *unjudged {
	u := &unjudged{oracle, *oracle.Program()}
	u.program.Properties, u.program.Delivery = nil, model.M
	return u
}

// Program implements model.Oracle.
func (u *unjudged) Program() *model.Program { return &u.program }
