package symmetry_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"harrier/dbss"
	"harrier/model"
	"harrier/property"
	"harrier/serializer"
	"harrier/symmetry"
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
		judgements[i].Holds = p.holds(told, votes) && !slices.ContainsFunc(votes, isUnknown)
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

// all generate all permutations of the voters.
func (p *poll) all() []symmetry.Permutation {
	turn := symmetry.Permutation{}
	for i, n := range p.names() {
		turn[n] = p.names()[(i+1)%p.voters]
	}
	return []symmetry.Permutation{{"v1": "v2", "v2": "v1"}, turn}
}

// checked searches a poll and checks its steps.
func (p *poll) checked(t *testing.T, ctx context.Context, bound uint64) (symmetry.Checked, error) {
	t.Helper()
	actors, err := model.NewActors(p, model.Decomposition{})
	if err != nil {
		t.Fatal(err)
	}
	checker := property.NewChecker(p, actors)
	checker.Exchange(symmetry.Labels(p.all()))
	r, err := dbss.Search(context.Background(), actors, checker, dbss.Options{KeepGoing: true}, &dbss.Progress{})
	if err != nil || !r.Complete {
		t.Fatalf("the search: %+v, %v", r, err)
	}
	return symmetry.Check(ctx, actors, checker, p.all(), bound)
}

func TestSymmetricStepsPass(t *testing.T) {
	p := &poll{voters: 3, holds: func(told, votes []string) bool { return len(told) <= 2 || len(votes) < 2 }}
	checked, err := p.checked(t, context.Background(), 10_000)
	if err != nil || !checked.Complete() || checked.Steps != checked.KnownSteps || checked.Steps == 0 ||
		checked.Evaluations != checked.KnownEvaluations || checked.Evaluations == 0 {
		t.Errorf("%+v, %v", checked, err)
	}
}

func TestAsymmetricStepsAreFound(t *testing.T) {
	for _, c := range []struct {
		name string
		poll poll
		says string
	}{
		{"another message from one", poll{vote: func(v string) string {
			if v == "v3" {
				return "no"
			}
			return "yes"
		}}, "does different things in Voter.vote with "},
		{"the first name of a set is picked", poll{tell: func(votes []string) []string { return votes[:1] }},
			"box does different things in Box.on(Vote) with "},
		{"one is never told", poll{tell: func(votes []string) []string {
			return slices.DeleteFunc(slices.Clone(votes), func(v string) bool { return v == "v2" })
		}}, "box does different things in Box.on(Vote) with "},
		{"a quorum where one voted", poll{quorum: func(votes []string) []model.Quorum {
			if votes[0] == "v1" {
				return nil
			}
			return []model.Quorum{{Handler: "Box.on(Set<Vote>)", Size: 2}}
		}}, "box does different things in Box.on(Vote) with "},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.poll.voters = 3
			_, err := c.poll.checked(t, context.Background(), 10_000)
			var rule *model.RuleError
			if !errors.As(err, &rule) || !strings.Contains(rule.Text, c.says) || !strings.Contains(rule.Text, "--symmetry off") {
				t.Fatalf("%v", err)
			}
			if text := strings.Join(rule.Detail, "\n"); !strings.Contains(text, "it should be:") {
				t.Errorf("the detail is\n%s", text)
			}
		})
	}
}

// A search that is ended early asks for one pair of votes. The check takes the steps of the whole orbit.
func TestOrbitsAreClosed(t *testing.T) {
	pairs := map[string]bool{}
	p := &poll{voters: 3, tell: func(votes []string) []string {
		pairs[strings.Join(votes, " ")] = true
		return votes
	}}
	actors, err := model.NewActors(p, model.Decomposition{})
	if err != nil {
		t.Fatal(err)
	}
	checker := property.NewChecker(p, actors)
	if _, err := dbss.Search(context.Background(), actors, checker, dbss.Options{MaxStates: 4}, &dbss.Progress{}); err != nil {
		t.Fatal(err)
	}
	if len(pairs) != 1 {
		t.Fatalf("the search asked for %d pairs", len(pairs))
	}
	checked, err := symmetry.Check(context.Background(), actors, checker, p.all()[1:], 10_000)
	if err != nil || !checked.Complete() || len(pairs) != 3 {
		t.Errorf("%+v, %v, %d pairs", checked, err, len(pairs))
	}
}

// The order in which messages are sent means nothing, and neither does that of outcomes.
func TestOrderOfSendsIsNone(t *testing.T) {
	p := &poll{voters: 3, tell: func(votes []string) []string { return []string{votes[1], votes[0]} }}
	if checked, err := p.checked(t, context.Background(), 10_000); err != nil || !checked.Complete() {
		t.Errorf("%+v, %v", checked, err)
	}
}

func TestAsymmetricPropertiesAreFound(t *testing.T) {
	p := &poll{voters: 3, holds: func(told, _ []string) bool { return !slices.Contains(told, "v2") }}
	_, err := p.checked(t, context.Background(), 10_000)
	var rule *model.RuleError
	if !errors.As(err, &rule) || !strings.Contains(rule.Text, `the property "fair" says different things with `) {
		t.Errorf("%v", err)
	}
}

// A property that looks at one voter is evaluated with each state of that voter once. The states of the others, which
// it would read under other names, are gone through as well.
func TestPropertyThatReadsOneActorIsFound(t *testing.T) {
	evaluations := func(p *poll) uint64 {
		checked, err := p.checked(t, context.Background(), 10_000)
		if err != nil {
			t.Fatal(err)
		}
		return checked.KnownEvaluations
	}
	all := evaluations(&poll{voters: 3, holds: func([]string, []string) bool { return true },
		reads: func(names, _ []string) []string { return names[:3] }})
	one := evaluations(&poll{voters: 3, holds: func([]string, []string) bool { return true },
		reads: func([]string, []string) []string { return []string{"v1"} }})
	if one != all {
		t.Errorf("%d evaluations of a property that reads a voter, %d of one that reads all of them", one, all)
	}
}

// A property that reads more under other names depends on what was not gone through.
func TestPropertyThatReadsMoreIsTold(t *testing.T) {
	p := &poll{voters: 3, holds: func([]string, []string) bool { return true }, reads: func(_, told []string) []string {
		if slices.Equal(told, []string{"v2"}) {
			return []string{"v1", "v2", "v3", "box"}
		}
		return []string{"v1", "v2", "v3"}
	}}
	checked, err := p.checked(t, context.Background(), 10_000)
	if want := `with other names the property "fair" reads actors that it did not read`; err != nil || checked.Reason != want {
		t.Errorf("%+v, %v", checked, err)
	}
}

func TestBoundOfCheckIsTold(t *testing.T) {
	checked, err := (&poll{voters: 4}).checked(t, context.Background(), 9)
	if err != nil || checked.Reason != "9 local steps were taken" || checked.Steps >= checked.KnownSteps {
		t.Errorf("%+v, %v", checked, err)
	}
}

func TestEndOfContextEndsTheCheck(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("time is up"))
	checked, err := (&poll{voters: 3}).checked(t, ctx, 10_000)
	if err != nil || checked.Reason != "time is up" {
		t.Errorf("%+v, %v", checked, err)
	}
}

func TestLabels(t *testing.T) {
	label := symmetry.Labels([]symmetry.Permutation{{"a": "b", "b": "a"}, {"c": "d", "d": "e", "e": "c"}, {"b": "c", "c": "b"}})
	for _, same := range [][2]string{{"a", "e"}, {"a/x", "d/x"}} {
		if label(same[0]) != label(same[1]) {
			t.Errorf("%s and %s have different labels", same[0], same[1])
		}
	}
	for _, other := range [][2]string{{"a", "f"}, {"a/x", "a/y"}, {"a/x", "a"}} {
		if label(other[0]) == label(other[1]) {
			t.Errorf("%s and %s have the same label", other[0], other[1])
		}
	}
}
