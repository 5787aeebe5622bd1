package model

import (
	"context"
	"slices"
)

// Enabled says whether any event other than a fault is enabled.
func (r *Run) Enabled(ctx context.Context) (bool, error) {
	if slices.Contains(r.cuts, true) {
		return true, nil // it may heal
	}
	for name := range r.actors {
		if enabled, err := r.mayGoOn(ctx, name); enabled || err != nil {
			return enabled, err
		}
	}
	return false, nil
}

// mayGoOn says whether an actor may do something, or something be delivered to it.
func (r *Run) mayGoOn(ctx context.Context, name string) (bool, error) {
	if r.program.Passing != M && len(r.waiting[name]) > 0 {
		return true, nil
	}
	inbox := r.sorted(r.waiting, name)
	if r.program.Passing != M {
		inbox = r.sorted(r.delivered, name)
	}
	if r.actors[name].Acts && (r.program.Passing != MP || len(inbox) == 0) {
		if a, err := r.ask(ctx, name, Event{Kind: Internal}); err != nil || len(a.Outcomes) > 0 {
			return err == nil, err
		}
	}
	if r.program.Passing == MP {
		if len(inbox) == 0 || len(inbox) > 1 && !r.isCollector(r.actors[name].Class) {
			return false, nil
		}
		a, err := r.ask(ctx, name, Event{Messages: inbox})
		return len(a.Outcomes) > 0, err
	}
	c := collection{r: r, ctx: ctx, name: name, inbox: inbox, singles: map[int]Answer{}}
	return c.isPossible()
}

func (r *Run) ask(ctx context.Context, name string, e Event) (Answer, error) {
	answers, err := r.oracle.Steps(ctx, []Question{question(r.actors[name].Local, e)})
	if err != nil {
		return Answer{}, err
	}
	return answers[0], nil
}

// A collection is the search for messages in an inbox that an actor may consume, one or several.
type collection struct {
	r       *Run
	ctx     context.Context
	name    string
	inbox   []Message
	singles map[int]Answer // by place: what was asked about the message there alone
}

// isPossible says whether there are any.
func (c collection) isPossible() (bool, error) {
	heads := c.r.heads(c.name, c.inbox)
	for _, i := range heads {
		if a, err := c.single(i); err != nil || len(a.Outcomes) > 0 {
			return err == nil, err
		}
	}
	for _, i := range heads {
		for _, q := range c.singles[i].Quorums {
			if q.Size == 1 {
				continue
			}
			if found, err := c.grow(q, nil, 0); found || err != nil {
				return found, err
			}
		}
	}
	return false, nil
}

func (c collection) single(i int) (Answer, error) {
	if a, ok := c.singles[i]; ok {
		return a, nil
	}
	a, err := c.r.ask(c.ctx, c.name, Event{Messages: c.inbox[i : i+1]})
	if err == nil {
		c.singles[i] = a
	}
	return a, err
}

// grow says whether messages that a quorum may take, some of them chosen, can be consumed with others from a place on.
func (c collection) grow(q Quorum, chosen []int, from int) (bool, error) {
	if len(chosen) >= 2 && (q.Size == 0 || q.Size == len(chosen)) {
		var messages []Message
		for _, i := range chosen {
			messages = append(messages, c.inbox[i])
		}
		if a, err := c.r.ask(c.ctx, c.name, Event{Messages: messages}); err != nil || len(a.Outcomes) > 0 {
			return err == nil, err
		}
	}
	if len(chosen) == q.Size && q.Size > 0 {
		return false, nil
	}
	for i := from; i < len(c.inbox); i++ {
		joins, err := c.joins(q, chosen, i)
		if err != nil {
			return false, err
		}
		if !joins {
			continue
		}
		if found, err := c.grow(q, append(slices.Clone(chosen), i), i+1); found || err != nil {
			return found, err
		}
	}
	return false, nil
}

// joins says whether the message at a place may be taken with the chosen ones, which are before it.
func (c collection) joins(q Quorum, chosen []int, i int) (bool, error) {
	m := c.inbox[i]
	if q.Size > 0 && slices.ContainsFunc(chosen, func(j int) bool { return c.inbox[j].Sender == m.Sender }) {
		return false, nil
	}
	isQueue := c.r.program.channel(c.name) == fifo
	if i > 0 && !slices.Contains(chosen, i-1) {
		before := c.inbox[i-1]
		if isQueue && before.Sender == m.Sender || compareMessages(before, m) == 0 {
			return false, nil // the one before goes first, or would do as well
		}
	}
	a, err := c.single(i)
	return slices.Contains(a.Quorums, q) && c.r.program.hasRole(q.Role, m.Sender), err
}
