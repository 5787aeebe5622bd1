// Package bridge runs Java programs in a Java virtual machine and answers questions about them: it is the
// model.Oracle that users' programs stand behind.
//
//	Open    -> JVM (jni.go, jni.c: the virtual machine of this process and its threads)
//	Connect -> JVM (remote.go: that of another process, which calls Serve)
//	JVM.Load -> Program -> Steps, Evaluate, Record (wire.go: questions and answers as bytes)
//
// The JVM is created through JNI's invocation interface; a process can have one. It is asked in
// batches, by several goroutines at once (workers.go), quickest by the goroutines of a search (run.go).
// Another goroutine looks at the running code when a step takes too long (watch.go): Java code cannot be stopped,
// so such a JVM is given up. Answers may hold any bytes: an answer that does not fit is an error.
package bridge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Options say how to run the virtual machine.
type Options struct {
	Heap uint64 // largest heap in bytes; 0 for DefaultHeap
	// StepTime is how long a local step may take; 0 means no limit.
	StepTime time.Duration
	// Threads is how many questions may be answered at once; 0 means 1. Further ones wait.
	Threads int
	// Messages is the descriptor to which the virtual machine writes the line "exit CODE" when it is made to end the
	// process; 0 for none.
	Messages int
	// Crashes is the folder for the report of a crash; "" for none.
	Crashes string
	// DebugPort is the port of this machine at which the virtual machine waits for a debugger before it runs anything; 0 for
	// none. Then nothing has a limit of time.
	DebugPort int
}

func (o Options) threads() int { return max(o.Threads, 1) }

// Bounds of the heap, in bytes.
const (
	DefaultHeap = 1 << 30
	LeastHeap   = 16 << 20 // below, the virtual machine may end the process before it starts
)

// JVM is a virtual machine, that of this process or of another one. Several goroutines may ask it at once, but not
// while a program is loaded or its classes are read.
type JVM struct {
	asker   asker
	workers *workers
	// together is how many questions are answered at once where several virtual machines answer, else 0.
	together atomic.Int64
	// life ends when a step does not return, with a *model.LimitError as its cause.
	life   context.Context
	giveUp context.CancelCauseFunc
	// slow describes the execution that has used the most processor time, a second at least; nil if no execution has.
	slow atomic.Pointer[string]
}

// Slow describes the execution that has run for some time, and how long; "" without one.
func (j *JVM) Slow() string {
	if slow := j.slow.Load(); slow != nil {
		return *slow
	}
	return ""
}

// An asker has a question answered by a worker, of which it has one question at a time, and returns when there is an answer.
type asker interface {
	call(w *worker, operation int, question []byte) (answer []byte, err error)
}

// newJVM is the virtual machine that answers through an asker. It is watched, but not under a debugger.
func newJVM(a asker, o Options) *JVM {
	j := &JVM{asker: a, workers: newWorkers(o.threads())}
	j.life, j.giveUp = context.WithCancelCause(context.Background())
	if o.DebugPort == 0 {
		go j.watch(o.StepTime)
	}
	return j
}

var (
	opening sync.Mutex
	opened  bool
)

// CrashPrefix begins the names of reports of crashes.
const CrashPrefix = "java-crash-"

const entryClass = "harrier/runtime/Bridge"

// Open creates the virtual machine of this process. It can be called once in a process.
func Open(jdk *JDK, home *Home, o Options) (*JVM, error) {
	v, err := start(jdk, home, o)
	if err != nil {
		return nil, err
	}
	return newJVM(v, o), nil
}

// start creates the virtual machine of this process.
func start(jdk *JDK, home *Home, o Options) (*vm, error) {
	opening.Lock()
	defer opening.Unlock()
	if opened {
		return nil, errors.New("a process can have one Java virtual machine, and this one had it")
	}
	heap := o.Heap
	if heap == 0 {
		heap = DefaultHeap
	}
	own := []string{
		"-Xrs", // Ctrl-C stays Go's
		fmt.Sprintf("-Xmx%d", max(heap, LeastHeap)),
		"-agentlib:harrier", // jni.c
		"-XX:+DisableAttachMechanism", "-XX:-CreateCoredumpOnCrash",
	}
	if o.Crashes != "" {
		own = append(own, "-XX:ErrorFile="+filepath.Join(o.Crashes, CrashPrefix+"%p.log"))
	} else {
		own = append(own, "-XX:ErrorFile="+os.DevNull)
	}
	if home.Archive != "" {
		// At the address that the archive was made for: elsewhere each pointer in it would have to be changed first.
		own = append(own, "-XX:SharedArchiveFile="+home.Archive, "-XX:+UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode=0")
	}
	if home.Rewritten != "" {
		own = append(own, "-Dharrier.jdk="+home.Rewritten)
	}
	if home.Classes != "" {
		own = append(own, "-Dharrier.classes="+home.Classes)
	}
	if o.DebugPort != 0 {
		own = append(own, "-Djava.net.preferIPv4Stack=true", // the sandbox lets it have no other
			fmt.Sprintf("-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,quiet=y,address=127.0.0.1:%d", o.DebugPort))
	}
	// While one of Go's processors is idle, those of goroutines that are in Java are left to them; otherwise they are given
	// away after 20 microseconds, and a goroutine that comes back waits for another.
	runtime.GOMAXPROCS(max(runtime.GOMAXPROCS(0), o.threads()+1))
	v, err := createVM(jdk.LibJVM, append(options(home), own...), o.Messages, entryClass)
	if err != nil {
		return nil, fmt.Errorf("%w (heap limit %d MB)", err, heap>>20)
	}
	opened = true
	return v, nil
}

// options are for every virtual machine that runs harrier's runtime. One that uses an archive must
// agree in them with the virtual machine that made it.
func options(home *Home) []string {
	return []string{
		"-XX:+UseSerialGC",        // few threads ask, and their garbage is short-lived
		"-XX:TieredStopAtLevel=1", // most checks need few steps: quick compilation beats the best code
		"-XX:-UsePerfData",        // nobody attaches: no files in /tmp
		"-Xshare:auto",
		"-Xlog:disable", // standard output is not the virtual machine's, whatever it thinks of an archive
		// The same everywhere, whatever the machine's settings are.
		"-Duser.timezone=UTC", "-Duser.language=en", "-Duser.country=US",
		"-Djava.class.path=" + home.API + ":" + home.Runtime,
		"-Dharrier.api=" + home.API,
	}
}

// The operations of the Java side's entry class.
const (
	opLoad = iota + 1
	opSteps
	opEvaluate
	opClasses
	opWhere
	opRecord
	opNotes
	opShown
	opFingerprint
	opPrepare
	opCoverage
	opAside
	opThreads // Answered by NobodyAnswer, not by Java.
	opStop    // Ends an execution that does not return.
	opProfile
)

// ask has a question answered. It returns with the answer, when the context ends, or when the JVM is given
// up. In the latter cases the worker stays busy until it has the answer, which may be never.
func (j *JVM) ask(ctx context.Context, operation int, question []byte) (*reader, error) {
	if err := j.reason(ctx); err != nil {
		return nil, err
	}
	r, ok := ctx.Value(runKey{}).(*run)
	if ok {
		return r.ask(operation, question).open()
	}
	answered := make(chan reply, 1) // with room for one, so that nobody need wait for it
	go func() { answered <- j.answer(ctx, operation, question) }()
	select {
	case r := <-answered:
		return r.open()
	case <-j.life.Done():
	case <-ctx.Done():
	}
	return nil, j.reason(ctx)
}

// reason is why nothing is asked any more; nil if it is.
func (j *JVM) reason(ctx context.Context) error {
	if j.life.Err() != nil {
		return context.Cause(j.life)
	}
	return context.Cause(ctx)
}

type reply struct {
	answer []byte
	err    error
}

func (r reply) open() (*reader, error) {
	if r.err != nil {
		return nil, r.err
	}
	return open(r.answer)
}

// answer has a worker answer a question, once there is a place.
func (j *JVM) answer(ctx context.Context, operation int, question []byte) reply {
	select {
	case j.workers.places <- struct{}{}:
	case <-j.life.Done():
		return reply{err: j.reason(ctx)}
	case <-ctx.Done():
		return reply{err: j.reason(ctx)}
	}
	w := j.workers.take()
	defer j.workers.putBack(w)
	answer, err := j.asker.call(w, operation, question)
	return reply{answer, err}
}
