package explore

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"

	"harrier/internal/report"
	"harrier/internal/testkit/must"
)

// serve serves a session over pipes, as two processes do, and returns where.
func serve(t *testing.T, s *Session) *Server {
	t.Helper()
	in, toSession, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	fromSession, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	go s.Answer(t.Context(), in, out)
	t.Cleanup(func() { toSession.Close() })
	return listen(t, Connect(fromSession, toSession))
}

func listen(t *testing.T, ask func(*Request, *Answer) error) *Server {
	t.Helper()
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))
	server := NewServer(l, ask)
	go server.Serve(l)
	t.Cleanup(func() { l.Close() })
	return server
}

// send sends a request of the page's, changed by some function, and returns status and body.
func send(t *testing.T, s *Server, method, what, body string, change func(*http.Request)) (int, string) {
	t.Helper()
	r := must.Get(http.NewRequest(method, s.Address()+what, strings.NewReader(body)))
	if method == http.MethodPost {
		r.Header.Set("Origin", "http://"+s.host)
		r.Header.Set("Content-Type", "application/json")
	}
	if change != nil {
		change(r)
	}
	answer := must.Get(http.DefaultClient.Do(r))
	defer answer.Body.Close()
	b := must.Get(io.ReadAll(answer.Body))
	if policy := answer.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "script-src 'unsafe") {
		t.Errorf("%s %s has the policy %q", method, what, policy)
	}
	return answer.StatusCode, string(b)
}

// TestPageIsAnswered takes events, takes them back, branches, searches and saves as the page does.
func TestPageIsAnswered(t *testing.T) {
	session, saved := begin(t, random(3))
	s := serve(t, session)
	ask := func(body string) (a Answer) {
		t.Helper()
		status, text := send(t, s, "POST", "do", body, nil)
		if err := json.Unmarshal([]byte(text), &a); err != nil || status != 200 || a.Error != "" {
			t.Fatalf("%s: %d %s", body, status, text)
		}
		return a
	}
	if status, page := send(t, s, "GET", "", "", nil); status != 200 || !strings.Contains(page, "addEventListener") {
		t.Fatalf("the page: %d %s", status, page)
	}
	start := ask(`{"do":"look","node":-1}`)
	if start.View.Node != 0 || len(start.Rows) != 1 || len(start.View.Events) < 2 || len(start.View.Actors) == 0 {
		t.Fatalf("it begins with %+v", start)
	}
	one := ask(`{"do":"take","node":0,"event":0,"have":1}`)
	other := ask(`{"do":"take","node":0,"event":1,"have":2}`)
	if one.View.Node != 1 || other.View.Node != 2 || len(other.Rows) != 1 || other.Rows[0].Parent != 0 {
		t.Fatalf("two branches: %+v and %+v", one, other)
	}
	if again := ask(`{"do":"take","node":0,"event":0,"have":3}`); again.View.Node != 1 || len(again.Rows) != 0 {
		t.Fatalf("taken again: %+v", again)
	}
	if back := ask(`{"do":"look","node":0,"have":3}`); back.View.Node != 0 || back.View.Events[0].Node != 1 || back.View.Events[1].Node != 2 {
		t.Fatalf("taken back: %+v", back)
	}
	if a := ask(`{"do":"search","node":1,"have":3}`); a.Text == "" {
		t.Errorf("a search says nothing")
	}
	if a := ask(`{"do":"save","node":2,"have":3}`); a.Text != "saved" || len(saved.Steps) != 1 {
		t.Errorf("saved %+v, and said %q", saved, a.Text)
	}
	if status, text := send(t, s, "GET", "diagram/1", "", nil); status != 200 || !strings.Contains(text, `data-step="1"`) || strings.Contains(text, "<html") {
		t.Errorf("the diagram: %d %s", status, text)
	}
	ask(`{"do":"stop"}`)
	if status, text := send(t, s, "POST", "do", `{"do":"take","node":77}`, nil); status != 200 || !strings.Contains(text, `"error":"there is no state 77"`) {
		t.Errorf("a wrong request: %d %s", status, text)
	}
}

// TestOthersAreRefused has only the page answered, at its whole address.
func TestOthersAreRefused(t *testing.T) {
	asked := 0
	s := listen(t, func(*Request, *Answer) error { asked++; return nil })
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	look := `{"do":"look"}`
	for name, c := range map[string]struct {
		method, what, body string
		change             func(*http.Request)
		status             int
	}{
		"without the word":    {"GET", "", "", func(r *http.Request) { r.URL.Path = "/" }, 403},
		"with another word":   {"POST", "do", look, func(r *http.Request) { r.URL.Path = "/" + strings.Repeat("A", len(s.word)) + "/do" }, 403},
		"a part of the word":  {"GET", "", "", func(r *http.Request) { r.URL.Path = r.URL.Path[:10] + "/" }, 403},
		"another host":        {"GET", "", "", func(r *http.Request) { r.Host = "evil.example:" + s.host[strings.Index(s.host, ":")+1:] }, 403},
		"localhost":           {"POST", "do", look, func(r *http.Request) { r.Host = "localhost" + s.host[strings.Index(s.host, ":"):] }, 403},
		"another origin":      {"POST", "do", look, header("Origin", "http://evil.example"), 403},
		"another port":        {"POST", "do", look, header("Origin", "http://127.0.0.1:1"), 403},
		"an origin of nobody": {"POST", "do", look, header("Origin", "null"), 403},
		"the page for others": {"GET", "", "", header("Origin", "http://evil.example"), 403},
		"no origin":           {"POST", "do", look, func(r *http.Request) { r.Header.Del("Origin") }, 404},
		"a form":              {"POST", "do", look, header("Content-Type", "text/plain"), 404},
		"a change by GET":     {"GET", "do", look, nil, 404},
		"another method":      {"PUT", "do", look, nil, 404},
		"what is not there":   {"GET", "page.js", "", nil, 404},
		"no request":          {"POST", "do", "take", nil, 400},
		"a long request":      {"POST", "do", `{"do":"` + strings.Repeat("x", mostRequest) + `"}`, nil, 400},
		"no number":           {"GET", "diagram/x", "", nil, 404},
	} {
		if status, text := send(t, s, c.method, c.what, c.body, c.change); status != c.status || strings.Contains(text, s.word) {
			t.Errorf("%s: %d %s", name, status, text)
		}
	}
	if asked != 0 {
		t.Errorf("%d requests of others were passed on", asked)
	}
	if status, _ := send(t, s, "POST", "do", look, nil); status != 200 || asked != 1 {
		t.Errorf("the page's own request: %d, %d passed on", status, asked)
	}
}

// TestHostileRunsAreDrawnAsText has the server escape what the process that runs the program says.
func TestHostileRunsAreDrawnAsText(t *testing.T) {
	const hostile = `</text><img src=x onerror=x()><script>x()</script>`
	s := listen(t, func(_ *Request, a *Answer) error {
		a.Run = &report.Trace{Execution: report.Execution{
			Start: report.Start{Creates: []string{hostile}},
			Steps: []report.Step{{Actor: hostile, Event: "internal", Handler: hostile, Timer: hostile, Creates: []string{hostile}}},
		}, Violation: report.Violation{Message: hostile}}
		return nil
	})
	if _, text := send(t, s, "GET", "diagram/0", "", nil); strings.Contains(text, "<img") || strings.Contains(text, "<script") || !strings.Contains(text, "&lt;img") {
		t.Errorf("the diagram has %s", text)
	}
}
