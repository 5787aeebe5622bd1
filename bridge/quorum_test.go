package bridge

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"harrier/model"
	"harrier/serializer"
)

const council = `
import java.util.*;
public class Main extends Scenario {
    static class Voter extends Actor {}
    static class Council extends Actor {
        final List<ActorName> voters;
        int first;
        Council(List<ActorName> voters) { this.voters = voters; }
        @Handler(quorum = "majority") void on(Set<String> votes) { first = votes.size(); }
        @Handler void on(List<Integer> votes) { first = votes.get(0); }
    }
    @Override protected void setUp() {
        create("council", new Council(create("voter", 4, i -> new Voter())));
        faults().byzantine(2, List.of("yes"), "voter4").byzantine(1, "voter3");
    }
}`

func loadCouncil(t *testing.T, s Source) *model.Program {
	t.Helper()
	file := filepath.Join(t.TempDir(), "Main.java")
	if err := os.WriteFile(file, []byte("import harrier.*;\n"+council), 0o644); err != nil {
		t.Fatal(err)
	}
	s.Path = file
	p, err := jvm.Load(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return p.Program()
}

func text(s string) []byte {
	return serializer.Encode(serializer.Value{Kind: serializer.String, Text: s})
}

func TestFactsOfQuorumsRolesAndAdversaries(t *testing.T) {
	facts := loadCouncil(t, Source{Delivery: model.MMP})
	roles := []model.Role{
		{Name: "voter", Actors: []string{"voter1", "voter2", "voter3", "voter4"}},
		{Name: "council", Actors: []string{"council"}},
	}
	if diff := cmp.Diff(roles, facts.Roles); diff != "" {
		t.Errorf("roles (-want +got):\n%s", diff)
	}
	for _, h := range facts.Handlers {
		if !h.Quorum {
			t.Errorf("%s is no quorum handler", h.Label)
		}
	}
	faults := []model.Fault{
		{
			Kind: model.Byzantine, Scope: model.Scope{Names: []string{"voter4"}}, Budget: 2, Label: "Byzantine sends of voter4",
			Domain: []model.Message{{Sender: "voter4", Receiver: "council", Payload: text("yes")}},
		},
		{Kind: model.Byzantine, Scope: model.Scope{Names: []string{"voter3"}}, Budget: 1, Label: "Byzantine sends of voter3"},
	}
	if diff := cmp.Diff(faults, facts.Faults); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
	if len(facts.Initial.Actors) != 3 || facts.Delivery != model.MMP {
		t.Errorf("there are %d honest actors, the delivery model is %v", len(facts.Initial.Actors), facts.Delivery)
	}
	honest := loadCouncil(t, Source{Honest: true})
	if len(honest.Initial.Actors) != 5 || len(honest.Faults) != 0 {
		t.Errorf("honestly there are %d actors and the faults %v", len(honest.Initial.Actors), honest.Faults)
	}
}

func TestStepsOfSeveralMessages(t *testing.T) {
	p, err := loadSource(t, council)
	if err != nil {
		t.Fatal(err)
	}
	var local []byte
	for _, a := range p.Program().Initial.Actors {
		if a.Name == "council" {
			local = a.Local
		}
	}
	from := func(sender string, payload []byte) model.Message {
		return model.Message{Sender: sender, Receiver: "council", Payload: payload}
	}
	ask := func(messages ...model.Message) ([]model.Answer, error) {
		return p.Steps(context.Background(), []model.Question{{Local: local, Event: model.Event{Messages: messages}}})
	}
	one, err := ask(from("voter1", text("yes")))
	want := []model.Quorum{{Handler: "Council.on(Set<String>)", Size: 3, Role: "voter"}}
	if err != nil || len(one[0].Outcomes) > 0 {
		t.Fatalf("one vote gives %v, %v", one, err)
	}
	if diff := cmp.Diff(want, one[0].Quorums); diff != "" {
		t.Errorf("quorums (-want +got):\n%s", diff)
	}
	all, err := ask(from("voter1", text("yes")), from("voter2", text("no")), from("voter3", text("yes")))
	if err != nil || len(all[0].Outcomes) != 1 || len(all[0].Quorums) != 0 {
		t.Errorf("three votes give %v, %v", all, err)
	}
}
