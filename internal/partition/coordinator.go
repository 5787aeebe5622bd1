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
	"harrier/internal/property"
)

// A Coordinator searches with some members, one round after another. If a member ends before the search does, it begins anew without it.
type Coordinator struct {
	Gathering
	Options any          // for the members, with each Start
	Values  model.Values // of the actors that the systems are of

	round   int
	members []string
}

// Close ends the members' part.
func (c *Coordinator) Close() error { return errors.Join(c.endRound(), c.all(Message{Kind: Close})) }

// endRound has members forget the last round.
func (c *Coordinator) endRound() error {
	if c.round == 0 {
		return nil
	}
	return c.all(Message{Kind: EndRound, Round: c.round})
}

// all sends a message to all members.
func (c *Coordinator) all(m Message) error {
	m.From = Home
	for m.To = range c.members {
		if err := c.Send(m); err != nil {
			return err
		}
	}
	return nil
}

// Search takes the place of dbss.Search: it explores a model.Shared breadth-first, and all of its options but Workers, Log and
// Reduction count. What members found is in no figure of the coordinator's checker.
func (c *Coordinator) Search(ctx context.Context, system model.System, checker dbss.Checker, o dbss.Options, p *dbss.Progress) (*dbss.Result, error) {
	shared, ok := system.(model.Shared)
	if !ok {
		return nil, errors.New("a search of this kind cannot be shared out among processes")
	}
	if err := c.endRound(); err != nil {
		return nil, err
	}
	for {
		r, err := c.begin(ctx)
		if err != nil {
			return nil, err
		}
		r.system, r.checker, r.options, r.progress = shared, checker, o, p
		result, err := r.search(ctx)
		var gone *goneError
		if !errors.As(err, &gone) {
			return result, err
		}
		p.GiveUp(err.Error())
	}
}

// begin gathers members for a further round.
func (c *Coordinator) begin(ctx context.Context) (r *round, err error) {
	if c.members, err = c.Join(ctx); err != nil {
		return nil, err
	}
	c.Meet(c.members)
	c.round++
	n := len(c.members)
	return &round{Coordinator: c, ends: make([]levelEnd, n), sent: make([][]int, n), left: make([]*outcome, n)}, nil
}

// goneError is the error of a round that a member did not stay in.
type goneError struct{ member string }

func (e *goneError) Error() string { return "worker " + e.member + " is gone" }

// A round is one search.
type round struct {
	*Coordinator
	system   model.Shared
	checker  dbss.Checker
	options  dbss.Options
	progress *dbss.Progress

	level  int // that the members are told to explore
	ends   []levelEnd
	sent   [][]int // by member: batches of the level to each
	left   []*outcome
	levels []uint64 // new states at each distance
	result dbss.Result
}

func (r *round) search(ctx context.Context) (*dbss.Result, error) {
	options, err := json.Marshal(r.Options)
	if err != nil {
		return nil, err
	}
	for self := range r.members {
		start := Start{self, r.members, options, r.system.Variant()}
		if err := r.Send(Message{From: Home, To: self, Kind: Begin, Round: r.round, Body: encode(start)}); err != nil {
			return nil, err
		}
	}
	err = r.explore(ctx)
	var gone *goneError
	if errors.As(err, &gone) {
		return nil, errors.Join(err, r.all(Message{Kind: EndRound, Round: r.round}))
	}
	if gathered := r.end(ctx); err == nil {
		err = gathered
	}
	if err == nil {
		err = r.conclude(ctx)
	}
	if reason := model.EndReason(ctx, err); reason != "" {
		r.result.Reason, err = reason, nil
	}
	r.result.Complete = err == nil && r.result.Violation == nil && r.result.Reason == ""
	return &r.result, err
}

// explore goes through the levels until there are no more, or a member leaves.
func (r *round) explore(ctx context.Context) error {
	for {
		if ok, err := r.gather(ctx, Deepened); !ok || err != nil {
			return err
		}
		states, next := r.tellProgress()
		for member := range r.ends {
			if err := r.learn(ctx, r.ends[member]); err != nil {
				return err
			}
		}
		if r.options.Between != nil {
			if err := r.options.Between(ctx); err != nil {
				return err
			}
		}
		switch {
		case next == 0:
			return nil
		case r.options.MaxStates > 0 && states >= r.options.MaxStates:
			r.result.Reason = fmt.Sprintf("the search ended after %d states (--max-states)", states)
			return nil
		}
		if err := r.all(Message{Kind: GoOn, Round: r.round, Level: r.level}); err != nil {
			return err
		}
		if ok, err := r.gather(ctx, Expanded); !ok || err != nil {
			return err
		}
		for to := range r.members {
			expected := make([]int, len(r.members))
			for from := range r.sent {
				expected[from] = r.sent[from][to]
			}
			expect := Message{From: Home, To: to, Kind: Expect, Round: r.round, Level: r.level, Body: encode(expected)}
			if err := r.Send(expect); err != nil {
				return err
			}
		}
		r.level++
	}
}

// learn takes over what a member found in a level: local steps, and evaluations of properties.
func (r *round) learn(ctx context.Context, e levelEnd) error {
	if err := r.system.Learn(ctx, e.News); err != nil {
		return err
	}
	for _, content := range e.Asked {
		s, err := r.read(content)
		if err == nil {
			_, err = r.test(ctx, s)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// read returns the state of some parts in portable terms.
func (r *round) read(parts [][]byte) (s model.State, err error) {
	s = model.State{0}
	for _, part := range parts {
		position, id, err := r.system.Read(part)
		if err != nil {
			return nil, err
		}
		s, _ = s.Put(position, id, nil)
	}
	return s, nil
}

// tellProgress adds up what the members have at the end of a level.
func (r *round) tellProgress() (states, next uint64) {
	transitions := uint64(0)
	for _, e := range r.ends {
		states, transitions, next = states+e.Tally.States, transitions+e.Tally.Transitions, next+e.Next
	}
	r.addLevel(states)
	r.progress.States.Store(states)
	r.progress.Transitions.Store(transitions)
	r.progress.Depth.Store(uint64(max(len(r.levels), 1) - 1))
	r.progress.Frontier.Store(next)
	return states, next
}

// addLevel notes how many states there are, after a further level.
func (r *round) addLevel(states uint64) {
	for _, level := range r.levels {
		states -= level
	}
	if states > 0 {
		r.levels = append(r.levels, states)
	}
}

// gather receives a message of a kind from each member. It returns false if one has left instead.
func (r *round) gather(ctx context.Context, kind Kind) (bool, error) {
	missing := len(r.members)
	for missing > 0 {
		m, err := r.receive(ctx)
		if err != nil {
			return false, err
		}
		switch m.Kind {
		case Left:
			return false, r.leave(m)
		case kind:
			missing--
			into := any(&r.sent[m.From])
			if kind == Deepened {
				r.ends[m.From] = levelEnd{}
				into = &r.ends[m.From]
			}
			if err := m.decode(into); err != nil {
				return false, err
			}
			if kind == Expanded && len(r.sent[m.From]) != len(r.members) {
				return false, fmt.Errorf("member %d counts other members", m.From)
			}
		}
	}
	return true, nil
}

// receive receives the next message of the round.
func (r *round) receive(ctx context.Context) (Message, error) {
	for {
		m, err := r.Gathering.Receive(ctx)
		switch {
		case err != nil:
			return m, err
		case m.From < 0 || m.From >= len(r.members):
		case m.Kind == Gone:
			return m, &goneError{r.members[m.From]}
		case m.Round == r.round:
			return m, nil
		}
	}
}

func (r *round) leave(m Message) error {
	out := &outcome{}
	r.left[m.From] = out
	return m.decode(out)
}

// mostGrace is how long members may take to leave a search that ended.
const mostGrace = 10 * time.Second

// end has all members leave.
func (r *round) end(ctx context.Context) error {
	if err := r.all(Message{Kind: Stop, Round: r.round}); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), mostGrace, errors.New("a member of the search does not answer any more"))
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

// conclude adds up what the members came to.
func (r *round) conclude(ctx context.Context) error {
	best, problem := -1, error(nil)
	for member, out := range r.left {
		r.result.Add(out.Tally.counts(r.Values))
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
		if v := out.Violation; v != nil && (best < 0 || v.Length < r.left[best].Violation.Length) {
			best = member
		}
		if out.Problem != nil && problem == nil {
			problem = out.Problem.err(member)
			// What a member's local steps come to, they come to here.
			if err := r.system.Learn(ctx, out.News); err != nil {
				problem = err
			}
		}
	}
	slices.Sort(r.result.Failed)
	r.result.Failed = slices.Compact(r.result.Failed)
	r.addLevel(r.result.States)
	r.result.Levels = r.levels
	if best < 0 || problem != nil {
		return problem
	}
	r.result.Reason = ""
	var err error
	r.result.Violation, err = r.trace(ctx, r.left[best].Violation)
	return err
}

// ask asks a member something.
func (r *round) ask(ctx context.Context, member int, q question) (a told, err error) {
	if member < 0 || member >= len(r.members) {
		return a, fmt.Errorf("there is no member %d", member)
	}
	if err := r.Send(Message{From: Home, To: member, Kind: Ask, Round: r.round, Body: encode(q)}); err != nil {
		return a, err
	}
	for {
		m, err := r.receive(ctx)
		if err != nil || m.Kind == Told && m.From == member {
			if err == nil {
				err = m.decode(&a)
			}
			if err == nil && a.Problem != "" {
				err = fmt.Errorf("member %d: %s", member, a.Problem)
			}
			return a, err
		}
	}
}

// trace follows the run to a violation that a member met, and tests its last state.
func (r *round) trace(ctx context.Context, v *violated) (*dbss.Counterexample, error) {
	var origins []dbss.Origin // the last one first
	for at := v.Last; at != nil; {
		origins = append(origins, *at)
		level := v.Length - len(origins)
		if level < 0 {
			return nil, errors.New("a run is longer than the levels of the search")
		}
		if level == 0 {
			break
		}
		a, err := r.ask(ctx, at.Member, question{Level: level, Place: at.Place})
		if err != nil {
			return nil, err
		}
		at = &a.Origin
	}
	s := r.system.Initial()
	var path []model.Transition
	var content [][]byte
	for i, o := range slices.Backward(origins) {
		a, err := r.ask(ctx, o.Member, question{Follow: true, State: content, Number: o.Number})
		if err != nil {
			return nil, err
		}
		content = a.State
		by, failure, next, err := r.follow(ctx, s, content)
		if err != nil {
			return nil, err
		}
		path = append(path, by)
		if failure != nil && i == 0 {
			return &dbss.Counterexample{Path: path, Length: len(path),
				Violation: property.Violation{Kind: property.HandlerFailure, Failure: failure.Failure}}, nil
		}
		s = next
	}
	found, err := r.test(ctx, s)
	if err == nil && found == nil {
		err = errors.New("the last state of a run violates nothing here")
	}
	if err != nil {
		return nil, err
	}
	return &dbss.Counterexample{Violation: *found, Path: path, Length: len(path)}, nil
}

// follow finds the transition of a state that leads to another one in portable terms, or that fails if there is none.
func (r *round) follow(ctx context.Context, s model.State, to [][]byte) (by model.Transition, failure *model.StepFailure, next model.State, err error) {
	wanted, err := r.read(to)
	if err != nil {
		return by, nil, nil, err
	}
	enabled, err := r.system.Enabled(ctx, s, nil)
	if err != nil {
		return by, nil, nil, err
	}
	for _, t := range enabled {
		after, _, err := r.system.Apply(slices.Clone(s), t, nil)
		switch {
		case errors.As(err, &failure):
			if to == nil {
				return t, failure, nil, nil
			}
		case errors.Is(err, model.ErrDisabled):
		case err != nil:
			return by, nil, nil, err
		case to != nil && slices.Equal(after.Trimmed(), wanted.Trimmed()):
			return t, nil, after, nil
		}
	}
	return by, nil, nil, errors.New("no transition leads where a member followed one")
}

// test tests a state as dbss.Search does.
func (r *round) test(ctx context.Context, s model.State) (*property.Violation, error) {
	v, err := r.checker.Invariants(ctx, s)
	if v != nil || err != nil {
		return v, err
	}
	enabled, err := r.system.Enabled(ctx, s, nil)
	if err != nil {
		return nil, err
	}
	terminal := true
	for _, t := range enabled {
		if _, _, err := r.system.Apply(slices.Clone(s), t, nil); !errors.Is(err, model.ErrDisabled) && r.system.Facts(s, t).Fault == 0 {
			terminal = false
		}
	}
	_, v, err = r.checker.Terminal(ctx, s, terminal, !r.options.NoDeadlock)
	return v, err
}
