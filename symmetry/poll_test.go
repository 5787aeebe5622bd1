package symmetry_test

import (
	"context"
	"slices"
	"strings"

	"harrier/model"
	"harrier/serializer"
)

// poll is a program in structured bytes: voters vote once, by themselves; a box collects the names of those who did, and
// tells them when it has two. The history has who voted. Its parts can be replaced by ones that tell voters apart.
type poll struct {
	voters int
	vote   func(voter string) string                    // the payload; "yes" if nil
	tell   func(votes []string) (told []string)         // who is told of two votes; the voters who voted if nil
	quorum func(votes []string) []model.Quorum          // of the box
	holds  func(told []string, votes []string) bool     // a property of who was told, and of the box
	reads  func(names []string, told []string) []string // whom the property reads; all voters and the box if nil
	past   func(voted []string) bool                    // more of the property: of the history
	fails  func(told []string) bool                     // whether evaluating it fails where it does not hold
}

func (p *poll) names() []string {
	names := []string{"v1", "v2", "v3", "v4"}
	return names[:p.voters]
}

func name(text string) serializer.Value { return serializer.Value{Kind: serializer.Name, Text: text} }

func (p *poll) voter(name, state string) model.Actor {
	v := serializer.Value{Kind: serializer.Actor, Text: name, ClassName: "Voter",
		Fields: []serializer.Field{{Name: "state", Value: serializer.Value{Kind: serializer.String, Text: state}}}}
	return model.Actor{Name: name, Class: "Voter", Local: serializer.Encode(v), Acts: state == "idle"}
}

// set is a set of names.
func set(names []string) serializer.Value {
	v := serializer.Value{Kind: serializer.ImmutableSet}
	for _, n := range slices.Sorted(slices.Values(names)) {
		v.Elements = append(v.Elements, name(n))
	}
	return v
}

func namesIn(set serializer.Value) (names []string) {
	for _, e := range set.Elements {
		names = append(names, e.Text)
	}
	return names
}

func (p *poll) box(votes []string) model.Actor {
	v := serializer.Value{Kind: serializer.Actor, Text: "box", ClassName: "Box", Fields: []serializer.Field{{Name: "votes", Value: set(votes)}}}
	return model.Actor{Name: "box", Class: "Box", Local: serializer.Encode(v)}
}

func (p *poll) Program() *model.Program {
	facts := &model.Program{Scenario: "poll", Roles: []model.Role{{Name: "v", Actors: p.names()}}}
	for _, n := range p.names() {
		facts.Initial.Actors = append(facts.Initial.Actors, p.voter(n, "idle"))
	}
	facts.Initial.Actors = append(facts.Initial.Actors, p.box(nil))
	for _, label := range []string{"Voter.vote", "Voter.on(Told)", "Box.on(Vote)"} {
		facts.Handlers = append(facts.Handlers, model.Handler{Class: label[:strings.Index(label, ".")], Label: label})
	}
	facts.Handlers = append(facts.Handlers, model.Handler{Class: "Box", Label: "Box.on(Set<Vote>)", Quorum: true})
	if p.holds != nil {
		facts.Properties = []model.Property{{Name: "fair"}}
	}
	return facts
}

func (p *poll) Steps(_ context.Context, questions []model.Question) ([]model.Answer, error) {
	answers := make([]model.Answer, len(questions))
	for i, q := range questions {
		v, err := serializer.Decode(q.Local)
		if err != nil {
			return nil, err
		}
		if v.Text == "box" {
			answers[i] = p.count(votesOf(v), q.Event.Messages)
		} else {
			answers[i] = p.act(v.Text, v.Fields[0].Value.Text, q.Event)
		}
	}
	return answers, nil
}

func (p *poll) act(name, state string, e model.Event) model.Answer {
	if e.Kind == model.Receive {
		return model.Answer{Outcomes: []model.Outcome{{Handler: "Voter.on(Told)", Local: p.voter(name, "told").Local}}}
	}
	if state != "idle" {
		return model.Answer{}
	}
	payload := "yes"
	if p.vote != nil {
		payload = p.vote(name)
	}
	vote := model.Message{Sender: name, Receiver: "box", Payload: serializer.Encode(serializer.Value{Kind: serializer.String, Text: payload})}
	fired := serializer.Encode(serializer.Value{Kind: serializer.Name, Text: name})
	return model.Answer{Outcomes: []model.Outcome{{Handler: "Voter.vote", Local: p.voter(name, "voted").Local, Sends: []model.Message{vote},
		Fired: fired, Records: []model.Record{{Actor: name, Payload: fired}}}}}
}

func (p *poll) count(votes []string, messages []model.Message) model.Answer {
	for _, m := range messages {
		votes = append(votes, m.Sender)
	}
	slices.Sort(votes)
	o := model.Outcome{Handler: "Box.on(Vote)", Local: p.box(votes).Local}
	if len(votes) == 2 {
		told := votes
		if p.tell != nil {
			told = p.tell(votes)
		}
		for _, t := range told {
			o.Sends = append(o.Sends, model.Message{Sender: "box", Receiver: t, Payload: serializer.Encode(set(votes))})
		}
	}
	a := model.Answer{Outcomes: []model.Outcome{o}}
	if p.quorum != nil && len(messages) == 1 {
		a.Quorums = p.quorum(votes)
	}
	return a
}

func votesOf(box serializer.Value) []string { return namesIn(box.Fields[0].Value) }

func (p *poll) Evaluate(_ context.Context, evaluations []model.Evaluation) ([]model.Judgement, error) {
	judgements := make([]model.Judgement, len(evaluations))
	for i, e := range evaluations {
		var told, votes, names []string
		for _, a := range e.Actors {
			v, err := serializer.Decode(a.Local)
			if err != nil {
				return nil, err
			}
			names = append(names, a.Name)
			if a.Name == "box" {
				votes = votesOf(v)
			} else if v.Fields[0].Value.Text == "told" {
				told = append(told, a.Name)
			}
		}
		slices.Sort(told)
		read := names
		if p.reads != nil {
			read = p.reads(names, told)
		}
		voted, err := voters(e.History)
		if err != nil {
			return nil, err
		}
		isUnknown := func(name string) bool { return !slices.Contains(voted, name) }
		judgements[i].Holds = p.holds(told, votes) && !slices.ContainsFunc(votes, isUnknown) && (p.past == nil || p.past(voted))
		if !judgements[i].Holds && p.fails != nil && p.fails(told) {
			judgements[i].Failure = &model.Failure{Kind: "exception", Text: "no"}
		}
		judgements[i].Reads = []int{model.ReadHistory}
		for _, r := range read {
			judgements[i].Reads = append(judgements[i].Reads, slices.Index(names, r))
		}
	}
	return judgements, nil
}

// voters are those in a history.
func voters(history []byte) ([]string, error) {
	if len(history) == 0 {
		return nil, nil
	}
	v, err := serializer.Decode(history)
	return namesIn(v), err
}

func (p *poll) Record(_ context.Context, extensions []model.Extension) ([][]byte, error) {
	var histories [][]byte
	for _, e := range extensions {
		voted, err := voters(e.History)
		if err != nil {
			return nil, err
		}
		histories = append(histories, serializer.Encode(set(append(voted, e.Records[0].Actor))))
	}
	return histories, nil
}
