package launch

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"harrier/bridge"
	"harrier/internal/process/launch/verdicts"
	"harrier/internal/process/supervisor"
	"harrier/internal/report"
)

// graceTime is how long a child may go on when its time is over, to print what it has. It ends by itself before, unless it is held up:
// then this process prints its last figures.
const graceTime = 3 * time.Second / 2

// graceShare is the part of its memory by which a child may go beyond that for the same. It is less than a tenth, as the child goes on
// taking memory between two looks at it, and is to be gone before it has taken a tenth more.
const graceShare = 11

// Prepared is a task with the Java installation and the folder of harrier's own files that its child uses.
type Prepared struct {
	*Task
	JDK  *bridge.JDK
	Home *bridge.Home
}

// Prepare finds Java and makes the folder. Close removes temporary files.
func (t *Task) Prepare() (*Prepared, error) {
	jdk, err := bridge.FindJDK(t.JavaHome)
	if err != nil {
		return nil, usage(err)
	}
	var home *bridge.Home
	if t.Unpacked != nil {
		unpacked := *t.Unpacked
		home = &unpacked
	} else if home, err = bridge.Prepare(jdk); err != nil {
		return nil, err
	}
	p := &Prepared{t, jdk, home}
	if t.Program != "" {
		home.Keep(t.Program, t.Libs)
	}
	if t.Cache != "" {
		if err := home.KeepIn(t.Cache, t.Program, t.Libs); err != nil {
			p.Close()
			return nil, usage(fmt.Errorf("--cache: %w: name a folder that only you can write to", err))
		}
	}
	return p, nil
}

// Close removes the folder, unless it was there before.
func (p *Prepared) Close() {
	if p.Unpacked == nil {
		p.Home.Remove()
	}
}

// Outcome is how a task ended.
type Outcome struct {
	Code int // the exit code that the child reported
	// Answer is a summary that the caller is to print, as the child did not: of an earlier check, whose verdict was kept, or of the figures that the
	// child sent when a limit ended it. It is nil otherwise.
	Answer *report.Summary
	Known  *report.Summary // beside an error, what the child knew of a check; nil for nothing
	Lost   bool            // the child ended before it was to begin
}

// Run runs the child to its end, unless the verdict is kept. Programs can end, crash and stop the virtual machine: whatever they do, this
// process has an outcome, or an error that says how the child ended.
func (p *Prepared) Run() (Outcome, error) {
	if p.Verdict != nil {
		identity, err := verdicts.Identity(p.JDK, p.Sandbox)
		if err != nil {
			return Outcome{}, err
		}
		p.Verdict.Disk = verdicts.Disk{Identity: identity, Program: p.Program, ClassPath: p.ClassPath}
		if found := p.Verdict.Find(p.Home.Verdicts); found != nil {
			return Outcome{Answer: found}, nil
		}
	}
	return p.supervise()
}

func (t *Prepared) supervise() (Outcome, error) {
	environment, ignored := bridge.Environment()
	if len(ignored) > 0 {
		t.Tell(strings.Join(ignored, ", ") + ": ignored, as harrier sets Java's options itself; unset it")
	}
	keeper, endKeeping, err := t.serve()
	if err != nil {
		return Outcome{}, err
	}
	defer endKeeping()
	s := Setup{JDK: t.JDK, Home: t.Home, Keeper: keeper, Crashes: t.Home.Classes, Snapshot: t.Snapshot, DebugPort: t.Reach.Port,
		Connected: t.connected, Command: t.Command, Waits: t.begin != nil, Loads: t.loads, Keeps: t.Verdict != nil}
	if t.Verdict != nil {
		s.Identity = t.Verdict.Identity
	}
	printed := &report.PlainWriter{To: t.Stderr}
	p := supervisor.Child{Environment: environment, Signals: t.Signals, Quiet: !t.Prints, Stderr: printed, Files: t.files,
		Begin: t.begin}
	if t.Timeout > 0 {
		p.Timeout = t.Timeout + graceTime
	}
	if t.MaxMemory > 0 {
		p.MaxMemory = t.MaxMemory + t.MaxMemory/graceShare
	}
	var java *isolation
	if t.Isolate != nil {
		if java, err = t.isolateJava(&s, &p); err != nil {
			return Outcome{}, err
		}
		defer java.stop()
	}
	own := len(p.Files)
	if err := confine(t.Sandbox, &s, &p, t.Reach); err != nil {
		return Outcome{}, err
	}
	defer func() { closeAll(p.Files[own:]) }()
	if s.Remark != "" && !t.Remarks {
		t.Tell(s.Remark)
	}
	end, err := supervisor.Run(p)
	printed.Flush()
	if err != nil {
		return Outcome{}, notStarted(err)
	}
	o := Outcome{Code: end.Code, Lost: t.begin != nil && !end.Begun}
	switch {
	case !end.Reported || end.Foreign:
		return t.withFigures(o, end, t.ended(end, s))
	case end.Code == ExitLost:
		return o, t.lostJava(java, end.Doing)
	}
	t.Home.Leave(t.JDK)
	if t.Verdict != nil && end.Kept != "" {
		t.Verdict.Keep([]byte(end.Kept))
	}
	return o, nil
}

// withFigures adds to an outcome what a child that reported no result knew of a search. Where a limit ended the child, that is an answer, and
// no error.
func (t *Task) withFigures(o Outcome, end *supervisor.End, err *Failure) (Outcome, error) {
	known := &report.Summary{}
	if end.Figures == "" || json.Unmarshal([]byte(end.Figures), known) != nil {
		return o, err
	}
	if err.Document.Kind != report.LimitKind {
		o.Known = known
		return o, err
	}
	known.Reason = err.Document.Text
	if !t.canGoOn() {
		known.GoOn = ""
	}
	o.Answer = known
	return o, nil
}
