package audit_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/differ"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
)

// Random protocols are tried in package dbss, beside the searches whose decomposition they break.

// breaksRule holds an error to say that the program breaks a rule, with some text.
func breaksRule(t *testing.T, err error, want string) {
	t.Helper()
	var rule *model.RuleError
	if !errors.As(err, &rule) || !strings.Contains(rule.Text, want) || strings.Contains(rule.Text, "\n") {
		t.Errorf("%v\nshould say: %s", err, want)
	}
}

// tried searches a script by the relevant parts, and takes its steps on variants.
func tried(t *testing.T, s model.Oracle) error {
	t.Helper()
	oracle := toy.Twice{Oracle: s}
	actors := must.Get(space.NewActors(oracle, space.Decomposition{Relevant: toy.BeforeSlash}))
	r, err := dbss.Search(t.Context(), actors, property.NewChecker(oracle, actors), dbss.Options{}, &dbss.Progress{})
	if err != nil {
		return err
	}
	if !r.Complete {
		t.Fatalf("the search: %+v", r)
	}
	return space.Retry(t.Context(), actors.LocalSteps)
}

func TestVariantsAreTried(t *testing.T) {
	for _, c := range toy.ReadCases(t, "testdata/decompositions.txt") {
		t.Run(c.Name, func(t *testing.T) {
			err := tried(t, toy.Read(c.Text))
			var found *space.VariationError
			switch {
			case !errors.As(err, &found):
				if err != nil || c.Want != "nothing differs" {
					t.Errorf("%v; should say: %s", err, c.Want)
				}
			case differ.Handler(found.Answer, found.OtherAnswer) != c.Want:
				t.Errorf("%+v should be of: %s", found, c.Want)
			}
		})
	}
}

// Where steps on variants are cut short, the reason is the context's.
func TestRetriesEndWithTheirContext(t *testing.T) {
	s := toy.Twice{Oracle: toy.Read(`
		start: ann a/0
		mail: ann>ann x, ann>ann y
		ann a/0 x -> a/1
		ann a/1 x -> a/1
		ann a/0 y -> b
		ann a/1 y -> b`)}
	actors := must.Get(space.NewActors(s, space.Decomposition{Relevant: toy.BeforeSlash}))
	must.Get(dbss.Search(t.Context(), actors, property.NewChecker(s, actors), dbss.Options{}, &dbss.Progress{}))
	ctx, cancel := context.WithCancelCause(t.Context())
	over := errors.New("time is up")
	cancel(over)
	if err := space.Retry(ctx, actors.LocalSteps); !errors.Is(err, over) {
		t.Errorf("%v", err)
	}
}
