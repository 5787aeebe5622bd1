package audit_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"harrier/dbss"
	"harrier/internal/check/audit"
	"harrier/internal/model"
	"harrier/internal/property"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
)

// Random protocols are audited in package dbss, beside the searches whose decomposition they break.

// audited searches a script by the relevant parts, and audits that.
func audited(t *testing.T, ctx context.Context, s model.Oracle, bound uint64) (audit.Report, error) {
	t.Helper()
	actors := must.Get(model.NewActors(s, model.Decomposition{Relevant: toy.BeforeSlash}))
	checker := property.NewChecker(s, actors)
	r, err := dbss.Search(context.Background(), actors, checker, dbss.Options{}, &dbss.Progress{})
	if err != nil || !r.Complete {
		t.Fatalf("the search: %+v, %v", r, err)
	}
	return audit.Decomposition(ctx, actors, checker, bound)
}

// breaksRule holds an error to say that the program breaks a rule, with some text.
func breaksRule(t *testing.T, err error, want string) {
	t.Helper()
	var rule *model.RuleError
	if !errors.As(err, &rule) || !strings.Contains(rule.Text, want) || strings.Contains(rule.Text, "\n") {
		t.Errorf("%v\nshould say: %s", err, want)
	}
}

func TestDecompositionsAreAudited(t *testing.T) {
	for _, c := range toy.ReadCases(t, "testdata/decompositions.txt") {
		t.Run(c.Name, func(t *testing.T) {
			report, err := audited(t, context.Background(), toy.Read(c.Text), 1000)
			got := fmt.Sprintf("%d variants, %d steps", report.Variants, report.Steps)
			var rule *model.RuleError
			switch {
			case errors.As(err, &rule) && !strings.Contains(rule.Text, "\n"):
				got = rule.Text + "\n" + strings.Join(rule.Detail, "\n")
			case err != nil || !report.Complete:
				t.Fatalf("%+v, %v", report, err)
			}
			if sound := rule == nil; sound && got != c.Want || !strings.Contains(got, c.Want) {
				t.Errorf("%s\nshould say: %s", got, c.Want)
			}
		})
	}
}

// An audit that ends early says why.
func TestUnfinishedAuditsAreTold(t *testing.T) {
	p := toy.Read(`
		start: ann a/0
		mail: ann>ann x, ann>ann y
		ann a/0 x -> b/1
		ann a/0 y -> b/2
		ann b/1 x -> c
		ann b/1 y -> c
		ann b/2 x -> c
		ann b/2 y -> c`)
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("time is up"))
	if report, err := audited(t, ctx, p, 1000); err != nil || report.Reason != "time is up" {
		t.Errorf("%+v, %v", report, err)
	}
	report, err := audited(t, context.Background(), p, 1)
	if err != nil || report.Complete || report.Steps != 1 || report.Reason != "1 local steps were compared" {
		t.Errorf("%+v, %v", report, err)
	}
}
