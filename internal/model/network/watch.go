package network

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// Payloads that are no messages of a program. No structured bytes begin so.
var (
	watch   = []byte{0xff}
	unwatch = []byte{0xfe}
	notice  = []byte{0xfd}
	closed  = []byte{0xfc}
	opened  = []byte{0xfb}
)

// Watch is a request of an actor, among what it sends, to be told when another one goes; Unwatch takes that back.
func Watch(by, of string) Message   { return Message{Sender: by, Receiver: of, Payload: watch} }
func Unwatch(by, of string) Message { return Message{Sender: by, Receiver: of, Payload: unwatch} }

// Notice tells an actor that another one has gone. It is as a message from that one, and comes after the last of its messages.
func Notice(to, of string) Message { return Message{Sender: of, Receiver: to, Payload: notice} }

// IsRequest reports whether a message is none, but a Watch or an Unwatch; IsWatch, whether it is the former; IsNotice, whether an actor takes it
// as one that has gone: a Notice or a Closed.
func (m Message) IsRequest() bool { return m.IsWatch() || bytes.Equal(m.Payload, unwatch) }
func (m Message) IsWatch() bool   { return bytes.Equal(m.Payload, watch) }
func (m Message) IsNotice() bool  { return bytes.Equal(m.Payload, notice) || m.IsClosed() }

// IsOfNetwork reports whether a payload is that of no message of a program.
func IsOfNetwork(payload []byte) bool { return len(payload) == 1 && payload[0] >= opened[0] }

// Requests divides what actors send into messages and requests.
func Requests(sends []Message) (messages, requests []Message) {
	if !slices.ContainsFunc(sends, Message.IsRequest) {
		return sends, nil
	}
	for _, m := range sends {
		if m.IsRequest() {
			requests = append(requests, m)
		} else {
			messages = append(messages, m)
		}
	}
	return messages, requests
}

// Watched is the sorted list of those whom an actor watches after its requests among some.
func Watched(before []string, by string, requests []Message) []string {
	after := slices.Clone(before)
	for _, r := range requests {
		if r.Sender != by || r.Receiver == by {
			continue
		}
		after = slices.DeleteFunc(after, func(name string) bool { return name == r.Receiver })
		if r.IsWatch() {
			after = append(after, r.Receiver)
		}
	}
	slices.Sort(after)
	return after
}

// A Link is that an actor watches another one, which has gone since if the notice is Due. With no By it is that an actor is away: it is
// down, or has stopped.
type Link struct {
	By  string `json:"by,omitempty"`
	Of  string `json:"of"`
	Due bool   `json:"due,omitempty"`
}

// Links are sorted.
type Links []Link

func (l Links) has(link Link) bool { return slices.Contains(l, link) }

// IsDue reports whether an actor is to be told that another one has gone.
func (l Links) IsDue(by, of string) bool { return l.has(Link{by, of, true}) }

// Sorted puts links in their order.
func (l Links) Sorted() Links {
	slices.SortFunc(l, func(a, b Link) int { return cmp.Or(strings.Compare(a.By, b.By), strings.Compare(a.Of, b.Of)) })
	return l
}

// A LinkChange is what a step does to links, and what it needs of them.
type LinkChange struct {
	Actor    string // that takes the step
	Told     string // of whom it gets the notice; "" for none
	Goes     bool   // it crashes or stops
	Away     bool   // and is not back after the step
	Returns  bool   // it starts again after it was down
	Requests []Message
}

// LinkChange is that of an event of an actor, after which the actor has stopped or has not.
func (n *Network) LinkChange(k EventKind, actor string, messages []Message, stopped bool, requests []Message) LinkChange {
	c := LinkChange{Actor: actor, Requests: requests, Goes: stopped || k.IsCrash(), Returns: k == Recover}
	c.Away = c.Goes && (stopped || k != Restart && k != RestartWithin)
	if k == Notify {
		c.Told = messages[0].Sender
	}
	return c
}

// IsNone reports whether a change needs nothing and does nothing.
func (c LinkChange) IsNone() bool {
	return c.Told == "" && !c.Goes && !c.Returns && len(c.Requests) == 0
}

// After is what links become by a change; not ok if a notice is not due.
func (l Links) After(c LinkChange) (after Links, ok bool) {
	after = slices.Clone(l)
	if c.Told != "" && !l.IsDue(c.Actor, c.Told) {
		return l, false
	}
	drop := func(is func(Link) bool) { after = slices.DeleteFunc(after, is) }
	drop(func(k Link) bool { return k.By == c.Actor && (c.Goes || k.Of == c.Told) })
	if c.Returns {
		drop(func(k Link) bool { return k == Link{Of: c.Actor} })
	}
	for i := range after {
		if c.Goes && after[i].By != "" && after[i].Of == c.Actor {
			after[i].Due = true
		}
	}
	if c.Away && !after.has(Link{Of: c.Actor}) {
		after = append(after, Link{Of: c.Actor})
	}
	for _, r := range c.Requests {
		if r.Sender == r.Receiver || c.Away && r.Sender == c.Actor {
			continue
		}
		is := func(k Link) bool { return k.By == r.Sender && k.Of == r.Receiver }
		if !r.IsWatch() {
			drop(is)
		} else if !slices.ContainsFunc(after, is) {
			after = append(after, Link{r.Sender, r.Receiver, after.has(Link{Of: r.Receiver})})
		}
	}
	return after.Sorted(), true
}
