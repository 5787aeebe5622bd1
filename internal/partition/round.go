package partition

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"harrier/dbss"
	"harrier/internal/model"
)

// A round is a part of a search with the same members.
type round struct {
	*exploration
	link      *link
	id        uint64      // of its Start
	level     int         // the level that the members explore
	start     dbss.Counts // the counts before the round
	nonces    []string    // by member: the nonce that was sent to it last
	ends      []levelEnd  // by member
	sent      [][]int     // by member: how many batches of the level it sent to each
	left      []*outcome  // by member, nil while it searches
	isOver    bool        // the members met no more states
	isStopped bool        // the members were told to stop
	joined    bool        // there is one more process that may be a member
	result    dbss.Result
}

// join finds the members of the round.
func (r *round) join(ctx context.Context) (err error) {
	if r.members, err = r.Join(ctx); err != nil {
		return err
	}
	if len(r.members) == 0 {
		return &model.LimitError{Text: "there is no worker that shares the search"}
	}
	r.Meet(r.members)
	n := len(r.members)
	r.nonces = make([]string, n)
	r.link = newLink(r, Home, n, r.Coordinator.round)
	r.ends, r.sent, r.left = make([]levelEnd, n), make([][]int, n), make([]*outcome, n)
	return nil
}

// run begins the round and explores to its end.
func (r *round) run(ctx context.Context) error {
	options, err := json.Marshal(r.Options)
	if err == nil {
		err = r.join(ctx)
	}
	if err != nil {
		return err
	}
	start := Start{Members: r.members, Options: options, Variant: r.system.Variant(), Base: r.base, Kept: r.known()}
	r.id = start.id()
	for self := range r.members {
		start.Self, start.Nonce = self, r.newNonce(self)
		if err := r.link.send(Message{To: self, Kind: Begin, Body: encode(start)}); err != nil {
			return err
		}
	}
	if r.base > 0 {
		if ok, err := r.exchange(ctx, r.base-1); !ok || err != nil {
			return err
		}
	}
	return r.explore(ctx)
}

// search runs the round and returns its result. The error is a goneError or errJoined if another round has to go on.
func (r *round) search(ctx context.Context) (*dbss.Result, error) {
	err := r.run(ctx)
	var gone *goneError
	if errors.As(err, &gone) || errors.Is(err, errJoined) {
		return nil, err
	}
	gathered := r.end(ctx)
	if r.link != nil {
		r.Dropped += int(r.link.dropped.Load())
	}
	if err == nil && gathered == nil && r.isOver {
		gathered = r.prove()
	}
	if reason := model.EndReason(ctx, err); reason != "" { // what members found until then counts
		r.result.Reason, err = reason, nil
	} else if err == nil {
		err = gathered
	}
	if err == nil && r.result.Reason == "" && (r.violation == nil || r.options.KeepGoing) {
		err = r.failing()
	}
	if errors.As(err, &gone) {
		return nil, err
	}
	ctx, over := context.WithoutCancel(ctx), ctx
	if problem := r.addUp(ctx); err == nil {
		err = problem
	}
	if err == nil && r.violation != nil {
		if r.result.Violation, err = r.trace(ctx, r.violation); err != nil && model.EndReason(ctx, err) == "" {
			err = &model.LimitError{Text: fmt.Sprintf("a worker that shares the search reports a violation that is not found again: %v", err)}
		}
		if !r.options.KeepGoing {
			r.result.Reason = ""
		}
	}
	if reason := model.EndReason(over, err); reason != "" {
		r.result.Reason, err = reason, nil
	}
	r.result.Complete = err == nil && r.result.Reason == "" && r.isOver && (r.result.Violation == nil || r.options.KeepGoing)
	return &r.result, err
}

// explore goes through the levels until there are no more, or a member leaves.
func (r *round) explore(ctx context.Context) error {
	for {
		if ok, err := r.gather(ctx, Deepened); !ok || err != nil {
			return err
		}
		var accounts []account
		for _, e := range r.ends {
			accounts = append(accounts, e.Account)
		}
		if err := r.agree(accounts); err != nil {
			return err
		}
		r.note(entry{Level: r.level, ID: r.id, Ends: r.ends})
		next, err := r.complete(ctx)
		if err != nil {
			return err
		}
		switch {
		case next == 0:
			r.isOver = true
			return nil
		case r.options.MaxStates > 0 && r.counts.States >= r.options.MaxStates:
			r.result.Reason = fmt.Sprintf("the search ended after %d states (--max-states)", r.counts.States)
			return nil
		case r.joined && r.last() > 0:
			return errJoined
		}
		r.link.forget(r.level) // all members have ended the level before it
		if err := r.all(GoOn); err != nil {
			return err
		}
		if ok, err := r.exchange(ctx, r.level); !ok || err != nil {
			return err
		}
		r.level++
	}
}

// exchange waits until the members have sent all states that they met in a level, and tells each how many batches it gets. It returns
// false if a member has left instead.
func (r *round) exchange(ctx context.Context, level int) (bool, error) {
	if ok, err := r.gather(ctx, Expanded); !ok || err != nil {
		return false, err
	}
	for to := range r.members {
		expected := make([]int, len(r.members))
		for from := range r.sent {
			expected[from] = r.sent[from][to]
		}
		if err := r.link.send(Message{To: to, Kind: Expect, Level: level, Body: encode(expectation{expected, r.newNonce(to)})}); err != nil {
			return false, err
		}
	}
	return true, nil
}

// complete takes in the reports of all members at the end of a level, and returns how many states are to be followed in the next one.
func (r *round) complete(ctx context.Context) (next uint64, err error) {
	for _, e := range r.ends {
		if err := r.learn(ctx, e); err != nil {
			return 0, err
		}
	}
	if r.options.Between != nil {
		if err := r.options.Between(ctx); err != nil {
			return 0, err
		}
	}
	r.counts = dbss.Counts{}
	r.counts.Add(r.start)
	for member, e := range r.ends {
		r.counts.Add(e.Tally.In(r.Values))
		next += e.Next
		r.failed = append(r.failed, e.Failed...)
		r.meet(e.Violation)
		first := uint32(0)
		for worker, k := range e.Kept {
			r.kept = append(r.kept, kept{r.id, r.past.round, r.level, member, worker, first, k.Pieces})
			first += k.Chunks
		}
	}
	if r.level > r.last() {
		r.levels = append(r.levels, r.counts.States-total(r.levels))
	}
	r.progress.States.Store(r.counts.States)
	r.progress.Transitions.Store(r.counts.Transitions)
	r.progress.Depth.Store(uint64(max(r.last(), 0)))
	r.progress.Frontier.Store(next)
	return next, nil
}

func total(levels []uint64) (states uint64) {
	for _, level := range levels {
		states += level
	}
	return states
}

// meet notes a violation if its run is the shortest so far.
func (r *round) meet(v *violated) {
	if v != nil && (r.violation == nil || v.Length < r.violation.Length) {
		r.violation = v
		v.Round = r.past.round
	}
}

// learn works out the local steps and evaluations of properties that a member needed in a level.
func (r *round) learn(ctx context.Context, e levelEnd) error {
	if err := r.system.Learn(ctx, e.News); err != nil {
		return err
	}
	return r.again().Ask(ctx, e.Asked)
}

// again returns the system and the checker, to follow and to test states that members met.
func (r *round) again() dbss.Again {
	return dbss.Again{System: r.system, Checker: r.checker, NoDeadlock: r.options.NoDeadlock}
}

// all sends a message without a body to all members.
func (r *round) all(kind Kind) error {
	for to := range r.members {
		if err := r.link.send(Message{To: to, Kind: kind, Level: r.level}); err != nil {
			return err
		}
	}
	return nil
}

// missing are the members that have not left.
func (r *round) missing() (all []int) {
	for member, out := range r.left {
		if out == nil {
			all = append(all, member)
		}
	}
	return all
}

// gather receives a message of a kind from each member. It returns false if one has left instead, for a reason that ends the search.
func (r *round) gather(ctx context.Context, kind Kind) (bool, error) {
	got := make([]bool, len(r.members))
	for slices.Contains(got, false) {
		m, err := r.receive(ctx)
		if err != nil {
			return false, err
		}
		switch {
		case m.Kind == Left:
			return false, r.leave(m)
		case m.Kind != kind || got[m.From]:
			return false, inconsistent(m.From, "it comes too soon")
		}
		got[m.From] = true
		into := any(&r.sent[m.From])
		if kind == Deepened {
			r.ends[m.From] = levelEnd{}
			into = &r.ends[m.From]
		}
		if err := m.decode(into); err != nil {
			return false, inconsistent(m.From, err.Error())
		}
		if kind == Expanded && len(r.sent[m.From]) != len(r.members) {
			return false, inconsistent(m.From, "it counts other members")
		}
	}
	return true, nil
}

// receive receives the next message of the round.
func (r *round) receive(ctx context.Context) (Message, error) {
	for {
		m, err := r.link.receive(ctx, r.missing)
		var contradicted *contradiction
		switch {
		case errors.As(err, &contradicted):
			return m, inconsistent(contradicted.from, "another one has its number")
		case err != nil:
			return m, err
		case m.Kind == Joined:
			r.joined = true
		case m.Kind == Gone && slices.Contains(r.members, string(m.Body)):
			return m, &goneError{member: string(m.Body)}
		case m.Round == r.link.round && m.From >= 0:
			return m, nil
		}
	}
}

// leave notes the outcome of a member. One that was not told to leave has a reason, or is gone.
func (r *round) leave(m Message) error {
	out := &outcome{}
	r.left[m.From] = out
	if err := m.decode(out); err != nil {
		return inconsistent(m.From, err.Error())
	}
	r.Dropped += out.Dropped
	switch leaves := out.Reason != "" || out.Problem != nil || out.Violation != nil; {
	case r.isStopped && (leaves || out.Account.Nonce == r.nonces[m.From]):
	case out.Account.Nonce != r.nonces[m.From]:
		return inconsistent(m.From, "it was not told to")
	case !leaves:
		return &goneError{member: r.members[m.From]}
	default:
		return r.failing()
	}
	return nil
}

// failing is the error of a round in which a member failed for a reason of its own; nil if none did.
func (r *round) failing() error {
	for member, out := range r.left {
		if out != nil && out.Problem != nil && !out.Problem.hasKind() {
			return &goneError{r.members[member], out.Problem.Text}
		}
	}
	return nil
}

// mostGrace is how long members may take to leave a search that ended.
const mostGrace = 10 * time.Second

// end has all members leave.
func (r *round) end(ctx context.Context) error {
	if r.isStopped = true; r.link == nil {
		return nil // it did not begin
	}
	for to := range r.members {
		if err := r.link.send(Message{To: to, Kind: Stop, Level: r.level, Body: []byte(r.newNonce(to))}); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), mostGrace, &model.LimitError{Text: "a worker that shares the search does not answer any more"})
	defer cancel()
	for slices.Contains(r.left, nil) {
		m, err := r.receive(ctx)
		if err != nil {
			return err
		}
		if m.Kind == Left {
			if err := r.leave(m); err != nil {
				return err
			}
		}
	}
	return nil
}

// addUp adds up what the members came to. The error is that of one of them.
func (r *round) addUp(ctx context.Context) (problem error) {
	r.result.Add(r.start)
	r.result.Failed = r.failed
	for member, out := range r.left {
		if out == nil { // it did not leave in time: what it came to with its last level counts
			out = &outcome{Tally: r.ends[member].Tally}
		}
		r.result.Add(out.Tally.In(r.Values))
		r.result.Failed = append(r.result.Failed, out.Failed...)
		r.result.VisitedBytes += out.Memory.VisitedBytes
		r.result.TreeBytes += out.Memory.TreeBytes
		r.result.FrontierBytes += out.Memory.FrontierBytes
		r.result.MemoBytes += out.Memory.MemoBytes
		if out.Tally.Transitions > 0 {
			r.result.Busy++
		}
		if out.Reason != "" && r.result.Reason == "" {
			r.result.Reason = out.Reason
		}
		r.meet(out.Violation)
		if out.Problem != nil && out.Problem.hasKind() && problem == nil { // else others go on without it, or nothing depends on it
			problem = out.Problem.err()
			// A local step that is an error in a member is one here as well.
			if err := r.system.Learn(ctx, out.News); err != nil {
				problem = err
			}
		}
	}
	slices.Sort(r.result.Failed)
	r.result.Failed = slices.Compact(r.result.Failed)
	r.result.Levels = append(r.levels, r.result.States-total(r.levels))
	r.result.Levels = slices.DeleteFunc(r.result.Levels, func(states uint64) bool { return states == 0 })
	return problem
}
