package lmc

import (
	"context"
	"slices"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/property"
)

// Schedules are figures of the greedy soundness verification.
type Schedules struct {
	Soundness string `json:"soundness"` // greedy
	Sequences uint64 `json:"sequences"` // of events of an actor, each tried after the one without its last event
	Confirmed uint64 `json:"confirmed"` // of what is suspicious
	Left      uint64 `json:"left"`      // of what is suspicious, neither confirmed nor refuted
}

// greedy is the soundness verification of the paper, for comparisons. Predecessor pointers give sequences of events that lead each
// actor into a suspicious combination, and a schedule merges them: whichever can go on does.
//
// There are exponentially many sequences; the paper skips events after which the local state is the same, and ends with the
// time. Here no event is twice in a sequence. The shortest of all actors together come first. A sequence is given up when its
// last event cannot be scheduled even if the actors that have none yet send all that they ever can. Of those that consume and
// send the same on the way to a local state, one is followed. --max-states and --timeout bound the rest.
//
// It refutes nothing. It misses what needs another order, an event twice in a local state, or an event of the network, such as
// a copy.
type greedy struct {
	*check
	numbers map[token]int
	tokens  []supply  // by number
	after   [][]*link // by number of the member: what leads from it
	before  [][]*link // its predecessor pointers
}

// created is the first of the tokens that stand for created actors, by number of the member.
const created token = 1 << 28

// A supply is where a token comes from.
type supply struct {
	given, most uint32 // how many there are from the start, and at all
	stays       bool   // when it is consumed
	by          []*set // whose events give it
}

// A link is a predecessor pointer: an outcome of an event that leads from one member to another.
type link struct {
	from, to       *member // to is nil if the handler fails or breaks a rule
	event, outcome uint32
	fault          uint16 // as in model.Facts
	takes, gives   []int  // numbers of tokens
	used           bool   // in a sequence
}

// schedule looks for a run to something suspicious.
func (c *check) schedule(ctx context.Context) (*dbss.Result, error) {
	r := &dbss.Result{Complete: true}
	err := newGreedy(c).confirm(ctx, func(_ *aim, run *dbss.Counterexample) (enough bool) {
		r.Violation, r.Violations, r.Depth = run, 1, len(run.Path)
		return true
	})
	return r, err
}

func newGreedy(c *check) *greedy {
	n := len(c.sets.members)
	g := &greedy{check: c, numbers: map[token]int{}, after: make([][]*link, n), before: make([][]*link, n)}
	for _, m := range c.sets.members {
		for i := range m.events {
			g.record(m, &m.events[i])
		}
	}
	return g
}

// record makes the predecessor pointers of an event.
func (g *greedy) record(m *member, e *event) {
	l := link{from: m, event: e.id}
	for _, t := range g.sets.spends(e) {
		switch {
		case m.local == 0:
			t = created + token(g.sets.leads(e)[0].number)
		case t == byItself:
			continue
		case t >= firstFault:
			l.fault = uint16(t-firstFault) + 1
		}
		l.takes = append(l.takes, g.number(t))
	}
	for to, o := range g.sets.outcomes(m, e) {
		one := l
		one.to, one.outcome = to, o.Number
		for _, f := range o.Effects {
			one.gives = append(one.gives, g.give(m.set, f))
		}
		if g.after[m.number] = append(g.after[m.number], &one); to != nil {
			g.before[to.number] = append(g.before[to.number], &one)
		}
	}
}

// give returns the number of the token that an effect of an event of a set gives: a message, or the creation of an actor.
func (g *greedy) give(by *set, f model.Effect) int {
	t := f.Message
	if t == 0 {
		t = created + token(g.sets.byPosition[f.Position].locals[f.Local].number)
	}
	n := g.number(t)
	if of := &g.tokens[n]; !slices.Contains(of.by, by) {
		of.by = append(of.by, by)
	}
	return n
}

func (g *greedy) number(t token) int {
	n, known := g.numbers[t]
	if known {
		return n
	}
	most, bounded := g.sets.bounds[t]
	if !bounded {
		most = unbounded
	}
	of := supply{given: uint32(most), most: uint32(most)}
	if t < firstFault {
		of.given = uint32(g.sets.initial[t])
		of.stays = t < created && g.sets.program.Repeats(g.actors.Values.Message(t).Receiver)
	}
	g.tokens = append(g.tokens, of)
	g.numbers[t] = len(g.numbers)
	return g.numbers[t]
}

// none is more events than any sequences have.
const none = 1 << 20

// An aim is what is suspicious: a region, or a member in which a handler fails.
type aim struct {
	region property.Region
	fails  *member
	length int // of the sequences to try next, together
}

// confirm finds runs to what is suspicious, until found has enough.
func (g *greedy) confirm(ctx context.Context, found func(*aim, *dbss.Counterexample) (enough bool)) (err error) {
	var open []*aim
	for _, r := range g.regions {
		open = append(open, &aim{region: r})
	}
	for _, m := range g.sets.members {
		if m.fails {
			open = append(open, &aim{fails: m})
		}
	}
	enough := false
	for length := 0; len(open) > 0 && !enough && err == nil; length++ {
		open = slices.DeleteFunc(open, func(a *aim) bool {
			if a.length > length || enough || err != nil {
				return false
			}
			var run *dbss.Counterexample
			t := newAttempt(g, a)
			if run, err = t.begin(ctx, 0, 0); run != nil {
				g.result.Confirmed++
				enough = found(a, run)
			}
			a.length = t.next
			return run != nil || t.next >= none
		})
	}
	return err
}
