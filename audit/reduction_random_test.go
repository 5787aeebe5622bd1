package audit_test

import (
	"context"
	"errors"
	"testing"

	"harrier/audit"
	"harrier/dbss"
	"harrier/internal/toy"
	"harrier/model"
	"harrier/por/static"
	"harrier/property"
)

// What a reduction that is right follows alone commutes with what it puts off, in all states of random programs. (Each wrong
// one that is caught is in reduction_test.go.)
func TestRightReductionsPass(t *testing.T) {
	reduced, pairs := 0, uint64(0)
	for seed := range uint64(seeds) {
		p := toy.Footprints.Random(seed)
		p.Pass(model.DeliveryModel(seed / 4 % 3))
		report := auditedStatic(t, seed, p, p.Decomposition(model.Selective))
		if pairs += report.Pairs; report.Pairs > 0 {
			reduced++
		}
	}
	t.Logf("%d protocols were reduced, %d pairs compared", reduced, pairs)
	if reduced < seeds/20 {
		t.Errorf("only %d of %d protocols were reduced", reduced, seeds)
	}
}

const seeds = 120

func auditedStatic(t *testing.T, seed uint64, p *toy.Protocol, d model.Decomposition) audit.ReductionReport {
	t.Helper()
	if seed/24%2 == 0 {
		p.Program().Properties = nil // then nothing is visible
	}
	actors, err := model.NewActors(p, d)
	var refused *model.UsageError
	if errors.As(err, &refused) {
		return audit.ReductionReport{}
	}
	if err != nil {
		t.Fatal(err)
	}
	reduction, err := static.New(actors, static.Options{OnlyTimers: true})
	if err != nil {
		t.Fatal(err)
	}
	audited := audit.NewReduction(actors, 5000)
	options := dbss.Options{KeepGoing: true, MaxStates: 2000, Reduction: audited.Audit(func() model.Reduction { return reduction.Reduction() })}
	if _, err = dbss.Search(context.Background(), actors, property.NewChecker(p, actors), options, &dbss.Progress{}); err != nil {
		var rule *model.RuleError
		errors.As(err, &rule)
		t.Errorf("seed %d: %v\n%v", seed, err, rule)
	}
	return audited.Report()
}
