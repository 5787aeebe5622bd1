package picture

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"harrier/internal/model"
	"harrier/internal/property"
	"harrier/internal/report"
	"harrier/internal/section"
	"harrier/internal/testkit/must"
	"harrier/serializer"
)

var formats = map[string]func(io.Writer, *report.Trace) error{"html": HTML, "mermaid": Mermaid, "plantuml": PlantUML, "shiviz": ShiViz}

func written(t *testing.T, format string, trace *report.Trace) string {
	t.Helper()
	var b bytes.Buffer
	must.Do(formats[format](&b, trace))
	return b.String()
}

// a trace with a message that is received after another one, one that is lost and one that stays in flight.
func sample() *report.Trace {
	return &report.Trace{
		Scenario:  "p.S",
		Violation: report.Violation{Kind: property.InvariantViolation, Message: "violated: good"},
		Execution: report.Execution{
			Start: report.Start{
				Creates: []string{"a", "b"},
				Sends:   []report.Message{{Receiver: "a", Text: "Go"}},
				States:  []report.State{{Actor: "a", Text: "A{n=0}"}},
			},
			Steps: []report.Step{
				{Actor: "a", Event: "receive", Handler: "A.on(Go)", Receives: []report.Message{{Receiver: "a", Text: "Go"}},
					Sends:   []report.Message{{Sender: "a", Receiver: "b", Text: "One"}, {Sender: "a", Receiver: "b", Text: "Two"}, {Sender: "a", Receiver: "b", Text: "Three"}},
					Changes: []serializer.Change{{Path: "n", Old: "0", New: "1"}}, States: []report.State{{Actor: "a", Text: "A{n=1}"}}},
				{Actor: "b", Event: "lose", Receives: []report.Message{{Sender: "a", Receiver: "b", Text: "Two"}}},
				{Actor: "b", Event: "restart"},
				{Actor: "b", Event: "receive", Handler: "B.on(One)", Receives: []report.Message{{Sender: "a", Receiver: "b", Text: "One"}}},
			},
		},
	}
}

func TestMessagesAreFollowedFromSendToArrival(t *testing.T) {
	var got []string
	d := draw(sample())
	for _, a := range d.arrows {
		got = append(got, fmt.Sprintf("%s %s@%d %s@%d %v %v", a.text, d.columns[a.from.column], a.from.step, d.columns[a.to.column], a.to.step, a.lost, a.pending))
	}
	want := "Go scenario@0 a@1 false false; Two a@1 b@2 true false; One a@1 b@4 false false; Three a@1 b@5 false true"
	if strings.Join(got, "; ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "; "), want)
	}
}

// TestThreadsHaveColumns has two threads of an actor, one of which sends to another actor.
func TestThreadsHaveColumns(t *testing.T) {
	m := report.Message{Sender: "a", Receiver: "b", Text: "M"}
	trace := &report.Trace{Execution: report.Execution{Start: report.Start{Creates: []string{"a", "b"}}, Steps: []report.Step{
		{Actor: "a", Event: model.Internal.String(), Handler: "thread t", Thread: "t"},
		{Actor: "a", Event: model.Internal.String(), Handler: "task T", Thread: "u", Sends: []report.Message{m}},
		{Actor: "b", Event: "receive", Handler: "B.on(M)", Receives: []report.Message{m}},
	}}}
	d := draw(trace)
	if got := strings.Join(d.columns, ", "); got != "a, a: t, a: u, b" || d.columns[d.arrows[0].from.column] != "a: u" {
		t.Errorf("columns %s, an arrow %+v", got, d.arrows[0])
	}
	for format, want := range map[string]string{
		"mermaid": "    a2->>a3: 3. M\n", "plantuml": "note over a1: 1. thread t\n", "html": ">a: u<title>",
		"shiviz": "a:_u {\"a\":1,\"a:_t\":1,\"a:_u\":1}\nthread u of a goes on\nb {\"a\":1,\"a:_t\":1,\"a:_u\":1,\"b\":2}\n",
	} {
		if got := written(t, format, trace); !strings.Contains(got, want) {
			t.Errorf("%s lacks %q:\n%s", format, want, got)
		}
	}
}

func TestDeliveryAndConsumptionAreTwoArrows(t *testing.T) {
	m := []report.Message{{Sender: "a", Receiver: "b", Text: "M"}}
	d := draw(&report.Trace{Execution: report.Execution{Start: report.Start{Sends: m}, Steps: []report.Step{
		{Actor: "b", Event: model.Deliver.String(), Receives: m}, {Actor: "b", Event: "receive", Receives: m},
	}}})
	if len(d.arrows) != 2 || d.arrows[0].from.step != 0 || d.arrows[1].from.step != 1 || d.arrows[1].to.step != 2 {
		t.Errorf("%+v", d.arrows)
	}
}

func TestTextFormats(t *testing.T) {
	for format, want := range map[string][]string{
		"mermaid":  {"participant a0 as scenario\n", "    a1-xa2: 2. Two\n", "    Note over a2: 3. crashes, restarts\n", "    a1->>a2: 4. One\n"},
		"plantuml": {"participant \"scenario\" as a0\n", "a1 ->x a2: 2. Two\n", "note over a2: 3. crashes, restarts\n", "a1 -> a2: 4. One\n"},
		"shiviz":   {"b {\"a\":2,\"b\":3,\"scenario\":1}\nb receives One from a\n"},
		"html":     {">crashes, restarts</text>", ">n: 0 → 1</text>", "in flight at the end</title>", "sent at step 1, arrives at step 4</title>", `"text":"A{n=1}"`},
	} {
		got := written(t, format, sample())
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s: %q is not in\n%s", format, w, got)
			}
		}
	}
}

// lasso is the sample with its last steps repeated for ever; with 0 steps nothing happens any more.
func lasso(loop int) *report.Trace {
	t := sample()
	t.Violation.Kind, t.Loop = property.Liveness, loop
	return t
}

func TestLoopsAreMarked(t *testing.T) {
	for _, c := range []struct {
		format string
		loop   int
		want   []string
		not    string
	}{
		{"mermaid", 2, []string{"2. Two\n    loop repeated for ever\n    Note over a2: 3.", "4. One\n    end\n    Note over a0,a2: violated"}, "nothing happens"},
		{"plantuml", 4, []string{"participant \"b\" as a2\nloop repeated for ever\na0 -> a1: 1. Go", "4. One\nend\nnote over a0, a2: violated"}, "nothing happens"},
		{"shiviz", 1, []string{"\nb crashes and restarts\n", "\nrepeated for ever: b receives One from a\n"}, "repeated for ever: b crashes"},
		{"html", 2, []string{`<rect class="back lose fault" id="back2"`, `<rect class="back restart fault loop" id="back3"`, `<rect class="back receive loop" id="back4"`, `class="bracket again"`,
			`>crashes, restarts</text><text class="forever"`}, " last"},
		{"html", 0, []string{`<line class="stands"`, `>nothing happens any more</text>`, `<rect class="back receive last" id="back4"`}, `class="bracket`},
		{"mermaid", 0, []string{"4. One\n    Note over a0,a2"}, "loop"},
	} {
		got := written(t, c.format, lasso(c.loop))
		if c.format == "html" {
			_, got, _ = strings.Cut(got, "</header>") // without the style
		}
		for _, w := range c.want {
			if !strings.Contains(got, w) {
				t.Errorf("%s, loop of %d: %q is not in\n%s", c.format, c.loop, w, got)
			}
		}
		if strings.Contains(got, c.not) {
			t.Errorf("%s, loop of %d: %q is in\n%s", c.format, c.loop, c.not, got)
		}
	}
	if got := written(t, "html", sample()); strings.Contains(got, "</text><text class=\"forever\"") || strings.Contains(got, `<line class="stands"`) {
		t.Error("a run without a loop has one")
	}
}

// The bracket goes on through all blocks from the first step of the loop on, which alone has the text.
func TestLoopsGoOnThroughBlocks(t *testing.T) {
	trace := &report.Trace{Violation: report.Violation{Kind: property.Liveness}, Execution: report.Execution{Start: report.Start{Creates: []string{"a"}}, Loop: 2 * blockSteps}}
	for range 4 * blockSteps {
		trace.Steps = append(trace.Steps, report.Step{Actor: "a", Event: "internal"})
	}
	var texts []string
	l := newLayout(draw(trace))
	for i, b := range l.blocks() {
		if first := 2*blockSteps + 1; len(b.Loop) > 0 != (i >= first/blockSteps) {
			t.Errorf("block %d has %d lines of the bracket", i, len(b.Loop))
		} else if len(b.Loop) > 0 {
			if from, to := b.Loop[0].Y2+l.tops[i*blockSteps], b.Loop[0].Y1+l.tops[i*blockSteps]; from < l.tops[first] || from > l.tops[first+1] || to > l.tops[4*blockSteps+1] || to < l.tops[4*blockSteps] {
				t.Errorf("block %d: the bracket is from %v to %v", i, from, to)
			}
		}
		for _, r := range b.Rows {
			for _, line := range r.Lines {
				if line.Class == "forever" {
					texts = append(texts, fmt.Sprint(r.Number, " ", line.Text))
				}
			}
		}
	}
	if got := strings.Join(texts, ", "); got != "101 repeated for ever" {
		t.Errorf("the loop is labelled %q", got)
	}
}

// Operations are bars from invocation to return, the return that no order explains is marked, and pending operations go on to the end.
func TestOperationsAreBars(t *testing.T) {
	step := func(actor string, records ...report.Operation) report.Step {
		return report.Step{Actor: actor, Event: "receive", Records: records}
	}
	trace := &report.Trace{
		Violation: report.Violation{Kind: property.InvariantViolation, Failure: &model.Failure{Kind: model.Explanation, Text: "b returns 1 from Get, where Store gives 2"}},
		Execution: report.Execution{Start: report.Start{Creates: []string{"a", "b", "c"}}, Steps: []report.Step{
			step("a", report.Operation{Actor: "a", Kind: "invokes", Text: "Put"}),
			step("b", report.Operation{Actor: "b", Kind: "invokes", Text: "Get"}),
			step("c", report.Operation{Actor: "c", Kind: "abandons"}, report.Operation{Actor: "c", Kind: "invokes", Text: "Cas"}),
			step("c", report.Operation{Actor: "c", Kind: "abandons"}),
			step("b", report.Operation{Actor: "b", Kind: "returns", Text: "1"}, report.Operation{Actor: "b", Kind: "invokes", Text: "Next"}),
		}},
	}
	l := newLayout(draw(trace))
	var got []string
	b := l.blocks()[0]
	for _, o := range b.Operations {
		got = append(got, o.Class+": "+o.Title)
		if o.X1 != o.X2 || o.Y1 >= o.Y2 || o.Y2 > b.Height {
			t.Errorf("%+v is no bar", o)
		}
	}
	want := []string{
		"operation: Put, invoked at step 1, pending at the end",
		"operation wrong: Get, invoked at step 2, returns 1 at step 5, where Store gives 2",
		"operation: Cas, invoked at step 3, abandoned by a crash at step 4",
		"operation: Next, invoked at step 5, pending at the end",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if last := b.Rows[5].Lines; last[len(last)-1].Text != "returns 1, where Store gives 2" {
		t.Errorf("the last step has %+v", last)
	}
	if wrong := b.Operations[1]; wrong.Y1 < l.y(2) || wrong.Y2 > l.y(5) || wrong.X1 >= l.x(1) {
		t.Errorf("the bar is at %+v", wrong)
	}
	trace.Violation.Failure = nil
	if page := written(t, "html", trace); !strings.Contains(page, `<line class="operation" `) || strings.Contains(page, `<line class="operation wrong"`) {
		t.Error("an operation is marked that violates nothing")
	}
}

// hostile is a text that is markup wherever it is not escaped: in HTML, SVG and scripts, and in a line of other formats.
const hostile = "</script><script>x()</script></title><img src=x onerror=x()>\"' onload=\"x()\n!include /etc/passwd\nclick a href %%{init}%% ; end %getenv(\"A\") \u202e{{.}}"

func TestHostileTracesAreShownAsText(t *testing.T) {
	m := report.Message{Sender: hostile, Receiver: hostile + "2", Text: hostile}
	trace := &report.Trace{
		Program: hostile, Scenario: hostile, Parameters: []model.Parameter{{Name: hostile, Value: hostile}},
		Violation: report.Violation{Message: hostile, Failure: &model.Failure{Text: hostile, Stack: []string{hostile}}, Pending: []report.Message{m}},
		Execution: report.Execution{
			Start: report.Start{Creates: []string{hostile}, Adversaries: []string{hostile}, Sends: []report.Message{m}, States: []report.State{{Actor: hostile, Text: hostile}}},
			Steps: []report.Step{{Actor: hostile + "2", Event: "receive", Handler: hostile, Timer: hostile, Fault: hostile, Side: []string{hostile},
				Receives: []report.Message{m}, Sends: []report.Message{m}, Creates: []string{hostile}, Changes: []serializer.Change{{Path: hostile, Old: hostile, New: hostile}},
				SetsAnew: []string{hostile}, Records: []report.Operation{{Actor: hostile, Kind: hostile, Text: hostile}}, States: []report.State{{Actor: hostile, Text: hostile}}},
				{Actor: hostile, Event: "split", Side: []string{hostile}}, {Actor: hostile, Event: "internal", Timer: hostile, Failure: &model.Failure{Text: hostile}}},
		},
	}
	page := written(t, "html", trace)
	if n := strings.Count(strings.ToLower(page), "<script"); n != 2 {
		t.Errorf("the page has %d scripts, and should have its own 2", n)
	}
	for _, tag := range regexp.MustCompile(`<[a-zA-Z][^<>]*>`).FindAllString(page, -1) {
		if strings.HasPrefix(tag, "<img") || regexp.MustCompile(`[\s"']on\w+=`).MatchString(tag) {
			t.Errorf("out of the trace came %s", tag)
		}
	}
	var read data
	if _, rest, ok := strings.Cut(page, `id="data">`); !ok || json.Unmarshal([]byte(rest[:strings.Index(rest, "</script>")]), &read) != nil || len(read.Steps) != 3 {
		t.Error("the script cannot read its data")
	}
	for format, bad := range map[string]string{
		"mermaid":  `(?m)^click|%%|;.*;\s*end|<|"|\bend\b`,
		"plantuml": `(?m)^!|%|"[^"\n]*"[^"\n]*"|<[^U]|[\\]include`,
		"shiviz":   `(?m)^!`,
	} {
		if found := regexp.MustCompile(bad).FindAllString(strings.ReplaceAll(written(t, format, trace), "<br/>", " "), -1); found != nil {
			t.Errorf("%s: out of the trace came %q", format, found)
		}
	}
}

// A page of 10,000 steps has blocks of few steps, and each arrow in few blocks.
func TestLongTracesStayUsable(t *testing.T) {
	const steps = 10_000
	trace := &report.Trace{Execution: report.Execution{Start: report.Start{Creates: []string{"a", "b"}}}}
	for i := range steps {
		s := report.Step{Actor: "a", Event: "receive", Sends: []report.Message{{Sender: "a", Receiver: "b", Text: fmt.Sprint(i)}}}
		if i >= steps/2 {
			s = report.Step{Actor: "b", Event: "receive", Receives: []report.Message{{Sender: "a", Receiver: "b", Text: fmt.Sprint(i - steps/2)}}}
		}
		trace.Steps = append(trace.Steps, s)
	}
	arrows := 0
	for _, b := range newLayout(draw(trace)).blocks() {
		if arrows += len(b.Arrows); len(b.Rows) > blockSteps {
			t.Errorf("a block has %d steps", len(b.Rows))
		}
	}
	if arrows != steps {
		t.Errorf("%d arrows are drawn for %d messages that go far, and should be two each", arrows, steps/2)
	}
	if page := written(t, "html", trace); len(page) > 16<<20 {
		t.Errorf("the page has %d MiB", len(page)>>20)
	}
}

func TestTablesOfASearch(t *testing.T) {
	var page bytes.Buffer
	must.Do(Tables(&page, &report.Summary{
		Answer: report.Answer{Scenario: "p.S", Reason: "<time> is used up"},
		Sections: []section.Section{{Name: "levels", Value: map[string]any{
			"levels": []uint64{1, 4, 1000}, "multipliers": []any{map[string]any{"what": "Tick messages", "values": 5, "times": 4}},
		}}},
	}))
	for _, row := range []string{"inconclusive: &lt;time&gt; is used up", "<td>Tick messages<td>5<td>4.0<td>75 %",
		"<td>0<td>1<td><td>1<", "<td>1<td>4<td>4.0<td>5<", "<td>2 (not over)<td>1,000<td>250.0<td>1,005<"} {
		if !strings.Contains(page.String(), row) {
			t.Errorf("%q is not in\n%s", row, &page)
		}
	}
}
