package bridge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"harrier/model"
	"harrier/serializer"
)

const recording = `
public class Main extends Scenario {
    static class Client extends Actor {
        @Override protected void start() { invoked("first"); }
        @Handler void on(String m) { returned(m); invoked(m.length()); }
    }
    @Override protected void setUp() { send(create("client", new Client()), "go"); }
    @Override protected boolean keeps(Operation o, History h) { return !"seen".equals(o.result()); }
    @Invariant boolean fine() {
        return history().completed().stream().noneMatch(o -> "bad".equals(o.result()))
            && actors(Client.class).count() == 1;
    }
}`

// receive gives what the program's first actor does with a text.
func receive(p *Program, text string) ([]model.Record, error) {
	initial := p.Program().Initial
	message := initial.Messages[0]
	message.Payload = serializer.Encode(serializer.Value{Kind: serializer.String, Text: text})
	answers, err := p.Steps(context.Background(), []model.Question{
		{Local: initial.Actors[0].Local, Event: model.Event{Messages: []model.Message{message}}},
	})
	if err != nil {
		return nil, err
	}
	return answers[0].Outcomes[0].Records, nil
}

func TestOperationsAreRecordedInHistories(t *testing.T) {
	p, err := loadSource(t, recording)
	if err != nil {
		t.Fatal(err)
	}
	initial := p.Program().Initial
	history := initial.History
	var got []string
	for _, text := range []string{"seen", "bad", "good"} {
		records, err := receive(p, text)
		if err != nil {
			t.Fatal(err)
		}
		histories, err := p.Record(context.Background(), []model.Extension{{History: history, Records: records}, {}})
		if err != nil || len(histories) != 2 || len(histories[1]) != 0 {
			t.Fatalf("histories: %q, %v", histories, err)
		}
		history = histories[0]
		judgements, err := p.Evaluate(context.Background(), []model.Evaluation{{History: history, Actors: initial.Actors}})
		if err != nil {
			t.Fatal(err)
		}
		v, err := serializer.Decode(history)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, describeRecords(records), fmt.Sprint(judgements[0].Holds, judgements[0].Reads), serializer.Format(v))
	}
	want := []string{
		`client returns "seen", client invokes 4`, "true [-1 0]", shownHistory(shownOperation(`"first"`, `"seen"`, 0, 0), shownOperation("4", "null", 1, -1)),
		`client returns "bad", client invokes 3`, "false [-1]", shownHistory(shownOperation("4", `"bad"`, 0, 0), shownOperation("3", "null", 1, -1)),
		`client returns "good", client invokes 4`, "false [-1]", shownHistory(shownOperation("4", `"bad"`, 0, 0), shownOperation("3", `"good"`, 1, 1), shownOperation("4", "null", 2, -1)),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("records, judgements and histories (-want +got):\n%s", diff)
	}
}

func shownHistory(operations ...string) string {
	return "History(operations=[" + strings.Join(operations, ", ") + "])"
}

func shownOperation(invocation, result string, from, to int) string {
	return fmt.Sprintf("Operation(actor=client, invocation=%s, result=%s, invokedAt=%d, returnedAt=%d)", invocation, result, from, to)
}

func TestAReturnWithoutInvocationBreaksARule(t *testing.T) {
	p, err := loadSource(t, recording)
	if err != nil {
		t.Fatal(err)
	}
	records, err := receive(p, "x")
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Record(context.Background(), []model.Extension{{Records: records}})
	var rule *model.RuleError
	if !errors.As(err, &rule) || !strings.HasPrefix(rule.Text, "client returns String without a pending operation") {
		t.Errorf("error %v", err)
	}
}

func TestRecordsThatDifferAreTold(t *testing.T) {
	p, err := loadSource(t, strings.NewReplacer("@Handler", "java.util.Set<Integer> set = new java.util.HashSet<>(java.util.List.of(1, 16)); @Handler",
		"returned(m)", "returned(set.iterator().next())").Replace(recording))
	if err != nil {
		t.Fatal(err)
	}
	_, err = receive(p, "go")
	want := []string{"in one execution client returns 16, client invokes 2", "in the other client returns 1, client invokes 2"}
	var rule *model.RuleError
	if !errors.As(err, &rule) || !slices.Equal(rule.Detail, want) {
		t.Errorf("error %v, detail %v", err, rule)
	}
}
