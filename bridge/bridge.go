// Package bridge runs Java programs in a Java virtual machine inside this process and answers
// questions about them: it is the model.Oracle that users' programs stand behind.
//
//	Open -> JVM (jni.go, jni.c: the virtual machine and its threads)
//	JVM.Load -> Program -> Steps, Evaluate, Record (wire.go: questions and answers in shared memory)
//
// The JVM is created through JNI's invocation interface; a process can have one. It is asked in
// batches, by one thread. A second thread looks at the first when a step takes too long: Java code
// cannot be stopped, so such a JVM is given up.
package bridge

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"harrier/model"
)

// Options say how to run the virtual machine.
type Options struct {
	Heap uint64 // largest heap in bytes; 0 for DefaultHeap
	// StepTime is how long a local step may take; 0 means no limit.
	StepTime time.Duration
}

// Bounds of the heap, in bytes.
const (
	DefaultHeap = 1 << 30
	LeastHeap   = 16 << 20 // below, the virtual machine may end the process before it starts
)

// JVM is the virtual machine of this process.
type JVM struct {
	JDK      *JDK
	vm       *vm
	worker   *vmThread
	stepTime time.Duration

	// stuck is why the worker was given up, nil as long as it serves.
	stuck atomic.Pointer[model.LimitError]

	mu      sync.Mutex
	watcher *vmThread // attached when first needed
}

var (
	opening sync.Mutex
	opened  bool
)

const entryClass = "harrier/runtime/Bridge"

// Open creates the virtual machine. It can be called once in a process.
func Open(jdk *JDK, o Options) (*JVM, error) {
	opening.Lock()
	defer opening.Unlock()
	if opened {
		return nil, errors.New("a process can have one Java virtual machine, and this one had it")
	}
	api, runtime, err := unpack()
	if err != nil {
		return nil, err
	}
	heap := o.Heap
	if heap == 0 {
		heap = DefaultHeap
	}
	j := &JVM{JDK: jdk, stepTime: o.StepTime}
	j.vm, j.worker, err = createVM(jdk.LibJVM, []string{
		"-Xrs", // Ctrl-C stays Go's
		fmt.Sprintf("-Xmx%d", max(heap, LeastHeap)),
		"-XX:+UseSerialGC",        // one thread asks, and its garbage is short-lived
		"-XX:TieredStopAtLevel=1", // most checks need few steps: quick compilation beats the best code
		"-XX:-UsePerfData",        // nobody attaches: no files in /tmp
		"-Xshare:auto",
		// Constant identity hashes, so that nothing depends on them unnoticed.
		"-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2",
		"--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
		"-Djava.class.path=" + api + ":" + runtime,
		"-Dharrier.api=" + api,
	}, entryClass)
	if err != nil {
		return nil, fmt.Errorf("%w (heap limit %d MB)", err, heap>>20)
	}
	opened = true
	return j, nil
}

// The operations of the Java side's entry class.
const (
	opLoad = iota + 1
	opSteps
	opEvaluate
	opClasses
	opWhere
	opRecord
)

// ask sends a question to the worker and waits for the answer, the end of the context, or a step
// that does not return.
func (j *JVM) ask(ctx context.Context, operation int, question []byte) (*reader, error) {
	if stuck := j.stuck.Load(); stuck != nil {
		return nil, stuck
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx) // select would choose at random
	}
	c := vmCall{operation, question, make(chan vmReply, 1)}
	var ticks <-chan time.Time
	if j.stepTime > 0 {
		ticker := time.NewTicker(max(j.stepTime/4, time.Millisecond))
		defer ticker.Stop()
		ticks = ticker.C
	}
	calls := j.worker.calls
	var w watch
	for {
		select {
		case calls <- c:
			calls = nil // sent
		case reply := <-c.reply:
			if reply.err != nil {
				return nil, reply.err
			}
			return open(reply.answer)
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-ticks:
			stuck, err := w.look(j)
			if err != nil {
				return nil, err
			}
			if stuck != nil {
				j.stuck.Store(stuck)
				return nil, stuck
			}
		}
	}
}

// askAside asks by the second thread.
func (j *JVM) askAside(operation int) (*reader, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.watcher == nil {
		var err error
		if j.watcher, err = j.vm.attach(); err != nil {
			return nil, err
		}
	}
	c := vmCall{operation, nil, make(chan vmReply, 1)}
	j.watcher.calls <- c
	reply := <-c.reply
	if reply.err != nil {
		return nil, reply.err
	}
	return open(reply.answer)
}
