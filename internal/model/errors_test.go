package model_test

import (
	"context"
	"errors"
	"testing"

	"harrier/internal/model"
)

// TestDoubted has the error of a step that did not return say once what to do if no run takes it, and others stay as they are.
func TestDoubted(t *testing.T) {
	const text = "ann did not return; macro steps ask also for steps that no run takes, and this may be one: --reduction off, without --search local, asks for none"
	stuck := &model.LimitError{Text: "ann did not return", Ends: true}
	if once := model.Doubted(stuck); once.Error() != text || model.Doubted(once) != once || model.IsOfStep(context.Background(), once) {
		t.Errorf("the error is %v", once)
	}
	for _, err := range []error{nil, errors.New("internal"), &model.RuleError{Text: "a rule"}, &model.LimitError{Text: "too much memory"}} {
		if doubted := model.Doubted(err); doubted != err {
			t.Errorf("the error %v becomes %v", err, doubted)
		}
	}
}
