package partition

import (
	"context"
	"encoding/json"
	"fmt"

	"harrier/dbss"
	"harrier/internal/model"
)

// A Journal is a file of what a coordinator was told in a search, which outlives it as the pieces of the members do. A coordinator reads
// what others appended, before it appends more.
type Journal interface {
	// Read returns the next record; false if there is none.
	Read() (record []byte, ok bool)
	Append(record []byte)
}

// An entry is a record of a journal: a round begins, or a level is complete.
type entry struct {
	Round int // 0 for a level
	Level int
	ID    uint64     // of the round
	Ends  []levelEnd // the reports of the members
}

// note appends an entry to the journal, if there is one.
func (s *exploration) note(e entry) {
	if s.journal != nil {
		s.journal.Append(encode(e))
	}
}

// goOn opens the journal and takes in what it has, as if the members had reported it just now and then ended. If that ends the search, it
// returns the result or the error.
func (s *exploration) goOn(ctx context.Context) (*dbss.Result, error) {
	journal, err := s.Journal(s.system.Variant())
	if err != nil {
		return nil, err
	}
	var r *round
	for {
		record, ok := journal.Read()
		if !ok {
			s.journal = journal
			return nil, nil
		}
		var e entry
		if err := json.Unmarshal(record, &e); err != nil || e.Round == 0 && r == nil {
			return nil, &model.UsageError{Text: fmt.Sprintf("what a search of several workers reported cannot be read: %v", err)}
		}
		if e.Round > 0 {
			s.Coordinator.round = e.Round - 1
			r = s.begin()
			continue
		}
		r.level, r.id, r.ends = e.Level, e.ID, e.Ends
		if _, err := r.complete(ctx); err != nil {
			if reason := model.EndReason(ctx, err); reason != "" {
				return &dbss.Result{Counts: s.counts, Reason: reason}, nil
			}
			return &dbss.Result{Counts: s.counts}, err
		}
	}
}
