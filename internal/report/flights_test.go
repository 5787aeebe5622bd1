package report

import (
	"slices"
	"strings"
	"testing"
)

func TestEqualMessagesAreToldApartByTheStepsThatSendThem(t *testing.T) {
	ping := Message{Sender: "a", Receiver: "b", Text: "Ping"}
	once := Message{Sender: "a", Receiver: "b", Text: "Once"}
	takes := func(event string, m Message) Step {
		return Step{Actor: "b", Event: event, Handler: "B.on", Receives: []Message{m}}
	}
	e := Execution{
		Start: Start{Creates: []string{"a", "b"}, Sends: []Message{ping}},
		Steps: []Step{
			{Actor: "a", Event: "internal", Sends: []Message{ping, once, once}},
			takes("deliver", ping), // of messages sent at the start
			takes("lose", ping),    // of what step 1 sent
			takes("receive", ping),
			takes("receive", once),
			{Actor: "a", Event: "byzantine", Receives: []Message{ping}},
			takes("receive", ping),
		},
	}
	e.NoteSendings()
	var got []string
	for _, s := range e.Steps {
		for _, m := range s.Receives {
			got = append(got, m.Sent)
		}
	}
	if want := []string{"at the start", "in step 1", "at the start", "", "", "in step 6"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	var text strings.Builder
	e.Text(&text, NewPainter(false))
	for _, line := range []string{"   3  Ping from a (sent in step 1) to b is lost  B.on\n", "   5  b receives Once from a  B.on\n"} {
		if !strings.Contains(text.String(), line) {
			t.Errorf("no line %q in\n%s", line, &text)
		}
	}
}
