package sample

import (
	"context"

	"github.com/cespare/xxhash/v2"

	"harrier/internal/model"
)

// ofTime is the hash of what has time go on, which is no actor.
var ofTime = xxhash.Sum64String("time goes on")

// round is the choice to have time go on: one of the rounds that may come next, each as likely; nil if there is none, as time stands still,
// is over, or something comes before. However many rounds there are, they are as likely as one step of an actor.
func (s *Sampler) round(ctx context.Context, w *walk) (*choice, error) {
	if !s.actors.IsWhole() {
		return nil, nil
	}
	var err error
	if s.scratch.enabled, err = s.actors.Enabled(ctx, w.state, s.scratch.enabled[:0]); err != nil {
		return nil, err
	}
	var best *choice
	var most uint64
	for _, t := range s.scratch.enabled {
		if t.Slot != model.Rounds {
			continue
		}
		// The outcome has the ticks in the order of names, whatever the numbers of actors are.
		if by := mix(mix(w.now, ofTime), uint64(s.actors.Action(w.state, t).Outcome)); best == nil || by > most {
			st := s.actors.StepOf(w.state, t)
			s.scratch.round = choice{at: t, hash: ofTime, chain: ofTime, event: st.Event, update: st.Update, facts: st.Facts}
			best, most = &s.scratch.round, by
		}
	}
	return best, nil
}
