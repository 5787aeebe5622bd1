package partition_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"harrier/dbss"
	"harrier/internal/model/space"
	"harrier/internal/partition"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/replayed"
	"harrier/internal/testkit/toy"
)

// An intruder sends messages that no process of a search has sent, some before others, to any process. It sees what is sent, and does not change
// what a message says.
type intruder struct {
	random *rand.Rand
	rate   int                    // one in so many messages comes with a foreign one
	seen   []partition.Message    // what was sent
	next   map[[3]int]int         // by round and process from and to: the number of the next message
	kinds  map[partition.Kind]int // how many were foreign
	kills  bool                   // members for which it has spoken end
}

// meddle may have foreign messages arrive before one that is sent to a process with a name.
func (f *intruder) meddle(h *hub, m partition.Message, name string) {
	f.next[[3]int{m.Round, m.From, m.To}] = max(f.next[[3]int{m.Round, m.From, m.To}], m.Number+1)
	f.seen = append(f.seen, m)
	if f.random.IntN(f.rate) > 0 {
		return
	}
	isAimed := f.random.IntN(2) == 0
	if isAimed {
		foreign := f.aim(m)
		f.deliver(h, foreign)
		if victim := fmt.Sprint("member", foreign.From); foreign.From != partition.Home && f.kills && len(h.mail)-len(h.gone) > 2 && !h.gone[victim] {
			h.lose(victim) // so that what it says itself does not come
		}
		return
	}
	foreign, err := partition.ReadMessage(f.garble(f.invent(m).Bytes()))
	if err != nil {
		return // no transport delivers it
	}
	f.kinds[foreign.Kind]++
	if f.random.IntN(3) == 0 {
		var names []string
		for other := range h.mail {
			names = append(names, other)
		}
		slices.Sort(names)
		name = names[f.random.IntN(len(names))]
	}
	h.mail[name] = append(h.mail[name], foreign)
}

// aim makes the message that a process is waiting for, or may be, with what was said before or nothing.
func (f *intruder) aim(m partition.Message) partition.Message {
	members := 0
	for _, s := range f.seen {
		members = max(members, s.From+1, s.To+1)
	}
	kinds := []partition.Kind{partition.Expanded, partition.Deepened, partition.Left, partition.Expect, partition.GoOn, partition.Stop, partition.Batch}
	m.Kind = kinds[f.random.IntN(len(kinds))]
	m.From, m.To = partition.Home, f.random.IntN(members)
	switch m.Kind {
	case partition.Expanded, partition.Deepened, partition.Left:
		m.From, m.To = m.To, m.From
	case partition.Batch:
		m.From = f.random.IntN(members)
	}
	m.Number = f.next[[3]int{m.Round, m.From, m.To}]
	zeros := "[" + strings.Repeat("0,", members-1) + "0]"
	m.Body = map[partition.Kind][]byte{
		partition.Expanded: []byte(zeros), partition.Expect: fmt.Appendf(nil, `{"Batches":%s}`, zeros), partition.Deepened: []byte("{}"), partition.Left: []byte("{}"),
	}[m.Kind]
	for _, s := range f.seen {
		if s.Kind == m.Kind && s.From == m.From && f.random.IntN(2) == 0 {
			m.Body = s.Body
		}
	}
	return m
}

// deliver has a message arrive where it is to.
func (f *intruder) deliver(h *hub, m partition.Message) {
	f.kinds[m.Kind]++
	name := home
	if m.To != partition.Home {
		name = fmt.Sprint("member", m.To)
	}
	if _, ok := h.mail[name]; ok || name == home {
		h.mail[name] = append(h.mail[name], m)
	}
}

// invent makes a message like one that is about to be sent, or that was sent before.
func (f *intruder) invent(m partition.Message) partition.Message {
	pick := func(n ...int) int { return n[f.random.IntN(len(n))] }
	switch f.random.IntN(5) {
	case 0:
		m = f.seen[f.random.IntN(len(f.seen))] // once more, or to another process
	case 1:
		m.Kind, m.Body = partition.Kind(f.random.IntN(int(partition.Get)+1)), f.body()
	case 2:
		m.From, m.Kind, m.Body = pick(-2, -1, 0, 1, 2, 99), partition.Kind(f.random.IntN(int(partition.Get)+1)), f.body()
	case 3:
		m.Body = f.body()
	case 4:
		m.Level += pick(-1, 1, 1<<20)
	}
	if f.random.IntN(2) == 0 {
		m.Number = f.next[[3]int{m.Round, m.From, m.To}] + pick(-1, 0, 0, 0, 1, 1<<20)
	}
	if f.random.IntN(8) == 0 {
		m.Round += pick(-1, 1, 1<<20)
	}
	return m
}

func (f *intruder) body() []byte {
	bodies := []string{
		"", "0", "null", "[]", "{}", "[0]", "[0,0]", "[0,0,0]", "[-1,1]", `[9223372036854775807]`, "\x00", "member0", "member1", "[\"member0\"]",
		`{"Batches":[0,0,0,0,0]}`, `{"Batches":[-1]}`, `{"Batches":[]}`, `{"Next":0}`, `{"Next":0,"Tally":{"states":0},"Account":{"Sent":[{},{}],"Received":[{},{}]}}`,
		`{"Self":0,"Members":[]}`, `{"Self":7,"Members":["member0"],"Base":-1}`, `{"Self":0,"Members":["member0"],"Base":3,"Kept":[{"Pieces":-1,"Level":3}]}`,
		`{"Reason":"it is over"}`, `{"Problem":{"Text":"it failed"}}`, `{"Violation":{"Length":0,"Last":{"Member":5,"Place":9}}}`,
		`{"Violation":{"Length":3,"Reached":["AAAA"]}}`, `{"Kept":[{"Pieces":1000000000}]}`,
	}
	return []byte(bodies[f.random.IntN(len(bodies))])
}

// garble changes the bytes of one in four messages.
func (f *intruder) garble(b []byte) []byte {
	switch f.random.IntN(12) {
	case 0:
		return nil
	case 1:
		return b[:f.random.IntN(len(b))]
	case 2:
		b[f.random.IntN(len(b))] ^= 1 << f.random.IntN(8)
	}
	return b
}

// TestForeignMessages has messages arrive that no process of a search has sent, of all kinds and at any moment: the search comes to what one
// process comes to, or to no verdict, for a reason that it tells.
func TestForeignMessages(t *testing.T) {
	kinds, verdicts, refused := map[partition.Kind]int{}, 0, 0
	for seed := range uint64(30 * *programs) {
		p := toy.Conversations(seed%7 + *seed0)
		if seed%2 == 0 {
			p = toy.Messages.Random(seed%9 + *seed0)
		}
		s := subject{Oracle: p, d: p.Decomposition(space.Selective), macro: seed%3 == 0}
		o := dbss.Options{KeepGoing: seed%4 > 0, MaxStates: mostStates}
		_, want, err := s.alone(t, o)
		if err != nil || want.Reason != "" {
			continue
		}
		h := newHub(seed, seed%5 == 0)
		h.intruder = &intruder{rand.New(rand.NewPCG(seed, 2)), 1 + int(seed*13)%70, nil, map[[3]int]int{}, kinds, seed%3 == 1}
		synctest.Test(t, func(t *testing.T) {
			on, got, err := s.together(t, o, 2+int(seed%2), h)
			switch {
			case err != nil:
				t.Fatalf("seed %d: the error is %v", seed, err)
			case got.Violation != nil:
				if problem := replayed.Problem(s.Oracle, on.actors, got.Violation); problem != "" || want.Violation == nil {
					t.Fatalf("seed %d: the violation is none: %s", seed, problem)
				}
			case got.Complete:
				verdicts++
				if one, other := figures(got), figures(want); one != other || want.Violation != nil {
					t.Fatalf("seed %d: it is complete with\n%s\nalone\n%s", seed, one, other)
				}
			case got.Reason == "":
				t.Fatalf("seed %d: there is no verdict, and no reason", seed)
			default:
				refused++
			}
		})
	}
	for kind := range partition.Get {
		if kinds[kind] == 0 {
			t.Errorf("no message of kind %d was foreign", kind)
		}
	}
	if verdicts == 0 || refused == 0 {
		t.Errorf("%d searches are complete, %d come to no verdict", verdicts, refused)
	}
}

// TestMembersThatFail has a member fail in some rounds, as if its Java had ended: the search goes on, and ends without a verdict if the member
// fails each time.
func TestMembersThatFail(t *testing.T) {
	p := toy.Conversations(1)
	s := subject{Oracle: p, d: p.Decomposition(space.Selective)}
	h := newHub(0, false)
	h.fails = func(member, round int) error {
		if member == 1 && round <= 2 {
			return errors.New("the process that runs Java has ended")
		}
		return nil
	}
	if problem := s.problem(t, 3, h); problem != "" {
		t.Error(problem)
	}
	h.fails = func(member, _ int) error {
		if member == 1 {
			return errors.New("the process that runs Java has ended")
		}
		return nil
	}
	_, r, err := s.together(t, dbss.Options{}, 3, h)
	must.Do(err)
	const want = "workers that share the search fail again and again, the last one so: the process that runs Java has ended"
	if r.Complete || r.Reason != want {
		t.Errorf("it is complete %v, for the reason %q", r.Complete, r.Reason)
	}
}

// TestNobodyIsNoProof has no worker share a search.
func TestNobodyIsNoProof(t *testing.T) {
	p := toy.Conversations(0)
	h := newHub(0, false)
	h.intruder = nil
	s := subject{Oracle: p, d: p.Decomposition(space.Selective)}
	_, r, err := s.together(t, dbss.Options{}, 0, h)
	must.Do(err)
	if r.Complete || r.Reason == "" || r.States != 0 {
		t.Errorf("it is complete %v, for the reason %q", r.Complete, r.Reason)
	}
	c := &partition.Coordinator{CoordinatorTransport: empty{&seat{hub: h, name: home}}}
	g := s.grounds(t, false)
	c.Values = g.actors.Values
	r, err = c.Search(t.Context(), g.system, g.checker, g.options(dbss.Options{}), &dbss.Progress{})
	must.Do(err)
	if r.Complete || r.Reason == "" {
		t.Errorf("it is complete %v, for the reason %q", r.Complete, r.Reason)
	}
}

// empty is a transport that says that nobody may be a member.
type empty struct{ *seat }

func (empty) Join(context.Context) ([]string, error) { return nil, nil }
