// The little of the Java Native Interface that harrier uses. The layout of the JNI function tables is
// fixed by the JNI specification (version 1.2 and later), so no JDK header is needed to build.
#ifndef HARRIER_JNI_H
#define HARRIER_JNI_H

#include <stdint.h>

// A virtual machine, and what calls into its entry class need.
typedef struct harrier_vm harrier_vm;

// A thread's handle on the virtual machine.
typedef void harrier_env;

// harrier_vm_create loads libjvm and creates the virtual machine on the calling thread. On failure it
// returns NULL and sets *error to a text that the caller frees. When the virtual machine ends the
// process, it writes the line "exit CODE" to the descriptor messages, if that is not 0.
harrier_vm *harrier_vm_create(const char *libjvm, const char **options, int n_options, int messages, harrier_env **env,
                              char **error);

// harrier_stack_size is how many bytes of stack a thread of this process has, unless it is the first one.
int64_t harrier_stack_size(void);

// harrier_vm_enter lets the module of the entry class use the JDK's internals, calls its method start(), which may
// call its native method redefine(Class[], byte[][]), and finds its methods call(int, int, ByteBuffer, ByteBuffer)
// and fetch(int, ByteBuffer). The virtual machine has the option -agentlib:harrier. It returns NULL, or an error text
// that the caller frees.
char *harrier_vm_enter(harrier_vm *vm, harrier_env *env, const char *class_name);

// harrier_call calls the entry method for a worker, with both memories wrapped as direct buffers. Any thread
// may: it is attached at its first call. It returns what the method returns, or -1 with *error set to a
// text, such as that of the exception, which the caller frees.
int harrier_call(harrier_vm *vm, int operation, int worker, void *in, int64_t in_size, void *out, int64_t out_size,
                 char **error);

// harrier_fetch calls fetch, likewise. It returns 0 or -1.
int harrier_fetch(harrier_vm *vm, int worker, void *out, int64_t out_size, char **error);

#endif
