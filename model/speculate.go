package model

import (
	"context"
	"errors"
)

// speculating is the key of contexts in which questions are ahead of the search.
type speculating struct{}

// Speculate is a context for questions that are ahead of the search, about steps that perhaps no run takes.
func Speculate(ctx context.Context) context.Context {
	return context.WithValue(ctx, speculating{}, true)
}

// doubted says of a step that ended all, whoever asks next and is told, that it may be one that no run takes, if such steps were
// asked for.
func (a *Actors) doubted(err error) error {
	var limit *LimitError
	if a.counts.speculative.Load() == 0 || !errors.As(err, &limit) || !limit.Ends {
		return err
	}
	return &LimitError{
		Text: limit.Text + "; macro steps ask also for steps that no run takes, and this may be one: check without (--reduction off)",
		Ends: true,
	}
}
