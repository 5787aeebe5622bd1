package partition

import (
	"context"
	"errors"
	"fmt"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
)

// A Coordinator searches with members, one round after another.
type Coordinator struct {
	CoordinatorTransport
	Options any           // for the members, with each Start
	Values  *space.Values // of the actors of the systems that are searched
	// Journal opens the journal of a search of a variant of the system. Nil if a search that is killed is lost.
	Journal func(variant []byte) (Journal, error)

	// Dropped is how many messages were dropped, since nobody of the search can have sent them.
	Dropped int

	round   int
	members []string
}

// Close has the members end, if there was a round.
func (c *Coordinator) Close() error {
	for member := range c.members {
		if err := c.Send(Message{From: Home, To: member, Kind: Close}); err != nil {
			return err
		}
	}
	return nil
}

// Search takes the place of dbss.Search: it explores a model.Shared breadth-first, and all of its options but Workers, Log and
// Reduction count.
func (c *Coordinator) Search(ctx context.Context, system model.System, checker dbss.Checker, o dbss.Options, p *dbss.Progress) (*dbss.Result, error) {
	shared, ok := system.(model.Shared)
	if !ok {
		return nil, errors.New("a search of this kind cannot be shared out among processes")
	}
	s := &exploration{Coordinator: c, system: shared, checker: checker, options: o, progress: p}
	if c.Journal != nil {
		if result, err := s.goOn(ctx); result != nil || err != nil {
			return result, err
		}
	}
	for failures := 0; ; {
		before := s.last()
		r := s.begin()
		r.note(entry{Round: r.past.round})
		result, err := r.search(ctx)
		var gone *goneError
		if !errors.As(err, &gone) && !errors.Is(err, errJoined) {
			return result, err
		}
		if s.last() > before {
			failures = 0
		} else if gone != nil && gone.why != "" {
			failures++
		}
		if failures == mostFailures {
			return &dbss.Result{Counts: s.counts, Reason: fmt.Sprintf("workers that share the search fail again and again, the last one so: %s", gone.why)}, nil
		}
	}
}

// mostFailures is in how many rounds in a row, in which no level is complete, a member may fail.
const mostFailures = 3

// An exploration is what the rounds of a search have in common.
type exploration struct {
	*Coordinator
	system   model.Shared
	checker  dbss.Checker
	options  dbss.Options
	progress *dbss.Progress

	journal Journal // nil for none
	before  []past  // the rounds before this one in which a level was complete
	past            // this round
}

// past is what a round found, up to the last level that was complete.
type past struct {
	round     int
	base      int         // the level that it went on with
	kept      []kept      // the pieces of the levels from the base on
	counts    dbss.Counts // of all rounds so far
	levels    []uint64    // new states at each distance
	failed    []string    // as in dbss.Result
	violation *violated   // with the shortest run; nil for none
}

// last is the last level that was complete, -1 for none.
func (p *past) last() int { return len(p.levels) - 1 }

// goneError is the error of a round in which a member ended, or left for a reason of its own.
type goneError struct {
	member string
	why    string // "" if it just ended
}

func (e *goneError) Error() string { return "worker " + e.member + " is gone" }

// errJoined is the error of a round that ends because there is one more process that may be a member.
var errJoined = errors.New("a worker has joined")

// begin makes a further round.
func (s *exploration) begin() *round {
	s.Coordinator.round++
	switch {
	case s.last() <= 0:
		s.past = past{} // there is nothing to go on from
	case len(s.past.kept) > 0: // else the last round did not come to its base
		s.before = append(s.before, s.past)
	}
	s.past.round, s.base, s.past.kept = s.Coordinator.round, max(s.last(), 0), nil
	s.members = nil
	return &round{exploration: s, level: s.base, start: s.counts}
}

// known returns the pieces that members kept of the levels up to the base.
func (s *exploration) known() (all []kept) {
	for i, p := range s.before {
		next := s.base // the level that the round after it kept anew
		if i+1 < len(s.before) {
			next = s.before[i+1].base - 1
		}
		for _, k := range p.kept {
			if k.Level <= next {
				all = append(all, k)
			}
		}
	}
	return all
}
