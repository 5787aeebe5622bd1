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
	"sync"
	"syscall"
)

// Link is a child's link to its supervisor.
type Link struct {
	word              string
	Stdout, Stderr    *os.File // the supervisor's
	reports, messages *os.File
	setup             json.RawMessage
	signals           chan os.Signal
	begun, synced     chan struct{}
	reporting         sync.Mutex // so that reports do not mix
	syncing           sync.Mutex // so that each Sync has the answer to its own
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
		signals: make(chan os.Signal, 2), begun: make(chan struct{}), synced: make(chan struct{}),
	}
	go func() {
		for {
			line, err := lines.ReadString('\n')
			number, noNumber := strconv.Atoi(strings.TrimSpace(line))
			if err != nil || noNumber != nil {
				return
			}
			switch number {
			case begin:
				close(l.begun)
			case synced:
				l.synced <- struct{}{}
			default:
				l.signals <- syscall.Signal(number)
			}
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
func (l *Link) Doing(what string) { l.report(what) }

// Keep reports what the child came to, as JSON without line breaks, for later runs.
func (l *Link) Keep(result []byte) { l.report(keep + string(result)) }

// Figures reports what the child knows so far, as JSON without line breaks: the supervisor has it if the child does not get to print it.
func (l *Link) Figures(known []byte) { l.report(figures + string(known)) }

// Sync returns when the supervisor has heard all that was reported before, so that what the child prints then is printed by a child whose
// reports are its own.
func (l *Link) Sync() {
	l.syncing.Lock()
	defer l.syncing.Unlock()
	l.report(syncs)
	<-l.synced
}

// Exit reports the exit code. The process is to end with it at once.
func (l *Link) Exit(code int) { l.report("exit " + strconv.Itoa(code)) }

func (l *Link) report(what string) {
	l.reporting.Lock()
	defer l.reporting.Unlock()
	fmt.Fprintln(l.reports, l.word, what)
}
