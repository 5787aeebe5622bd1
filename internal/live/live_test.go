package live

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"harrier/internal/model"
	"harrier/internal/model/network"
	"harrier/internal/testkit/must"
	"harrier/serializer"
)

// A ring passes tokens on: an actor with one hands it to the next by itself.
type ring struct{ facts *model.Program }

func newRing(size int) ring {
	r := ring{&model.Program{Scenario: "ring"}}
	for i := range size {
		r.facts.Initial.Actors = append(r.facts.Initial.Actors, member(i, 0))
	}
	r.facts.Initial.Messages = []model.Message{{Receiver: "member0", Payload: token}}
	return r
}

var token = serializer.Encode(serializer.Value{Kind: serializer.String, Text: "token"})

var poison = serializer.Encode(serializer.Value{Kind: serializer.String, Text: "poison"})

func member(i, tokens int) model.Actor {
	state := serializer.Value{Kind: serializer.Actor, Text: fmt.Sprint("member", i), ClassName: "Member",
		Fields: []serializer.Field{{Name: "tokens", Value: serializer.Value{Kind: serializer.Int, Int: int64(tokens)}}}}
	return model.Actor{Name: state.Text, Class: "Member", Local: serializer.Encode(state), Acts: tokens > 0}
}

func tokens(a model.Actor) int {
	state, _ := serializer.Decode(a.Local)
	return int(state.Fields[0].Value.Int)
}

func (r ring) Program() *model.Program { return r.facts }

func (r ring) Steps(_ context.Context, questions []model.Question) ([]model.Answer, error) {
	var answers []model.Answer
	for _, q := range questions {
		state, err := serializer.Decode(q.Local)
		if err != nil {
			return nil, err
		}
		var i int
		fmt.Sscanf(state.Text, "member%d", &i)
		has := int(state.Fields[0].Value.Int)
		o := model.Outcome{Handler: "take"}
		switch {
		case q.Event.Kind == model.Internal && has == 0:
			answers = append(answers, model.Answer{})
			continue
		case q.Event.Kind == model.Internal:
			has--
			next := fmt.Sprint("member", (i+1)%len(r.facts.Initial.Actors))
			o = model.Outcome{Handler: "pass", Sends: []model.Message{{Sender: state.Text, Receiver: next, Payload: token}}}
		case bytes.Equal(q.Event.Messages[0].Payload, poison):
			o.Failure = &model.Failure{Kind: model.Exception, Text: "it is poison"}
		case !bytes.Equal(q.Event.Messages[0].Payload, token):
			return nil, &model.RuleError{Text: "no handler takes it"}
		default:
			has++
		}
		a := member(i, has)
		o.Local, o.Acts = a.Local, a.Acts
		answers = append(answers, model.Answer{Outcomes: []model.Outcome{o}})
	}
	return answers, nil
}

func (r ring) Evaluate(context.Context, []model.Evaluation) ([]model.Judgement, error) {
	return nil, nil
}
func (r ring) Record(context.Context, []model.Extension) ([][]byte, error) { return nil, nil }

// A started is a process with its relay.
type started struct {
	*Process
	opened Frame
	stop   func()
	told   []string // to be read once it has stopped
}

// start runs some actors until the test ends.
func start(t *testing.T, r ring, here []string, peers map[string]string, o Options) *started {
	t.Helper()
	s := &started{}
	toProcess, fromRelay := io.Pipe()
	toRelay, fromProcess := io.Pipe()
	relay := &Relay{Here: here, Peers: peers, Control: "127.0.0.1:0"}
	go relay.Serve(toRelay, fromRelay)
	frames, to := Frames(toProcess), json.NewEncoder(fromProcess)
	var all []string
	for _, a := range r.facts.Initial.Actors {
		all = append(all, a.Name)
	}
	must.Do(to.Encode(Frame{Names: all}))
	if s.opened = <-frames; s.opened.Error != "" {
		t.Fatal(s.opened.Error)
	}
	var names []string
	for name := range s.opened.Addresses {
		names = append(names, name)
	}
	o.Tell = func(line string) { s.told = append(s.told, line) }
	var err error
	if s.Process, err = NewProcess(r, names, func(f Frame) error { return to.Encode(f) }, o); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- s.Run(ctx, frames) }()
	s.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		toRelay.Close()
		fromProcess.Close()
	})
	t.Cleanup(s.stop)
	return s
}

// free are addresses where nobody listens.
func free(t *testing.T, names ...string) map[string]string {
	t.Helper()
	peers := map[string]string{}
	for _, name := range names {
		c := must.Get(net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)}))
		defer c.Close()
		peers[name] = c.LocalAddr().String()
	}
	return peers
}

// TestSnapshotsAreConsistent takes snapshots of three processes between which a token travels all the time: no snapshot has two.
func TestSnapshotsAreConsistent(t *testing.T) {
	r := newRing(3)
	peers := free(t, "member0", "member1", "member2")
	var all []*started
	for i := 2; i >= 0; i-- { // the first has the token, and the others are to be there
		all = append(all, start(t, r, []string{fmt.Sprint("member", i)}, peers, Options{Seed: uint64(i)}))
	}
	var ports []string
	for _, s := range all {
		ports = append(ports, s.opened.Control)
	}
	seen := 0
	for number := uint64(1); seen < 20; number++ {
		s, gone := Take(ports, number)
		if len(gone) > 0 || s.Of(r.facts) != nil {
			t.Fatal(s, gone)
		}
		has := len(s.Messages)
		for _, a := range s.Actors {
			has += tokens(a)
		}
		if has > 1 {
			t.Fatalf("snapshot %d has %d tokens: %+v", number, has, s)
		}
		seen += has
	}
	// A process that asks for a checkpoint long gone is told so.
	for number := uint64(1 << 40); number < 1<<40+mostKept+1; number++ {
		must.Get(ask(all[0].opened.Control, number))
	}
	if late, err := ask(all[0].opened.Control, 1<<40); err != nil || !late.Late || late.Number != 1<<40+mostKept {
		t.Errorf("%+v, %v", late, err)
	}
}

// TestCheckpointsComeBeforeMessages has a token leave after its sender's checkpoint and arrive before its receiver is asked for one.
func TestCheckpointsComeBeforeMessages(t *testing.T) {
	r := newRing(2)
	var sent []Frame
	process := func(name string) *Process {
		p := must.Get(NewProcess(r, []string{name}, func(f Frame) error { sent = append(sent, f); return nil }, Options{}))
		return p
	}
	a, b := process("member0"), process("member1")
	step := func(p *Process) {
		must.Get(p.step(t.Context()))
	}
	step(a)
	before := a.answer(1, a.now)
	step(a)
	if tokens(before.Actors[0]) != 1 || len(sent) != 1 {
		t.Fatalf("%+v, sent %+v", before, sent)
	}
	must.Do(b.take(sent[0]))
	step(b)
	if after := b.answer(1, b.now); tokens(after.Actors[0]) != 0 || len(after.Messages) != 0 {
		t.Errorf("a second token: %+v", after)
	}
	if now := b.answer(2, b.now); tokens(now.Actors[0]) != 1 {
		t.Errorf("no token: %+v", now)
	}
}

// TestAllAreAskedForOneCheckpoint asks processes of which one has come further than the other.
func TestAllAreAskedForOneCheckpoint(t *testing.T) {
	r := newRing(2)
	r.facts.Initial.Messages = nil
	peers := free(t, "member0", "member1")
	var ports []string
	for name := range peers {
		ports = append(ports, start(t, r, []string{name}, peers, Options{}).opened.Control)
	}
	asked := func(port string, number uint64) uint64 {
		s := must.Get(ask(port, number))
		return s.Number
	}
	asked(ports[0], 1)
	asked(ports[0], 5)
	if s, gone := Take(append(ports, "127.0.0.1:1"), 1); s == nil || s.Number != 5 || len(s.Actors) != 2 || len(gone) != 1 || asked(ports[1], 1) != 1 {
		t.Errorf("%+v, gone: %v", s, gone)
	}
	for number := range uint64(mostKept + 1) {
		asked(ports[0], 10+number)
	}
	if s, gone := Take(ports, 1); s == nil || len(gone) > 0 || s.Number <= 10+mostKept {
		t.Errorf("%+v, gone: %v", s, gone)
	}
	// The highest number would be the last.
	if s, err := ask(ports[0], math.MaxUint64); err == nil {
		t.Errorf("a number that nobody has counted to is taken: %+v", s)
	}
	if s, gone := Take(ports, 30); s == nil || len(gone) > 0 || s.Number != 30 {
		t.Errorf("%+v, gone: %v", s, gone)
	}
}

// TestMessagesGetLost loses messages sent, messages that came too late, and the actor whose handler fails.
func TestMessagesGetLost(t *testing.T) {
	r := newRing(2)
	p, err := NewProcess(r, []string{"member0", "member1"}, func(f Frame) error { return fmt.Errorf("sent %+v", f) },
		Options{Drop: 1, Tell: func(string) {}})
	if err != nil {
		t.Fatal(err)
	}
	take := func(ordinal uint64, payload []byte) {
		b, err := datagram{ordinal: ordinal, Message: model.Message{Sender: "member0", Receiver: "member1", Payload: payload}}.write()
		if err == nil {
			err = p.take(Frame{From: "member0", To: "member1", Datagram: b})
		}
		for range 2 {
			if _, e := p.step(t.Context()); e != nil || err != nil {
				t.Fatal(err, e)
			}
		}
	}
	take(2, token) // both pass their token on
	if p.Sent != 2 || p.Dropped != 2 {
		t.Errorf("%+v", p.Counts)
	}
	take(1, token)
	if p.Sent != 2 || p.Dropped != 3 {
		t.Errorf("after a late one: %+v", p.Counts)
	}
	take(3, poison)
	if now := p.now(); p.Failed != 1 || len(now.Actors) != 1 || now.Actors[0].Name != "member0" {
		t.Errorf("%+v, %+v", p.Counts, now)
	}
	take(4, token) // to nobody
}

// TestOrderWithoutLossIsRefused has channels that keep order: messages behind one that is lost would come too early.
func TestOrderWithoutLossIsRefused(t *testing.T) {
	r := newRing(2)
	r.facts.Channels = []network.Declared{{Channel: network.FIFO, To: model.Scope{Names: []string{"member1"}}}}
	loss := model.Fault{Kind: model.Lose, Scope: model.Scope{All: true}}
	for budget, refused := range map[int]bool{0: true, 1: true, model.Unbounded: false} {
		loss.Budget = budget
		r.facts.Faults = []model.Fault{loss}
		if _, err := NewProcess(r, nil, nil, Options{}); (err != nil) != refused {
			t.Errorf("budget %d: %v", budget, err)
		}
	}
}

func TestTimersTakeAsLongAsTheySay(t *testing.T) {
	text := func(s string) serializer.Value { return serializer.Value{Kind: serializer.String, Text: s} }
	long := func(n time.Duration) serializer.Value { return serializer.Value{Kind: serializer.Long, Int: int64(n)} }
	timer := func(what string, least, most time.Duration) serializer.Value {
		return serializer.Value{Kind: serializer.Record, ClassName: "harrier.host.Agenda$Delayed", Fields: []serializer.Field{
			{Name: "what", Value: text(what)}, {Name: "min", Value: long(least)}, {Name: "max", Value: long(most)}}}
	}
	state := serializer.Value{Kind: serializer.Actor, Text: "a", ClassName: "A", Fields: []serializer.Field{{Name: serializer.AgendaTimers,
		Value: serializer.Value{Kind: serializer.List, ClassName: "java.util.ArrayList", Elements: []serializer.Value{
			timer("short", time.Second, time.Second), timer("long", time.Hour, 2*time.Hour), text("any")}}}}}
	a := &actor{Actor: model.Actor{Local: serializer.Encode(state)}}
	p := must.Get(NewProcess(newRing(0), nil, nil, Options{Delay: time.Millisecond}))
	for what, between := range map[string][2]time.Duration{
		"short": {time.Second, time.Second}, "long": {time.Hour, 2 * time.Hour}, "any": {0, time.Millisecond},
	} {
		if d := p.untilFiring(a, serializer.Encode(text(what))); d < between[0] || d > between[1] {
			t.Errorf("%s: %v", what, d)
		}
	}
}

// A watchdog is an actor that has a timer of three seconds, which each message to it sets anew, and each time that it fires.
type watchdog struct{ ring }

func (w watchdog) Steps(_ context.Context, questions []model.Question) ([]model.Answer, error) {
	var answers []model.Answer
	for _, q := range questions {
		o := model.Outcome{Handler: "fire", Local: q.Local, Acts: true, Fired: timeout}
		if q.Event.Kind == model.Receive {
			o = model.Outcome{Handler: "beat", Local: q.Local, Acts: true, Renewed: []model.PendingEvent{{Timer: timeout}}}
		}
		answers = append(answers, model.Answer{Outcomes: []model.Outcome{o}})
	}
	return answers, nil
}

var timeout = serializer.Encode(serializer.Value{Kind: serializer.String, Text: "timeout"})

// TestTimersSetAnewWaitAnew beats a watchdog every second, by a clock that stands still while somebody works.
func TestTimersSetAnewWaitAnew(t *testing.T) {
	timersSetAnewWaitAnew(t, 0, 10)
	timersSetAnewWaitAnew(t, 2500*time.Millisecond, 11)
}

// timersSetAnewWaitAnew demands so many steps in all of a run that goes on for some time after the last beat.
func timersSetAnewWaitAnew(t *testing.T, after time.Duration, want int) {
	synctest.Test(t, func(t *testing.T) {
		long := serializer.Value{Kind: serializer.Long, Int: int64(3 * time.Second)}
		state := serializer.Value{Kind: serializer.Actor, Text: "dog", ClassName: "Dog", Fields: []serializer.Field{{Name: serializer.AgendaTimers,
			Value: serializer.Value{Kind: serializer.List, ClassName: "java.util.ArrayList", Elements: []serializer.Value{
				{Kind: serializer.Record, ClassName: "harrier.host.Agenda$Delayed", Fields: []serializer.Field{
					{Name: "what", Value: serializer.Value{Kind: serializer.String, Text: "timeout"}}, {Name: "min", Value: long}, {Name: "max", Value: long}}}}}}}}
		w := watchdog{newRing(0)}
		w.facts.Initial = model.Initial{Actors: []model.Actor{{Name: "dog", Class: "Dog", Local: serializer.Encode(state), Acts: true}}}
		p := must.Get(NewProcess(w, []string{"dog"}, nil, Options{}))
		ctx, cancel := context.WithCancel(t.Context())
		in, ended := make(chan Frame), make(chan error)
		go func() { ended <- p.Run(ctx, in) }()
		for i := range uint64(10) {
			b := must.Get(datagram{ordinal: i + 1, Message: model.Message{Sender: "heart", Receiver: "dog", Payload: token}}.write())
			in <- Frame{From: "heart", To: "dog", Datagram: b}
			time.Sleep(time.Second)
		}
		time.Sleep(after)
		cancel()
		if err := <-ended; err != nil || p.Steps != want {
			t.Errorf("%v, %d steps, want %d", err, p.Steps, want)
		}
	})
}

// TestStrangersAreRefused sends a message that is not the program's, and one with a false sender.
func TestStrangersAreRefused(t *testing.T) {
	r := newRing(2)
	r.facts.Initial.Messages = nil
	peers := free(t, "member0", "member1")
	s := start(t, r, []string{"member0"}, peers, Options{})
	address, _ := net.ResolveUDPAddr("udp", peers["member1"])
	peer := must.Get(net.ListenUDP("udp", address))
	defer peer.Close()
	stranger := must.Get(net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)}))
	defer stranger.Close()
	ordinal := uint64(0)
	message := func(from, to string, payload []byte) []byte {
		ordinal++
		b := must.Get(datagram{ordinal: ordinal, Message: model.Message{Sender: from, Receiver: to, Payload: payload}}.write())
		return b
	}
	good := message("member1", "member0", token)
	to, _ := net.ResolveUDPAddr("udp", s.opened.Addresses["member0"])
	last := must.Get(datagram{number: math.MaxUint64, Message: model.Message{Sender: "member1", Receiver: "member0", Payload: token}}.write())
	sent := 0
	for socket, datagrams := range map[*net.UDPConn][][]byte{
		stranger: {good, message("", "member0", token)},
		peer: {
			last, {}, []byte(mark), []byte("hello"), good[:len(good)-1], append(bytes.Clone(good), 0),
			[]byte(mark + "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"), message("", "member0", token),
			message("member0", "member0", token), message("member1", "member1", token), message("member1", "member0", nil),
			message("member1", "member0", serializer.Encode(serializer.Value{Kind: serializer.Object, ClassName: "java.lang.Runtime"})),
		},
	} {
		for _, b := range datagrams {
			must.Get(socket.WriteToUDP(b, to))
			sent++
		}
	}
	must.Get(peer.WriteToUDP(message("member1", "member0", token), to))
	must.Do(peer.SetReadDeadline(time.Now().Add(time.Minute)))
	if _, _, err := peer.ReadFromUDP(make([]byte, mostBytes)); err != nil { // the good one is the last, and the token is passed on
		t.Fatal(err)
	}
	s.stop()
	if s.Refused != sent || s.Steps != 2 {
		t.Errorf("%d of %d refused, %d steps:\n%s", s.Refused, sent, s.Steps, strings.Join(s.told, "\n"))
	}
}

func TestSnapshotsOfOthersAreRefused(t *testing.T) {
	r := newRing(2)
	good := must.Get(json.Marshal(&Snapshot{Version: snapshotVersion, Scenario: "ring", Initial: r.facts.Initial}))
	for _, change := range [][2]string{
		{`"version":1`, `"version":2`}, {`"scenario":"ring"`, `"scenario":"other"`}, {`"name":"member0"`, `"name":"member1"`},
		{`"class":"Member"`, `"class":"Other"`}, {`"local":"`, `"local":"AA`}, {`"payload":"`, `"payload":"/w`}, {`}`, ``},
		{`"number":0`, `"number":18446744073709551615`},
	} {
		bad := strings.Replace(string(good), change[0], change[1], 1)
		s, err := readSnapshot(strings.NewReader(bad))
		if err == nil {
			err = s.Of(r.facts)
		}
		if err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
	if s, err := readSnapshot(bytes.NewReader(good)); err != nil || s.Of(r.facts) != nil {
		t.Error(err)
	}
}

// FuzzPeers reads datagrams and snapshots that anybody may have sent.
func FuzzPeers(f *testing.F) {
	whole := must.Get(datagram{3, 4, model.Message{Sender: "a", Receiver: "b", Payload: token}}.write())
	f.Add(whole)
	for _, cut := range []int{0, len(mark), len(mark) + 1, len(whole) - 1} {
		f.Add(whole[:cut])
	}
	f.Add([]byte(mark + "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Add(append([]byte(mark), 1, 1, 0xff, 0x07))
	snapshot := must.Get(json.Marshal(&Snapshot{Version: snapshotVersion, Initial: newRing(2).facts.Initial}))
	f.Add(snapshot)
	f.Add(snapshot[:len(snapshot)-2])
	f.Add([]byte("null"))
	f.Fuzz(func(t *testing.T, content []byte) {
		if d, err := readDatagram(content); err == nil && (len(d.Sender) > mostName || len(d.Receiver) > mostName) {
			t.Errorf("%q is read as %+v", content, d)
		}
		if s, err := readSnapshot(bytes.NewReader(content)); err == nil {
			_ = s.Of(newRing(2).facts)
			join([]*Snapshot{s, s})
		}
	})
}
