package bridge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"harrier/internal/model"
	"harrier/serializer"
)

// InternalError is a fault of harrier's own Java side, with the evidence.
type InternalError struct {
	Text  string
	Trace []string
	// IsFormat reports whether the bytes of the question could not be read, which may have come from a trace.
	IsFormat bool
}

func (e *InternalError) Error() string {
	return "harrier's Java runtime failed: " + e.Text + "\n" + strings.Join(e.Trace, "\n")
}

// The statuses that an answer starts with.
const (
	statusOK = iota
	statusUsage
	statusRule
	statusLimit
	statusInternal
	statusDifference
	statusFormat
	statusEnds    // As statusLimit, of a limit that ends all questions; Java does not give it.
	statusThreads // As statusRule, of what the program may do if it is loaded with threads.
)

// open reads the status of an answer and turns all but statusOK into errors.
func open(answer []byte) (*reader, error) {
	r := &reader{b: answer}
	status := r.number()
	switch status {
	case statusOK:
		return r, r.err
	case statusDifference:
		local, several, first, second, after := r.bytes(), r.bool(), r.outcome(), r.outcome(), list(r, r.string)
		if err := r.done(); err != nil {
			return nil, err
		}
		e := difference(local, several, first, second)
		e.Detail = slices.Concat(e.Detail, after)
		return nil, e
	}
	text, detail := r.string(), list(r, r.string)
	if err := r.done(); err != nil {
		return nil, err
	}
	switch status {
	case statusUsage:
		return nil, &model.UsageError{Text: text, Detail: detail}
	case statusRule:
		return nil, &model.RuleError{Text: text, Detail: detail}
	case statusThreads:
		return nil, &model.RuleError{Text: text, Detail: detail, Threads: true}
	case statusLimit:
		return nil, &model.LimitError{Text: text}
	case statusEnds:
		return nil, &model.LimitError{Text: text, Ends: true}
	}
	return nil, &InternalError{text, detail, status == statusFormat}
}

// difference describes the difference between two executions of the same step, which may be one of several messages, or of the set-up,
// which has no local state.
func difference(local []byte, several bool, first, second model.Outcome) *model.RuleError {
	if len(local) == 0 {
		return setUpDifference(first, second)
	}
	messages, order := "message", ""
	if several {
		messages, order = "messages", "the order of messages, "
	}
	if hasHeap(local) {
		order += "the heap order in which a PriorityQueue iterates, "
	}
	e := &model.RuleError{Text: fmt.Sprintf(
		"%s: %s does different things when it is executed twice for the same state and %s: its outcome must not depend on "+
			"%stime, chance, static fields, identity hash codes, whether equal values are one object or the iteration order of hash collections (for those of a library: --allow order=plain)", serializer.ActorName(local), first.Handler, messages, order)}
	switch {
	case (first.Failure == nil) != (second.Failure == nil):
		e.Detail = []string{"one execution: " + outcomeText(first), "the other:     " + outcomeText(second)}
	case first.Failure != nil:
		e.Detail = []string{"one execution fails with " + first.Failure.Text, "the other fails with " + second.Failure.Text}
	default:
		e.Detail = slices.Concat(firstOf(stateDifference(first.Local, second.Local)), sendDifference(first.Sends, second.Sends),
			lines("in one execution ", describeRecords(first.Records), "in the other ", describeRecords(second.Records)),
			lines("one execution sets anew ", describeRenewed(first.Renewed), "the other sets anew ", describeRenewed(second.Renewed)))
		if len(e.Detail) == 0 {
			e.Detail = []string{"the two executions create different actors, or choose differently"}
		}
	}
	return e
}

// hasHeap reports whether a local state has a queue that is sorted as a heap.
func hasHeap(local []byte) bool {
	v, err := serializer.Decode(local)
	found := false
	var look func(*serializer.Value)
	look = func(v *serializer.Value) {
		found = found || v.ClassName == "java.util.PriorityQueue" || v.ClassName == "java.util.concurrent.PriorityBlockingQueue"
		v.Each(look)
	}
	look(&v)
	return err == nil && found
}

func setUpDifference(first, second model.Outcome) *model.RuleError {
	e := &model.RuleError{Text: first.Handler + " does different things when it runs twice: it must not depend on time, chance, " +
		"hash codes or iteration order (for hash collections of a library: --allow order=plain)"}
	others := map[string][]byte{}
	for _, a := range second.Creates {
		others[a.Name] = a.Local
	}
	for _, a := range first.Creates {
		if local, ok := others[a.Name]; ok {
			for _, line := range stateDifference(a.Local, local) {
				e.Detail = append(e.Detail, a.Name+", "+line)
			}
		}
	}
	e.Detail = firstOf(e.Detail)
	e.Detail = append(e.Detail, sendDifference(first.Sends, second.Sends)...)
	if len(e.Detail) == 0 {
		e.Detail = []string{"the two executions create different actors, or declare differently"}
	}
	return e
}

// firstOf are the first of many lines, with how many are left out.
func firstOf(lines []string) []string {
	const most = 6
	if more := len(lines) - most; more > 1 {
		return append(lines[:most:most], fmt.Sprintf("and %d more like these", more))
	}
	return lines
}

func outcomeText(o model.Outcome) string {
	if o.Failure != nil {
		return "fails with " + o.Failure.Text
	}
	return "returns"
}

func stateDifference(first, second []byte) []string {
	a, errA := serializer.Decode(first)
	b, errB := serializer.Decode(second)
	if errA != nil || errB != nil {
		return []string{fmt.Sprintf("the new states cannot be read: %v, %v", errA, errB)}
	}
	var lines []string
	for _, c := range serializer.Diff(a, b) {
		lines = append(lines, fmt.Sprintf("field %s: %s or %s", c.Path, c.Old, c.New))
	}
	return lines
}

func sendDifference(first, second []model.Message) []string {
	return lines("one execution sends ", describeSends(first), "the other sends ", describeSends(second))
}

// lines describes two executions that differ, a line for each.
func lines(one, first, other, second string) []string {
	if first == second {
		return nil
	}
	return []string{one + first, other + second}
}

func describeSends(messages []model.Message) string {
	return listed(messages, "nothing", func(m model.Message) string { return describe(m.Payload) + " to " + m.Receiver })
}

func describeRecords(records []model.Record) string {
	return listed(records, "no operation begins or ends", func(r model.Record) string {
		verb := " invokes "
		if r.Kind == model.Returned {
			verb = " returns "
		}
		return r.Actor + verb + describe(r.Payload)
	})
}

func describeRenewed(events []model.PendingEvent) string {
	return listed(events, "no timer or task", func(e model.PendingEvent) string {
		if e.Task != "" {
			return e.Task
		}
		return "timer " + describe(e.Timer)
	})
}

func listed[T any](items []T, none string, describe func(T) string) string {
	var all []string
	for _, item := range items {
		all = append(all, describe(item))
	}
	return cmp.Or(strings.Join(all, ", "), none)
}

func describe(payload []byte) string {
	v, err := serializer.Decode(payload)
	if err != nil {
		return "a value that cannot be read"
	}
	return serializer.Format(v)
}
