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
// returns NULL and sets *error to a text that the caller frees.
harrier_vm *harrier_vm_create(const char *libjvm, const char **options, int n_options, harrier_env **env, char **error);

// harrier_vm_enter finds the entry class and its methods call(int, ByteBuffer, ByteBuffer) and
// fetch(ByteBuffer). It returns NULL, or an error text that the caller frees.
char *harrier_vm_enter(harrier_vm *vm, harrier_env *env, const char *class_name);

// harrier_vm_attach attaches the calling thread. It returns NULL on failure.
harrier_env *harrier_vm_attach(harrier_vm *vm);

// harrier_call calls the entry method with both memories wrapped as direct buffers. It returns what the
// method returns, or -1 with *error set to the text of the exception, which the caller frees.
int harrier_call(harrier_vm *vm, harrier_env *env, int operation, void *in, int64_t in_size, void *out,
                 int64_t out_size, char **error);

// harrier_fetch calls fetch, likewise. It returns 0 or -1.
int harrier_fetch(harrier_vm *vm, harrier_env *env, void *out, int64_t out_size, char **error);

#endif
