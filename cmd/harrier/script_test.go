package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/rogpeppe/go-internal/testscript"
)

// The commands that the scripts have beside testscript's own.

// exits runs a command and demands its exit code: exits 3 harrier check … . Its output can be
// examined with stdout and stderr.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARGUMENT...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := exitCodeOf(ts, args[1:]); got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// exitCodeOf runs a command, in the session of the script if that has one.
func exitCodeOf(ts *testscript.TestScript, command []string) int {
	if s := sessionFor(ts, command); s != nil {
		return s.execute(ts, command[1:])
	}
	err := ts.Exec(command[0], command[1:]...)
	if exit, ok := err.(*exec.ExitError); ok {
		return exit.ExitCode()
	}
	ts.Check(err)
	return 0
}

// interruptAt starts a command, sends it a signal as soon as there is a file, and demands an exit code:
// interruptAt FILE INT|TERM|KILL 130 harrier check … . The name may be a pattern. Its output is put into the files interrupted and
// interrupted-stderr.
func interruptAt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 {
		ts.Fatalf("usage: interruptAt FILE INT|TERM|KILL CODE COMMAND ARGUMENT...")
	}
	signalWhen(ts, args[1:], func(pid int) bool {
		if hasEnded(ts, pid) {
			ts.Fatalf("the process ended by itself")
		}
		files, err := filepath.Glob(ts.MkAbs(args[0]))
		ts.Check(err)
		return len(files) > 0
	})
}

func signalWhen(ts *testscript.TestScript, args []string, ready func(pid int) bool) {
	signals := map[string]syscall.Signal{
		"INT": syscall.SIGINT, "QUIT": syscall.SIGQUIT, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP, "KILL": syscall.SIGKILL,
	}
	path, err := exec.LookPath(args[2])
	ts.Check(err)
	c := exec.Command(path, args[3:]...)
	var out, errors bytes.Buffer
	c.Dir, c.Stdout, c.Stderr = ts.Getenv("WORK"), &out, &errors
	c.Env = append(os.Environ(), "XDG_CACHE_HOME="+ts.Getenv("XDG_CACHE_HOME"))
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP) // or it inherits that nohup ignores the signal
	ts.Check(c.Start())
	isWatched := false
	defer func() {
		if !isWatched { // it ended by itself
			c.Wait()
			ts.Logf("it printed:\n%s%s", out.String(), errors.String())
		}
	}()
	for !ready(c.Process.Pid) {
		time.Sleep(100 * time.Millisecond)
	}
	isWatched = true
	ts.Check(c.Process.Signal(signals[args[0]]))
	stuck := time.AfterFunc(mostEndTime, func() { abort(c.Process.Pid) })
	c.Wait()
	if !stuck.Stop() {
		reports, _ := filepath.Glob(ts.MkAbs("harrier-out/*.log"))
		for _, path := range reports {
			ts.Logf("%s", ts.ReadFile(path))
		}
		ts.Fatalf("it did not end within %v of the signal; output:\n%s%s", mostEndTime, out.String(), errors.String())
	}
	if got := strconv.Itoa(c.ProcessState.ExitCode()); got != args[1] {
		ts.Fatalf("exit code %s, want %s; output:\n%s%s", got, args[1], out.String(), errors.String())
	}
	ts.Check(os.WriteFile(ts.MkAbs("interrupted"), out.Bytes(), 0o644))
	ts.Check(os.WriteFile(ts.MkAbs("interrupted-stderr"), errors.Bytes(), 0o644))
}

// mostEndTime is how long a command may take to end after a signal, on a machine however busy, before it is taken to hang.
const mostEndTime = 3 * time.Minute

// abort has a process and its children end with what their goroutines were doing.
func abort(pid int) {
	for _, process := range append(childrenOf(pid), pid) {
		_ = syscall.Kill(process, syscall.SIGABRT)
		time.Sleep(time.Second) // the supervisor prints its child's output
	}
}

// port puts an address of this machine where nobody listens into a variable, and its port into another one: port NAME.
func port(ts *testscript.TestScript, neg bool, args []string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Setenv(args[0], l.Addr().String())
	ts.Setenv(args[0]+"_PORT", strconv.Itoa(l.Addr().(*net.TCPAddr).Port))
	ts.Check(l.Close())
}

// await waits until somebody listens at an address: await ADDRESS.
func await(ts *testscript.TestScript, neg bool, args []string) {
	for {
		c, err := net.Dial("tcp", args[0])
		if err == nil {
			ts.Check(c.Close())
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// post sends a request of the page of explore, when its address is in a file: post FILE REQUEST. The answer is on standard output.
func post(ts *testscript.TestScript, neg bool, args []string) {
	var address string
	for tries := 0; address == ""; tries++ {
		if time.Sleep(50 * time.Millisecond); tries == 2000 {
			ts.Fatalf("there is no address in %s", args[0])
		}
		b, _ := os.ReadFile(ts.MkAbs(args[0]))
		line, whole := strings.CutSuffix(string(b), "\n")
		if _, at, ok := strings.Cut(line, "explore:"); ok && whole {
			address = strings.TrimSpace(at)
		}
	}
	r, err := http.NewRequest(http.MethodPost, address+"do", strings.NewReader(args[1]))
	ts.Check(err)
	r.Header.Set("Origin", "http://"+r.URL.Host)
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	ts.Check(err)
	defer answer.Body.Close()
	_, err = io.Copy(ts.Stdout(), answer.Body)
	ts.Check(err)
}

// jar puts the files of a folder into a jar: jar FILE FOLDER.
func jar(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: jar FILE FOLDER")
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	ts.Check(w.AddFS(os.DirFS(ts.MkAbs(args[1]))))
	ts.Check(w.Close())
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b.Bytes(), 0o644))
}

// jdb attaches the JDK's debugger to an address once somebody listens there, and gives it commands, the next one when its output
// has some texts: jdb ADDRESS COMMAND 'TEXT … TEXT' … .
func jdb(ts *testscript.TestScript, neg bool, args []string) {
	for {
		c := exec.Command("jdb", "-attach", args[0])
		in, err := c.StdinPipe()
		ts.Check(err)
		out, err := c.StdoutPipe()
		ts.Check(err)
		ts.Check(c.Start())
		said := &words{from: out}
		attached := said.have("[1] ")
		for i := 1; attached && i < len(args); i += 2 {
			fmt.Fprintln(in, args[i])
			for text := range strings.SplitSeq(args[i+1], " … ") {
				if !said.have(text) {
					ts.Fatalf("jdb does not say %q after %q: %s", text, args[i], said.rest)
				}
			}
		}
		in.Close()
		c.Wait()
		if attached {
			return
		}
	}
}

// words are what somebody says.
type words struct {
	from io.Reader
	rest []byte
}

// have reports whether a text comes before the end, and goes on after it.
func (w *words) have(text string) bool {
	_, found := w.until(text)
	return found
}

// until returns the output before a text, if that comes before the end, and goes on after it.
func (w *words) until(text string) (before string, found bool) {
	for b := make([]byte, 1<<12); ; {
		if before, rest, found := bytes.Cut(w.rest, []byte(text)); found {
			said := string(before)
			w.rest = rest
			return said, true
		}
		n, err := w.from.Read(b)
		if w.rest = append(w.rest, b[:n]...); err != nil && n == 0 {
			return "", false
		}
	}
}

// join starts a worker by the line that a check has printed into a file, with further arguments: join FILE [kill] ARGUMENT... . It returns
// when the worker answers for the check, and kills it once it has joined if that is asked for. Else it ends with the script.
func join(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: join FILE [kill] ARGUMENT...")
	}
	var url string
	for tries := 0; url == ""; tries++ {
		if time.Sleep(50 * time.Millisecond); tries == 2000 {
			ts.Fatalf("there is no line to type in %s", args[0])
		}
		b, _ := os.ReadFile(ts.MkAbs(args[0]))
		_, line, _ := strings.Cut(string(b), "harrier worker --cluster ")
		url, _, _ = strings.Cut(line, "\n")
	}
	kills := len(args) > 1 && args[1] == "kill"
	rest := args[1:]
	if kills {
		rest = args[2:]
	}
	ts.Setenv("CLUSTER", url)
	path, err := exec.LookPath("harrier")
	ts.Check(err)
	c := exec.Command(path, append([]string{"worker", "--cluster", url}, rest...)...)
	c.Dir, c.Env = ts.MkAbs("."), append(os.Environ(), "XDG_CACHE_HOME="+ts.Getenv("XDG_CACHE_HOME"), "TMPDIR="+ts.Getenv("TMPDIR"))
	out, err := c.StderrPipe()
	ts.Check(err)
	ts.Check(c.Start())
	said := &words{from: out}
	late := time.AfterFunc(time.Minute, func() { c.Process.Kill() })
	defer late.Stop()
	name, _ := said.until(" waits for checks")
	name = name[strings.LastIndex(name, "harrier: ")+len("harrier: "):]
	if !said.have("answers for the check of ") {
		ts.Fatalf("the worker ends: %s", said.rest)
	}
	if kills {
		for b := []byte(nil); !bytes.Contains(b, []byte(name+" has joined")); time.Sleep(10 * time.Millisecond) {
			b, _ = os.ReadFile(ts.MkAbs(args[0]))
		}
		ts.Check(c.Process.Kill())
		c.Wait()
		return
	}
	go io.Copy(io.Discard, out)
	ts.Defer(func() {
		c.Process.Signal(syscall.SIGTERM)
		c.Wait()
	})
}

// servers starts a server of NATS that ends with the script, and puts its URL into a variable: servers NAME.
func servers(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: servers NAME")
	}
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: ts.MkAbs("servers-folder"), NoSigs: true, NoLog: true,
	})
	ts.Check(err)
	go s.Start()
	ts.Defer(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(time.Minute) {
		ts.Fatalf("the server does not start")
	}
	ts.Setenv(args[0], s.ClientURL())
}

// gone demands that the process whose number a file holds has ended: gone FILE.
func gone(ts *testscript.TestScript, neg bool, args []string) {
	pid, err := strconv.Atoi(strings.TrimSpace(ts.ReadFile(args[0])))
	ts.Check(err)
	// It may still be there for its parent, or the system, to take notice of.
	for range 50 {
		if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err != nil || bytes.Contains(stat, []byte(") Z ")) {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	ts.Fatalf("process %d is still there", pid)
}

// hasEnded reports whether a process has ended that nobody waits for yet.
func hasEnded(ts *testscript.TestScript, pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	ts.Check(err)
	// The fields after the command's name in parentheses start with the third.
	return strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))[0] == "Z"
}

// jsonKeys demands that a file is one JSON document with these top-level values:
// json FILE key=value key… ; a bare key must only be there.
func jsonKeys(ts *testscript.TestScript, neg bool, args []string) {
	var document map[string]json.RawMessage
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &document))
	for _, want := range args[1:] {
		key, value, hasValue := strings.Cut(want, "=")
		got, ok := document[key]
		if !ok {
			ts.Fatalf("there is no key %s", key)
		}
		if hasValue && strings.Trim(string(got), `"`) != value {
			ts.Fatalf("%s is %s, want %s", key, got, value)
		}
	}
}

// childrenOf are the processes that a process started and that have not ended. The system's own lists of children may lack some.
func childrenOf(pid int) []int {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	var children []int
	for _, path := range stats {
		stat, _ := os.ReadFile(path) // it may have ended
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if len(fields) > 1 && fields[0] != "Z" && fields[1] == strconv.Itoa(pid) {
			child, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			if err == nil {
				children = append(children, child)
			}
		}
	}
	return children
}
