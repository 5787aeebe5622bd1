package explore

import (
	"context"
	"fmt"
	"slices"

	"github.com/dustin/go-humanize"

	"harrier/internal/model"
	"harrier/internal/report"
	"harrier/internal/report/picture"
)

// Request is a request of the page.
type Request struct {
	Do    string `json:"do"`    // look, take, search, save or run; stop and progress do not wait for the others
	Node  int    `json:"node"`  // where; -1 for the last one
	Event int    `json:"event"` // of take: which of those that are enabled
	Have  int    `json:"have"`  // how many nodes the page knows
}

// Answer is the answer to it.
type Answer struct {
	Error    string        `json:"error,omitempty"`
	Text     string        `json:"text,omitempty"` // the result of a search or of saving, or the progress of the search
	View     *View         `json:"view,omitempty"`
	First    int           `json:"first"`          // the node of the first of Rows
	Rows     []Row         `json:"rows,omitempty"` // nodes that the page does not know, or knows by texts that have changed
	Run      *report.Trace `json:"run,omitempty"`  // the run to the node
	Scenario string        `json:"scenario,omitempty"`
	Settings []string      `json:"settings,omitempty"` // parameters
}

// Row is a node of the tree.
type Row struct {
	Parent   int    `json:"parent"`
	Text     string `json:"text"`
	Fault    bool   `json:"fault,omitempty"`
	Violated bool   `json:"violated,omitempty"`
	Terminal bool   `json:"terminal,omitempty"`
	Same     int    `json:"same"` // the first node with the same state
}

// View is a node with all that is shown of it.
type View struct {
	Node     int             `json:"node"`
	Step     *picture.Detail `json:"step,omitempty"` // that leads there
	Violated []string        `json:"violated"`
	Terminal bool            `json:"terminal"`
	History  string          `json:"history,omitempty"`
	Actors   []Actor         `json:"actors"`
	Events   []Event         `json:"events"` // that are enabled
}

// Actor is an actor in a state.
type Actor struct {
	Name    string   `json:"name"`
	Text    string   `json:"text"` // its local state
	Changed bool     `json:"changed"`
	Inbox   []string `json:"inbox"` // messages in flight to it, or delivered and not consumed
}

// Event is an enabled event, with its effects.
type Event struct {
	picture.Detail
	Fault bool `json:"fault"`
	Fails bool `json:"fails"`
	Node  int  `json:"node"` // that it leads to if it was taken before, else -1
}

// Do answers a request, errors included.
func (s *Session) Do(ctx context.Context, q *Request, a *Answer) {
	switch q.Do {
	case "stop":
		s.stop()
		return
	case "progress":
		if s.searching.Load() != nil {
			a.Text = humanize.Comma(int64(s.progress.States.Load())) + " macro states searched"
		}
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.answer(ctx, q, a); err != nil {
		a.Error = report.Plain(err.Error())
	}
}

func (s *Session) answer(ctx context.Context, q *Request, a *Answer) (err error) {
	at := q.Node
	if at == -1 {
		at = len(s.nodes) - 1
	}
	if at < 0 || at >= len(s.nodes) {
		return fmt.Errorf("there is no state %d", at)
	}
	switch q.Do {
	case "look":
	case "take":
		if q.Event < 0 || q.Event >= len(s.nodes[at].enabled) {
			return fmt.Errorf("there is no event %d in state %d", q.Event, at)
		}
		at, err = s.take(ctx, at, s.nodes[at].enabled[q.Event])
	case "search":
		at, a.Text, err = s.search(ctx, at)
	case "save":
		a.Text, err = s.save(ctx, at)
	case "run":
		a.Run = s.run(at)
		return nil
	default:
		err = fmt.Errorf("there is no request %q", q.Do)
	}
	if err != nil {
		return err
	}
	program := s.oracle.Program()
	a.Scenario = report.Plain(program.Scenario)
	for _, p := range program.Parameters {
		a.Settings = append(a.Settings, report.Plain(p.Name+"="+p.Value))
	}
	if a.View, err = s.view(ctx, at); err != nil {
		return err
	}
	a.First = max(0, q.Have)
	a.Rows = s.rows(a.First)
	if report.NoteUUIDs(&s.uuids, *a) && a.First > 0 {
		a.First, a.Rows = 0, s.rows(0)
	}
	a.View, a.Rows = report.CutUUIDs(&s.uuids, a.View), report.CutUUIDs(&s.uuids, a.Rows)
	if q.Do == "search" { // the text of save has a path
		a.Text = report.CutUUIDs(&s.uuids, a.Text)
	}
	return nil
}

// rows are the nodes from one on.
func (s *Session) rows(first int) []Row {
	var rows []Row
	for n := first; n < len(s.nodes); n++ {
		rows = append(rows, s.row(n))
	}
	return rows
}

func (s *Session) row(number int) Row {
	n := &s.nodes[number]
	r := Row{Parent: n.parent, Text: "start", Violated: len(n.violated) > 0, Terminal: n.terminal, Same: number}
	if n.parent >= 0 {
		r.Text, r.Fault = n.step.EventText(), s.isFault(s.nodes[n.parent].state, n.by)
	}
	if !n.failed {
		r.Same = s.first[n.run.Digest()]
	}
	return r
}

func (s *Session) isFault(in model.State, t model.Transition) bool {
	return s.actors.Facts(in, t).Fault != 0
}

// run is the run to a node as a trace, as far as it is shown.
func (s *Session) run(at int) *report.Trace {
	t := *s.start
	for _, n := range s.path(at) {
		step := s.nodes[n].step
		step.Receives = slices.Clone(step.Receives) // other runs may lead through the node
		t.Steps = append(t.Steps, step)
	}
	t.NoteSendings()
	if v := s.nodes[at].violated; len(v) > 0 {
		t.Violation, t.Loop = v[0].Violation, v[0].found.Loop
	}
	return &t
}

func (s *Session) view(ctx context.Context, number int) (*View, error) {
	n := &s.nodes[number]
	v := &View{Node: number, Terminal: n.terminal, Violated: []string{}, Actors: []Actor{}, Events: []Event{}}
	if n.parent >= 0 {
		v.Step = detail(n.step)
	}
	for _, of := range n.violated {
		v.Violated = append(v.Violated, report.Plain(of.Message))
	}
	if err := s.viewState(ctx, n, v); err != nil {
		return nil, err
	}
	for _, t := range n.enabled {
		_, step, err := s.execute(ctx, n, t)
		if err != nil {
			return nil, err
		}
		to, ok := s.children[edge{number, t}]
		if !ok {
			to = -1
		}
		v.Events = append(v.Events, Event{*detail(step), s.isFault(n.state, t), step.Failure != nil, to})
	}
	return v, nil
}

// detail describes a step without the states that it leads to.
func detail(step report.Step) *picture.Detail {
	d := picture.NewDetail(step)
	d.States = nil
	return &d
}

// viewState describes the actors with the messages in flight to them, and the history.
func (s *Session) viewState(ctx context.Context, n *node, v *View) error {
	changed := map[string]bool{}
	for _, state := range n.step.States {
		changed[state.Actor] = true
	}
	at := map[string]int{}
	add := func(name, text string) {
		at[name] = len(v.Actors)
		v.Actors = append(v.Actors, Actor{Name: report.Plain(name), Text: text, Changed: changed[report.Plain(name)], Inbox: []string{}})
	}
	for _, a := range n.run.Actors() {
		text, err := s.text(ctx, a.Local)
		if err != nil {
			return err
		}
		add(a.Name, text)
	}
	for _, m := range n.run.Pending() {
		text, err := s.text(ctx, m.Payload)
		if err != nil {
			return err
		}
		if _, ok := at[m.Receiver]; !ok {
			add(m.Receiver, "there is no such actor yet")
		}
		if m.Sender != "" {
			text += " from " + report.Plain(m.Sender)
		}
		to := &v.Actors[at[m.Receiver]]
		to.Inbox = append(to.Inbox, text)
	}
	if h := n.run.History(); len(h) > 0 {
		var err error
		v.History, err = s.text(ctx, h)
		return err
	}
	return nil
}

func (s *Session) text(ctx context.Context, b []byte) (string, error) {
	text, err := report.Content(ctx, s.oracle.Program(), b)
	return report.Plain(text), err
}
