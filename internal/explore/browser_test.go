package explore

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"harrier/internal/report"
	"harrier/internal/report/picture"
	"harrier/internal/testkit/must"
)

// What `make explore-browser` runs, with bin/harrier and Debian's Chromium.
var (
	inBrowser   = flag.Bool("browser", false, "drive Chromium")
	screenshots = flag.String("screenshots", "", "put screenshots into a folder")
)

// harrier runs harrier in a folder, and returns the line that begins with a word.
func harrier(t *testing.T, folder, word string, arguments ...string) string {
	t.Helper()
	path := must.Get(filepath.Abs("../../bin/harrier"))
	c := exec.Command(path, arguments...)
	c.Dir = folder
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Signal(os.Interrupt); c.Wait() })
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if value, ok := strings.CutPrefix(lines.Text(), word+":"); ok {
			return strings.TrimSpace(value)
		}
	}
	t.Fatalf("harrier %s prints no %s", strings.Join(arguments, " "), word)
	return ""
}

func example(t *testing.T, name string) string {
	t.Helper()
	path := must.Get(filepath.Abs("../../examples/" + name))
	return path
}

// small is a picture in its 256 most frequent colours.
func small(t *testing.T, shot []byte) []byte {
	t.Helper()
	full := must.Get(png.Decode(bytes.NewReader(shot)))
	count := map[color.Color]int{}
	for y := range full.Bounds().Dy() {
		for x := range full.Bounds().Dx() {
			count[full.At(x, y)]++
		}
	}
	colours := slices.SortedFunc(maps.Keys(count), func(a, b color.Color) int { return count[b] - count[a] })
	few := image.NewPaletted(full.Bounds(), colours[:min(256, len(colours))])
	draw.Draw(few, few.Bounds(), full, image.Point{}, draw.Src)
	var out bytes.Buffer
	must.Do((&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, few))
	return out.Bytes()
}

// keep demands that a screenshot is small, and keeps it if there is a folder for it.
func (b *chromium) keep(name string) {
	b.t.Helper()
	shot := small(b.t, b.screenshot())
	if len(shot) > 150_000 {
		b.t.Errorf("%s has %d bytes", name, len(shot))
	}
	if *screenshots == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(*screenshots, name), shot, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// TestBrowserExplores does in Chromium what a user does: begin with a counterexample, go back in it, try something else, take it
// back, search, and save.
func TestBrowserExplores(t *testing.T) {
	if !*inBrowser {
		t.Skip("make explore-browser runs it")
	}
	folder := t.TempDir()
	trace := harrier(t, folder, "replay it", "check", example(t, "paxos-faulty"))
	trace = trace[strings.LastIndex(trace, " ")+1:]
	address := harrier(t, folder, "explore", "explore", "--from", trace)
	b := startChromium(t, "--host-resolver-rules=MAP evil.example 127.0.0.1")

	b.open(address, 1440, 800)
	b.await(`document.querySelector("#diagram .row") && document.querySelector("#detail .violated")`)
	steps := int(b.eval(`document.querySelectorAll("#tree button").length`).(float64)) - 1
	if steps < 10 || b.eval(`document.querySelectorAll("#diagram .row").length`) != float64(steps+1) {
		t.Fatalf("it begins with a run of %d steps", steps)
	}
	// Go back to a step by the picture, and try something else.
	b.click(`#diagram [data-step="5"]`)
	b.await(`document.querySelector("#detail h2").textContent.startsWith("Step 5: ")`)
	b.await(`document.querySelectorAll("#detail .event").length > 1 && document.querySelector("#detail .event.taken")`)
	b.click(`#detail .event:not(.taken)`)
	b.await(`document.querySelectorAll("#tree button").length === ` + fmt.Sprint(steps+2))
	b.await(`document.querySelector("#detail h2").textContent.startsWith("Step 6: ") && document.querySelectorAll("#diagram .row").length === 7`)
	b.press("2")
	b.await(`document.querySelector("#detail h2").textContent.startsWith("Step 7: ")`)
	b.press("u")
	b.await(`document.querySelector("#detail h2").textContent.startsWith("Step 6: ") && document.querySelectorAll("#diagram .row").length === 8`)
	b.press("s")
	b.await(`document.getElementById("status").textContent.startsWith("Found after ")`)
	b.await(`document.querySelector("#detail .violated") && document.querySelector("#violation")`)
	b.press("w")
	b.await(`document.getElementById("status").textContent.startsWith("Saved. Replay it: ")`)
	saved := b.eval(`document.getElementById("status").textContent`).(string)
	saved = filepath.Join(folder, saved[strings.LastIndex(saved, " ")+1:])
	if _, err := report.ReadTrace(saved); err != nil {
		t.Errorf("what was saved: %v", err)
	}
	b.press("Home")
	b.press("j")
	b.await(`document.querySelector("#detail h2").textContent.startsWith("Step 1: ")`)
	b.click(`#tree .number:nth-of-type(1)`)
	b.await(`document.querySelector("#detail h2").textContent === "Start"`)
	b.click(`#diagram [data-step="6"]`)
	b.await(`document.querySelector("#detail h2").textContent.startsWith("Step 6: ") && document.querySelectorAll("#tree .selected").length === 1`)
	b.keep("explore.png")
	b.quiet("explore")

	b.otherPages(address)
}

// TestBrowserShowsTextsOfProgramsAsTexts has a program name everything with markup.
func TestBrowserShowsTextsOfProgramsAsTexts(t *testing.T) {
	if !*inBrowser {
		t.Skip("make explore-browser runs it")
	}
	const hostile = `<img src=x onerror="document.title='hit'"><script>document.title='hit'</script>`
	more := []string{hostile}
	detail := picture.Detail{Text: hostile, Handler: hostile, Changes: [][3]string{{hostile, hostile, hostile}}, More: more}
	s := listen(t, func(q *Request, a *Answer) error {
		a.Run = &report.Trace{Scenario: hostile, Violation: report.Violation{Message: hostile}}
		a.Run.Start.Creates = more
		a.Text, a.Scenario, a.Settings = hostile, hostile, more
		a.Rows = []Row{{Parent: -1, Text: hostile, Violated: true, Same: 0}}[min(q.Have, 1):]
		a.View = &View{Step: &detail, Violated: more, History: hostile, Actors: []Actor{{Name: hostile, Text: hostile, Inbox: more}}, Events: []Event{{Detail: detail}, {Detail: detail, Fault: true}}}
		return nil
	})
	b := startChromium(t)
	b.open(s.Address(), 1280, 720)
	b.await(`document.querySelector("#diagram .row") && document.querySelectorAll("#detail .event").length === 2`)
	if got := b.eval(`[document.title.startsWith("<img"), document.querySelectorAll("img").length, document.scripts.length].join()`); got != "true,0,1" {
		t.Errorf("the page has %v", got)
	}
	b.quiet("hostile texts")
}

// otherPages has pages of others ask: one with another origin, and one whose name resolves to this machine.
func (b *chromium) otherPages(address string) {
	b.t.Helper()
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<p>other") }))
	defer other.Close()
	b.open(other.URL, 800, 600)
	try := `fetch(%q, {method: "POST", body: '{"do":"look"}', %s}).then((r) => r.type + r.status, () => "refused")`
	if got := b.eval(fmt.Sprintf(try, address+"do", `headers: {"Content-Type": "application/json"}`)); got != "refused" {
		b.t.Errorf("another origin gets %v", got)
	}
	if got := b.eval(fmt.Sprintf(try, address+"do", `mode: "no-cors"`)); got != "opaque0" && got != "refused" {
		b.t.Errorf("another origin gets %v", got)
	}
	b.open(strings.Replace(address, "127.0.0.1", "evil.example", 1), 800, 600)
	if got := b.eval(`document.body.innerText`); !strings.Contains(fmt.Sprint(got), "this is for the page") {
		b.t.Errorf("another name for this machine gets %v", got)
	}
	b.mu.Lock()
	b.errors = nil // the browser reports refused requests
	b.mu.Unlock()
}

// TestBrowserShowsTraces opens the pictures of the counterexamples of all wrong examples, and of a run of 10,000 events.
func TestBrowserShowsTraces(t *testing.T) {
	if !*inBrowser {
		t.Skip("make explore-browser runs it")
	}
	b := startChromium(t)
	examples := must.Get(filepath.Glob("../../examples/*"))
	shown := 0
	for _, path := range examples {
		name := filepath.Base(path)
		if !strings.Contains(name, "-faulty") && !strings.Contains(name, "-wrong") && !strings.Contains(name, "-forgetful") {
			continue
		}
		folder := t.TempDir()
		page := filepath.Join(folder, harrier(t, folder, "picture", "check", example(t, name), "--html"))
		b.open("file://"+page, 1280, 800)
		b.press("End")
		b.await(`document.querySelector("#detail .changed") && document.querySelector("#violation")`)
		if b.quiet(name); name == "paxos-faulty" {
			b.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": "dark"}}}, nil)
			b.keep("trace.png")
		}
		shown++
	}
	if shown < 8 {
		t.Errorf("%d pictures were shown", shown)
	}
	page := filepath.Join(t.TempDir(), "long.html")
	var text bytes.Buffer
	must.Do(picture.HTML(&text, long(10_000)))
	must.Do(os.WriteFile(page, text.Bytes(), 0o600))
	began := time.Now()
	b.open("file://"+page, 1280, 800)
	opened := time.Since(began)
	began = time.Now()
	b.press("End")
	b.await(`document.querySelector("#detail h2").textContent.startsWith("Step 10000 ")`)
	t.Logf("10,000 events are there after %v, and the last one after %v more", opened, time.Since(began))
	b.quiet("10,000 events")
}

// long is a run of that many steps, in which messages arrive late.
func long(steps int) *report.Trace {
	trace := &report.Trace{Scenario: "Long", Violation: report.Violation{Message: "violated: none"}}
	trace.Start.Creates = []string{"a", "b", "c"}
	for i := range steps {
		m := []report.Message{{Sender: "a", Receiver: "b", Text: fmt.Sprint("M(", i/2, ")")}}
		s := report.Step{Actor: "a", Event: "internal", Handler: "A.tick", Sends: m, States: []report.State{{Actor: "a", Text: fmt.Sprintf("A{ticks=%d}", i)}}}
		if i%2 == 1 {
			s = report.Step{Actor: "b", Event: "receive", Handler: "B.on(M)", Receives: m}
		}
		trace.Steps = append(trace.Steps, s)
	}
	return trace
}
