package explore

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/subtle"
	_ "embed"
	"encoding/json"
	"html/template"
	"io"
	"net"
	"net/http"
	"net/rpc"
	"net/rpc/jsonrpc"
	"strconv"
	"strings"
	"time"

	"harrier/internal/report/picture"
)

//go:embed page.html
var pageSource string

//go:embed page.css
var style string

//go:embed page.js
var script string

// Server is the page. Only who knows its address gets an answer: a word in it is drawn at random. Other pages in the same browser
// get none: their requests have another Origin, or, if their name resolves to this machine, another Host. All that changes
// something is a POST.
type Server struct {
	// Ask has a session answer a request.
	Ask  func(q *Request, a *Answer) error
	host string // with port
	word string
	page []byte
}

// NewServer makes the server for a listener on a loopback address.
func NewServer(l net.Listener, ask func(q *Request, a *Answer) error) *Server {
	s := &Server{Ask: ask, host: l.Addr().String(), word: rand.Text()}
	var page bytes.Buffer
	// It cannot fail: what the template is given is part of harrier.
	_ = template.Must(template.New("page").Parse(pageSource)).Execute(&page, struct {
		Style  template.CSS
		Script template.JS
	}{template.CSS(picture.Style + style), template.JS(picture.Panel + script)})
	s.page = page.Bytes()
	return s
}

// Address is where the page is.
func (s *Server) Address() string { return "http://" + s.host + "/" + s.word + "/" }

// mostRequest is more bytes than a request has.
const mostRequest = 4096

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", picture.Policy(picture.Panel+script)+
		"; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	word, what, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	origin := r.Header.Get("Origin")
	switch own := origin == "http://"+s.host; {
	case r.Host != s.host, origin != "" && !own, subtle.ConstantTimeCompare([]byte(word), []byte(s.word)) != 1:
		http.Error(w, "this is for the page that harrier explore printed the address of", http.StatusForbidden)
	case r.Method == http.MethodGet && what == "":
		h.Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(s.page)
	case r.Method == http.MethodGet && strings.HasPrefix(what, "diagram/"):
		s.diagram(w, strings.TrimPrefix(what, "diagram/"))
	case r.Method == http.MethodPost && what == "do" && own && r.Header.Get("Content-Type") == "application/json":
		s.do(w, r)
	default:
		http.Error(w, "there is no such page", http.StatusNotFound)
	}
}

func (s *Server) do(w http.ResponseWriter, r *http.Request) {
	var q Request
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, mostRequest)).Decode(&q); err != nil {
		http.Error(w, "it is no request", http.StatusBadRequest)
		return
	}
	var a Answer
	if err := s.Ask(&q, &a); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(a)
}

// diagram draws the run to a node. Texts are escaped here, outside of the process that runs the program.
func (s *Server) diagram(w http.ResponseWriter, node string) {
	n, err := strconv.Atoi(node)
	var a Answer
	if err == nil {
		err = s.Ask(&Request{Do: "run", Node: n}, &a)
	}
	if err != nil || a.Run == nil {
		http.Error(w, "there is no such state", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = picture.Diagram(w, a.Run)
}

// Serve answers the browser until the listener is closed.
func (s *Server) Serve(l net.Listener) error {
	return (&http.Server{Handler: s, ReadTimeout: time.Minute}).Serve(l)
}

// pipes are the two ends that a process has of two pipes.
type pipes struct {
	io.ReadCloser
	io.Writer
}

// Connect is how a Server asks the session at the other end of two pipes.
func Connect(in io.ReadCloser, out io.Writer) func(q *Request, a *Answer) error {
	client := jsonrpc.NewClient(pipes{in, out})
	return func(q *Request, a *Answer) error { return client.Call("Session.Do", q, a) }
}

// An answering function answers requests by net/rpc.
type answering func(q *Request, a *Answer)

// Do has the form of a method of net/rpc. Errors are in the answer.
func (f answering) Do(q *Request, a *Answer) error {
	f(q, a)
	return nil
}

// Answer has a session answer requests through two pipes, until they are closed. The context is that of all that the oracle is asked.
func (s *Session) Answer(ctx context.Context, in io.ReadCloser, out io.Writer) error {
	server := rpc.NewServer()
	answer := answering(func(q *Request, a *Answer) { s.Do(ctx, q, a) })
	if err := server.RegisterName("Session", answer); err != nil {
		return err
	}
	server.ServeCodec(jsonrpc.NewServerCodec(pipes{in, out}))
	return nil
}
