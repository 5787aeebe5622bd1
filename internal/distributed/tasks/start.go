package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// A Store is the files and the register that the processes of a search share.
type Store interface {
	Files
	Register
}

// A Start begins a search. It takes the place of the one before it: a search that turns out to leave out too much begins anew.
type Start struct {
	Search  string          // where the register has the search
	Options json.RawMessage // how to search, as the check was given it
	Variant []byte          // of the system (model.Shared)
}

const starts = "starts/"

// startNumber is the name of a start in the register.
func startNumber(n int) string { return fmt.Sprintf("%06d", n) }

// latest returns the last start and how many there are.
func latest(ctx context.Context, r Register) (s Start, n int, err error) {
	entries, err := r.Under(ctx, starts)
	if err != nil {
		return s, 0, err
	}
	for entries[startNumber(n)] != nil {
		n++
	}
	if n > 0 && json.Unmarshal(entries[startNumber(n-1)], &s) != nil {
		err = errors.New("what begins a shared search cannot be read")
	}
	return s, n, err
}

// Begin has the members of a store search with some options a variant of the system, and returns where the register has that search. It
// goes on from the levels that are there, if it was begun before.
func Begin(ctx context.Context, r Register, options any, variant []byte) (search string, err error) {
	s := Start{Variant: variant}
	if s.Options, err = json.Marshal(options); err != nil {
		return "", err
	}
	s.Search = hashOf(append([]byte(string(s.Options)+"\n"), variant...))[:16]
	content, err := json.Marshal(s)
	for err == nil {
		var last Start
		var n int
		if last, n, err = latest(ctx, r); err != nil || last.Search == s.Search {
			break
		}
		if _, err = r.Make(ctx, starts+startNumber(n), content); err == nil {
			err = r.Await(ctx, starts, n, time.Second)
		}
	}
	return s.Search, err
}

// Serve calls search with the start that is the last one, until the context ends. Its context ends when there is a later one. An error of
// search for another reason is returned.
func Serve(ctx context.Context, r Register, search func(context.Context, Start) error) error {
	for served := 0; ; {
		s, n, err := latest(ctx, r)
		if err != nil {
			return err
		}
		if n == served {
			if err := r.Await(ctx, starts, n, Usual.Patience); err != nil {
				return err
			}
			continue
		}
		served = n
		if err := serve(ctx, r, s, n, search); err != nil {
			return err
		}
	}
}

// serve calls search with the start that is the nth.
func serve(ctx context.Context, r Register, s Start, n int, search func(context.Context, Start) error) error {
	later := errors.New("another search has begun")
	ctx, cancel := context.WithCancelCause(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		for ctx.Err() == nil {
			if _, now, err := latest(ctx, r); now > n || err != nil {
				cancel(later)
				return
			}
			_ = r.Await(ctx, starts, n, Usual.Patience) // its error is that the context has ended
		}
	}()
	err := search(ctx, s)
	cause := context.Cause(ctx)
	cancel(nil)
	<-watched
	if cause == later {
		return nil
	}
	return err
}
