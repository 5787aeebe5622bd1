package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"harrier/bridge"
	"harrier/internal/process/launch"
	"harrier/internal/process/supervisor"
	"harrier/internal/testkit/must"
)

// A session answers the command lines of scripts in one process, with one virtual machine: that takes a tenth of the time of a
// process each. There is no supervisor and no sandbox, so scripts about these, about signals, time and memory have none.
//
// One script has it at a time, and the next one takes it over: Java is warm then. What a script has is in the folder where the process
// runs meanwhile, since Java does not change its folder.
type session struct {
	settings
	folder    string // where its process runs
	end       func() // ends it
	requests  *json.Encoder
	responses *json.Decoder
	asked     bool // without a response: no other script takes it over
}

// settings are the settings common to all scripts that a session serves.
type settings struct{ java, cache, home string }

func settingsOf(ts *testscript.TestScript) settings {
	return settings{ts.Getenv("JAVA_HOME"), ts.Getenv("XDG_CACHE_HOME"), ts.Getenv("HOME")}
}

type response struct {
	Code           int
	Stdout, Stderr string
}

var (
	// sessions are the sessions of running scripts.
	sessions sync.Map
	// idle are the sessions of no script.
	idle struct {
		sync.Mutex
		sessions []*session
	}
)

// begin has a session answer the command lines of harrier that exits runs from here on in this folder: session.
func begin(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: session")
	}
	s, work := takeIdle(settingsOf(ts)), ts.MkAbs(".")
	if work != ts.Getenv("WORK") {
		ts.Fatalf("session: not in $WORK")
	}
	if s == nil {
		s = startSession(ts)
	}
	ts.Check(moveAll(work, s.folder))
	ts.Check(os.Remove(work))
	ts.Check(os.Symlink(s.folder, work))
	sessions.Store(ts, s)
	ts.Defer(func() {
		sessions.Delete(ts)
		must.Do(os.Remove(work))
		must.Do(os.Mkdir(work, 0o755))
		must.Do(moveAll(s.folder, work))
		if s.asked {
			s.end()
			return
		}
		idle.Lock()
		defer idle.Unlock()
		idle.sessions = append(idle.sessions, s)
	})
}

func takeIdle(of settings) *session {
	idle.Lock()
	defer idle.Unlock()
	i := slices.IndexFunc(idle.sessions, func(s *session) bool { return s.settings == of })
	if i < 0 {
		return nil
	}
	s := idle.sessions[i]
	idle.sessions = slices.Delete(idle.sessions, i, i+1)
	return s
}

// endSessions ends those that no script has.
func endSessions() {
	idle.Lock()
	defer idle.Unlock()
	for _, s := range idle.sessions {
		s.end()
	}
	idle.sessions = nil
}

func startSession(ts *testscript.TestScript) *session {
	path, err := exec.LookPath("harrier-session")
	ts.Check(err)
	from, to, err := os.Pipe()
	ts.Check(err)
	around, err := os.MkdirTemp(filepath.Dir(filepath.Dir(ts.Getenv("WORK"))), "session-")
	ts.Check(err)
	// Harrier looks for neighbours of a program, of which the folder of temporary files has thousands.
	s := &session{settings: settingsOf(ts), folder: filepath.Join(around, "work")}
	ts.Check(os.Mkdir(s.folder, 0o755))
	c := exec.Command(path)
	c.SysProcAttr = supervisor.Attributes() // else a check that goes on outlives tests that are killed
	c.Dir = s.folder
	c.ExtraFiles = []*os.File{to} // programs print to its standard output, which leads nowhere
	c.Env = append(os.Environ(), "XDG_CACHE_HOME="+s.cache, "HOME="+s.home)
	in, err := c.StdinPipe()
	ts.Check(err)
	ts.Check(c.Start())
	ts.Check(to.Close())
	s.requests, s.responses = json.NewEncoder(in), json.NewDecoder(from)
	s.end = func() {
		in.Close()
		c.Wait()
		from.Close()
		os.RemoveAll(around)
	}
	return s
}

// moveAll moves the content of a folder to another one.
func moveAll(from, to string) error {
	entries, err := os.ReadDir(from)
	for _, e := range entries {
		err = errors.Join(err, os.Rename(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())))
	}
	return err
}

// sessionFor is the session that can answer a command line, nil if a process is to.
func sessionFor(ts *testscript.TestScript, command []string) *session {
	value, ok := sessions.Load(ts)
	if !ok || command[0] != "harrier" || slices.ContainsFunc(command, needsProcess) {
		return nil
	}
	s := value.(*session)
	if ts.MkAbs(".") != ts.Getenv("WORK") || s.settings != settingsOf(ts) {
		return nil
	}
	return s
}

// needsProcess reports whether an argument is a flag of the process that runs Java, or a command with a network, so that a session
// cannot take its place.
func needsProcess(argument string) bool {
	return slices.Contains([]string{"--java-home", "--java-heap", "--step-timeout", "--sandbox", "--isolate", "--max-memory", "--on-change", "--cluster", "run", "watch"}, argument)
}

// answer has a session answer a command line.
func (s *session) answer(ts *testscript.TestScript, arguments []string) response {
	s.asked = true
	ts.Check(s.requests.Encode(arguments))
	var r response
	ts.Check(s.responses.Decode(&r))
	s.asked = false
	ts.Logf("[session] harrier %q", arguments)
	return r
}

// execute has a session answer a command line, prints its output, and returns the exit code.
func (s *session) execute(ts *testscript.TestScript, arguments []string) int {
	r := s.answer(ts, arguments)
	_, err := io.WriteString(ts.Stdout(), r.Stdout)
	ts.Check(err)
	_, err = io.WriteString(ts.Stderr(), r.Stderr)
	ts.Check(err)
	return r.Code
}

// answerSession is the process of a session.
func answerSession() {
	jdk := must.Get(bridge.FindJDK(""))
	home := must.Get(bridge.Prepare(jdk))
	defer home.Remove()
	kept := must.Get(os.MkdirTemp("", "session-kept-"))
	defer os.RemoveAll(kept)
	must.Do(home.KeepIn(kept, "", "")) // compiled classes, as the processes of users do
	jvm := must.Get(bridge.Open(jdk, home, bridge.Options{Threads: 4}))
	in := context.WithValue(withChild(context.Background(), nil), launcherKey{}, launcher{home,
		func(c *cobra.Command, s launch.Setup, run func(*cobra.Command) error) error {
			c.SetContext(withChild(c.Context(), &launch.Child{Link: &supervisor.Link{}, Setup: s, JVM: jvm}))
			return run(c)
		}})
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
