package bridge

/*
#cgo linux LDFLAGS: -ldl -Wl,--export-dynamic
#include <stdlib.h>
#include "jni.h"
*/
import "C"

import (
	"bytes"
	"fmt"
	"runtime"
	"unsafe"
)

// This file is all of harrier's cgo. A vm is the one virtual machine of the process. Any goroutine may
// call into it: the operating-system thread that it happens to run on is attached at its first call and
// stays so, since Go keeps its threads. So a call needs no other thread to wake up.

type vm struct {
	c *C.harrier_vm
}

// worker has the resources of a call that no two calls may use at once: the memory that answers are written to,
// and, on the Java side, whatever is kept under its number.
type worker struct {
	number int
	out    memory
}

// createVM creates the virtual machine.
func createVM(libjvm string, options []string, messages int, entry string) (*vm, error) {
	runtime.LockOSThread() // both calls are made by the thread that is attached by the first one
	defer runtime.UnlockOSThread()
	// Without this, Java would use less of the stack of the process's first thread than of others', and which
	// thread runs a step would decide how deep its recursion may go. Java takes a gigabyte at most.
	options = append(options, fmt.Sprintf("-XX:ThreadStackSize=%d", min(C.harrier_stack_size()>>10, 1<<20)))
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
	v := C.harrier_vm_create(cLibrary, cOptions, C.int(len(options)), C.int(messages), &env, &text)
	if v == nil {
		return nil, fmt.Errorf("creating the Java virtual machine of %s: %s", libjvm, takeString(text))
	}
	if text = C.harrier_vm_enter(v, env, cEntry); text != nil {
		return nil, fmt.Errorf("entering harrier's Java runtime: %s", takeString(text))
	}
	return &vm{v}, nil
}

// call asks by a worker and returns when there is an answer. Java reads the question where it is.
func (v *vm) call(w *worker, operation int, question []byte) ([]byte, error) {
	w.out.reserve(1 << 16)
	var text *C.char
	n := int(C.harrier_call(v.c, C.int(operation&^again), C.int(w.number), unsafe.Pointer(unsafe.SliceData(question)),
		C.int64_t(len(question)), w.out.address, C.int64_t(w.out.size), &text))
	if n > w.out.size {
		w.out.reserve(n)
		if C.harrier_fetch(v.c, C.int(w.number), w.out.address, C.int64_t(w.out.size), &text) < 0 {
			n = -1
		}
	}
	if n < 0 {
		return nil, fmt.Errorf("harrier's Java runtime failed: %s", takeString(text))
	}
	return bytes.Clone(w.out.bytes()[:n]), nil
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
