// Package replayed executes counterexamples again, for tests: with nothing remembered, one handler at a time.
package replayed

import (
	"context"
	"fmt"
	"reflect"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/replay"
	"harrier/internal/model/space"
	"harrier/internal/property"
)

// Problem is what is wrong with a counterexample whose path is one of the actors' steps. It is empty if the run ends in the
// violation.
func Problem(oracle model.Oracle, actors *space.Actors, v *dbss.Counterexample) string {
	ctx := context.Background()
	actions, err := actors.Actions(v.Path)
	if err != nil {
		return err.Error()
	}
	run, err := replay.New(oracle, actors.Values.Decomposition)
	if err != nil {
		return err.Error()
	}
	var failure *model.Failure
	for i, action := range actions {
		taken, err := run.Take(ctx, action)
		if err != nil {
			return fmt.Sprintf("step %d: %v", i+1, err)
		}
		if failure = taken.Outcome.Failure; failure != nil && i < len(actions)-1 {
			return fmt.Sprintf("step %d of %d fails already", i+1, len(actions))
		}
	}
	return judge(ctx, run, v, failure)
}

// judge says why the present state of a run is not what the counterexample promises.
func judge(ctx context.Context, run *replay.Run, v *dbss.Counterexample, failure *model.Failure) string {
	if v.Kind == property.HandlerFailure {
		if failure == nil || !reflect.DeepEqual(failure, v.Failure) {
			return fmt.Sprintf("the last step fails with %v, the search says %v", failure, v.Failure)
		}
		return ""
	}
	if failure != nil {
		return "the last step fails, but the violation is no failure"
	}
	judgement, err := run.Evaluate(ctx, v.Property)
	if err != nil || judgement.Holds || !reflect.DeepEqual(judgement.Failure, v.Failure) {
		return fmt.Sprintf("property %d: %+v, %v; the search says %v", v.Property, judgement, err, v.Failure)
	}
	if enabled, err := run.Enabled(ctx); v.Kind == property.FinalViolation && (enabled || err != nil) {
		return fmt.Sprintf("the run does not end: an event is enabled (%v)", err)
	}
	return ""
}
