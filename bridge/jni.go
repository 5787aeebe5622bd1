package bridge

/*
#cgo linux LDFLAGS: -ldl
#include <stdlib.h>
#include "jni.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"
)

// This file is all of harrier's cgo. A vm is the one virtual machine of the process, a vmThread a
// goroutine that is locked to an attached operating-system thread and calls into it.

type vm struct {
	c *C.harrier_vm
}

// vmThread serves calls, one at a time.
type vmThread struct {
	calls chan vmCall
}

type vmCall struct {
	operation int
	question  []byte
	reply     chan vmReply // with room for one, so that nobody need wait for the reply
}

type vmReply struct {
	answer []byte
	err    error
}

// createVM creates the virtual machine, with a first thread.
func createVM(libjvm string, options []string, entry string) (*vm, *vmThread, error) {
	type created struct {
		vm  *vm
		err error
	}
	done := make(chan created)
	t := &vmThread{calls: make(chan vmCall)}
	go func() {
		runtime.LockOSThread()
		v, env, err := createHere(libjvm, options, entry)
		done <- created{v, err}
		if err == nil {
			t.serve(v, env)
		}
	}()
	c := <-done
	return c.vm, t, c.err
}

func createHere(libjvm string, options []string, entry string) (*vm, unsafe.Pointer, error) {
	cLibrary, cEntry := C.CString(libjvm), C.CString(entry)
	defer C.free(unsafe.Pointer(cLibrary))
	defer C.free(unsafe.Pointer(cEntry))
	cOptions := (**C.char)(C.calloc(C.size_t(len(options)+1), C.size_t(unsafe.Sizeof(uintptr(0)))))
	list := unsafe.Slice(cOptions, len(options))
	for i, o := range options {
		// Some virtual machines keep pointers into their options: these are never freed.
		list[i] = C.CString(o)
	}
	var env unsafe.Pointer
	var text *C.char
	v := C.harrier_vm_create(cLibrary, cOptions, C.int(len(options)), &env, &text)
	if v == nil {
		return nil, nil, fmt.Errorf("creating the Java virtual machine of %s: %s", libjvm, takeString(text))
	}
	if text = C.harrier_vm_enter(v, env, cEntry); text != nil {
		return nil, nil, fmt.Errorf("entering harrier's Java runtime: %s", takeString(text))
	}
	return &vm{v}, env, nil
}

// attach starts another thread.
func (v *vm) attach() (*vmThread, error) {
	t := &vmThread{calls: make(chan vmCall)}
	done := make(chan error)
	go func() {
		runtime.LockOSThread()
		env := C.harrier_vm_attach(v.c)
		if env == nil {
			done <- errors.New("attaching a thread to the Java virtual machine failed")
			return
		}
		done <- nil
		t.serve(v, env)
	}()
	return t, <-done
}

// serve runs on the thread for as long as the process lives. The memory that questions and answers
// lie in is the thread's own and grows as needed.
func (t *vmThread) serve(v *vm, env unsafe.Pointer) {
	var in, out memory
	for c := range t.calls {
		in.reserve(len(c.question))
		copy(in.bytes(), c.question)
		answer, err := v.call(env, c.operation, in.address, len(c.question), &out)
		c.reply <- vmReply{answer, err}
	}
}

func (v *vm) call(env unsafe.Pointer, operation int, in unsafe.Pointer, size int, out *memory) ([]byte, error) {
	out.reserve(1 << 16)
	var text *C.char
	n := int(C.harrier_call(v.c, env, C.int(operation), in, C.int64_t(size), out.address, C.int64_t(out.size), &text))
	if n < 0 {
		return nil, fmt.Errorf("harrier's Java runtime failed: %s", takeString(text))
	}
	if n > out.size {
		out.reserve(n)
		if C.harrier_fetch(v.c, env, out.address, C.int64_t(out.size), &text) < 0 {
			return nil, fmt.Errorf("harrier's Java runtime failed: %s", takeString(text))
		}
	}
	return append([]byte(nil), out.bytes()[:n]...), nil
}

// memory is memory outside Go's heap, which Java may keep an address of.
type memory struct {
	address unsafe.Pointer
	size    int
}

func (m *memory) reserve(size int) {
	if m.size < size || m.address == nil {
		C.free(m.address)
		m.size = max(size, 2*m.size, 1<<12)
		m.address = C.malloc(C.size_t(m.size))
	}
}

func (m *memory) bytes() []byte { return unsafe.Slice((*byte)(m.address), m.size) }

func takeString(c *C.char) string {
	if c == nil {
		return "no reason was given"
	}
	defer C.free(unsafe.Pointer(c))
	return C.GoString(c)
}
