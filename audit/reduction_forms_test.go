package audit_test

import (
	"testing"

	"harrier/internal/toy"
	"harrier/model"
)

// With full hashing states differ in more than what has to commute: auxiliary parts, and the messages processed last.
func TestOnlyRelevantPartsHaveToCommute(t *testing.T) {
	s := both(map[string][]toy.Then{
		"ann idle x": {{Become: "x/1", Send: []string{"bob p/1"}}}, "ann y/1 x": {{Become: "xy/2", Send: []string{"bob p/2"}}},
		"ann idle y": {{Become: "y/1", Send: []string{"bob p/1"}}}, "ann x/1 y": {{Become: "xy/3", Send: []string{"bob p/3"}}},
	})
	d := model.Decomposition{Relevant: relevant, Hashing: model.Full}
	report, err := auditedReduction(t, s, d, 1000, "ann on x")
	if err != nil || report.Pairs != 1 {
		t.Errorf("%+v, %v", report, err)
	}
	s.Rules["ann x/1 y"][0].Send[0] = "bob q/3"
	_, err = auditedReduction(t, s, d, 1000, "ann on x")
	breaksRule(t, err, "other messages wait for bob")
}

// The order in which messages came to be known is not that of their relevant parts.
func TestMailboxesAreComparedWithoutOrder(t *testing.T) {
	s := both(map[string][]toy.Then{
		"ann idle x": {{Become: "x/1", Send: []string{"bob p/1"}}}, "ann y/1 x": {{Become: "xy/2", Send: []string{"bob p/2"}}},
		"ann idle y": {{Become: "y/1", Send: []string{"bob q/1"}}}, "ann x/1 y": {{Become: "xy/3", Send: []string{"bob q/3"}}},
	})
	report, err := auditedReduction(t, s, model.Decomposition{Relevant: relevant, Hashing: model.Full}, 1000, "ann on x")
	if err != nil || report.Pairs != 1 {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestStepsThatRecordAreCaught(t *testing.T) {
	s := toy.Read(`
		start: ann idle, bob idle
		mail: ann>ann x, ann>ann y
		ann idle x -> x, record x
		ann y x -> xy, record x
		ann idle y -> y, record y
		ann x y -> xy, record y`)
	_, err := auditedReduction(t, s, model.Decomposition{}, 1000, "ann on x")
	breaksRule(t, err, "the history is another one if they are exchanged")
}

// Copies of a message that differ in their auxiliary parts only are one event of the relevant system: one may stand for the others.
func TestOneOfSeveralFormsMayStandForAll(t *testing.T) {
	s := both(map[string][]toy.Then{"ann idle x/1": {{Become: "x"}}, "ann idle x/2": {{Become: "x"}}})
	s.Mail = []string{"ann>ann x/1", "ann>ann x/2"}
	report, err := auditedReduction(t, s, model.Decomposition{Relevant: relevant, Hashing: model.Full}, 1000, "ann on x/1")
	if err != nil || report.Pairs != 0 {
		t.Errorf("%+v, %v", report, err)
	}
}
