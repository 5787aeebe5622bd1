package supervisor

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
)

// Link is a child's link to its supervisor.
type Link struct {
	word              string
	Stdout, Stderr    *os.File // the supervisor's
	reports, messages *os.File
	setup             json.RawMessage
	signals           chan os.Signal
	begun             chan struct{}
}

// Passed are the signals that a supervisor passes on to its child, which ignores them otherwise: on a terminal both get them,
// and jstack sends the child SIGQUIT.
var Passed = []os.Signal{syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGHUP}

// Attach returns the link to the supervisor, or nil if this process is no child.
func Attach() (*Link, error) {
	if _, ok := os.LookupEnv(variable); !ok {
		return nil, nil
	}
	os.Unsetenv(variable)
	signal.Ignore(Passed...)
	lines := bufio.NewReader(os.NewFile(ordersFile, "orders"))
	line, err := lines.ReadBytes('\n')
	var o orders
	if err == nil {
		err = json.Unmarshal(line, &o)
	}
	if err != nil {
		return nil, errors.New("the variable " + variable + " is harrier's own: unset it")
	}
	l := &Link{
		word: o.Word, reports: os.NewFile(reportsFile, "reports"), messages: os.NewFile(messagesFile, "messages"),
		Stdout: os.NewFile(stdoutFile, "stdout"), Stderr: os.NewFile(stderrFile, "stderr"), setup: o.Setup,
		signals: make(chan os.Signal, 2), begun: make(chan struct{}),
	}
	go func() {
		for {
			line, err := lines.ReadString('\n')
			number, noNumber := strconv.Atoi(strings.TrimSpace(line))
			if err != nil || noNumber != nil {
				return
			}
			if number == begin {
				close(l.begun)
				continue
			}
			l.signals <- syscall.Signal(number)
		}
	}()
	return l, nil
}

// Setup reads what the supervisor has set up.
func (l *Link) Setup(setup any) error { return json.Unmarshal(l.setup, setup) }

// Signals are those that the supervisor passes on.
func (l *Link) Signals() chan os.Signal { return l.signals }

// Begun is closed when the supervisor wants the child to begin.
func (l *Link) Begun() <-chan struct{} { return l.begun }

// Messages is the descriptor of the file for messages, whose content outlives the process.
func (l *Link) Messages() int { return int(l.messages.Fd()) }

// Said is what the file for messages has so far.
func (l *Link) Said() string { return readMessages(l.messages) }

// Doing reports what the child begins to do.
func (l *Link) Doing(what string) { fmt.Fprintln(l.reports, l.word, what) }

// Keep reports what the child came to, as JSON without line breaks, for later runs.
func (l *Link) Keep(result []byte) { fmt.Fprintf(l.reports, "%s %s%s\n", l.word, keep, result) }

// Exit reports the exit code. The process is to end with it at once.
func (l *Link) Exit(code int) { fmt.Fprintln(l.reports, l.word, "exit", code) }
