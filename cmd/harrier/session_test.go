package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"slices"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"harrier/bridge"
	"harrier/internal/process/supervisor"
	"harrier/internal/testkit/must"
)

// A session answers the command lines of a script in one process, with one virtual machine: that takes a tenth of the time of a
// process each. There is no supervisor and no sandbox, so scripts about these, about signals, time and memory have none.
type session struct {
	folder    string // where its process runs
	java      string // its JAVA_HOME
	requests  *json.Encoder
	responses *json.Decoder
}

type response struct {
	Code           int
	Stdout, Stderr string
}

// sessions are those of the scripts that run.
var sessions sync.Map

// begin has a session answer the command lines of harrier that exits runs from here on in this folder: session.
func begin(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: session")
	}
	path, err := exec.LookPath("harrier-session")
	ts.Check(err)
	from, to, err := os.Pipe()
	ts.Check(err)
	c := exec.Command(path)
	c.Dir = ts.MkAbs(".")
	c.ExtraFiles = []*os.File{to} // what programs print goes to its standard output, and nowhere
	c.Env = append(os.Environ(), "XDG_CACHE_HOME="+ts.Getenv("XDG_CACHE_HOME"), "HOME="+ts.Getenv("HOME"))
	in, err := c.StdinPipe()
	ts.Check(err)
	ts.Check(c.Start())
	ts.Check(to.Close())
	sessions.Store(ts, &session{c.Dir, ts.Getenv("JAVA_HOME"), json.NewEncoder(in), json.NewDecoder(from)})
	ts.Defer(func() {
		sessions.Delete(ts)
		in.Close()
		c.Wait()
		from.Close()
	})
}

// sessionFor is the session that can answer a command line, nil if a process is to.
func sessionFor(ts *testscript.TestScript, command []string) *session {
	value, ok := sessions.Load(ts)
	if !ok || command[0] != "harrier" || slices.ContainsFunc(command, needsProcess) {
		return nil
	}
	s := value.(*session)
	if s.folder != ts.MkAbs(".") || s.java != ts.Getenv("JAVA_HOME") {
		return nil
	}
	return s
}

// needsProcess reports whether an argument is a flag of the process that runs Java, so that a session cannot take its place.
func needsProcess(argument string) bool {
	return slices.Contains([]string{"--java-home", "--java-heap", "--step-timeout", "--sandbox", "--max-memory", "--cache", "--watch"}, argument)
}

// execute has a session answer a command line, and gives the exit code.
func (s *session) execute(ts *testscript.TestScript, arguments []string) int {
	ts.Check(s.requests.Encode(arguments))
	var r response
	ts.Check(s.responses.Decode(&r))
	ts.Logf("[session] harrier %q", arguments)
	_, err := io.WriteString(ts.Stdout(), r.Stdout)
	ts.Check(err)
	_, err = io.WriteString(ts.Stderr(), r.Stderr)
	ts.Check(err)
	return r.Code
}

// answerSession is the process of a session.
func answerSession() {
	jdk := must.Get(bridge.FindJDK(""))
	home := must.Get(bridge.Prepare(jdk, ""))
	defer home.Remove()
	jvm := must.Get(bridge.Open(jdk, home, bridge.Options{Threads: 4}))
	in := context.WithValue((*child)(nil).in(context.Background()), launcherKey{}, launcher(
		func(c *cobra.Command, s setup, run func(*cobra.Command) error) error {
			c.SetContext((&child{link: &supervisor.Link{}, setup: s, jvm: jvm}).in(c.Context()))
			return run(c)
		}))
	os.Args[0] = "harrier"
	requests, responses := json.NewDecoder(os.Stdin), json.NewEncoder(os.NewFile(3, "responses"))
	for {
		var arguments []string
		err := requests.Decode(&arguments)
		if err == io.EOF {
			return
		}
		must.Do(err)
		var stdout, stderr bytes.Buffer
		code := execute(in, nil, arguments, &stdout, &stderr)
		must.Do(responses.Encode(response{code, stdout.String(), stderr.String()}))
	}
}
