#define _GNU_SOURCE
#include "jni.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Both JNIEnv and JavaVM are pointers to a pointer to a table of functions.
typedef void **table;
#define SLOT(object, number) ((*(table *)(object))[number])

// Slots of the tables, by the JNI specification.
enum {
    JNI_FIND_CLASS = 6,
    JNI_EXCEPTION_OCCURRED = 15,
    JNI_EXCEPTION_CLEAR = 17,
    JNI_NEW_GLOBAL_REF = 21,
    JNI_DELETE_GLOBAL_REF = 22,
    JNI_DELETE_LOCAL_REF = 23,
    JNI_IS_SAME_OBJECT = 24,
    JNI_GET_OBJECT_CLASS = 31,
    JNI_IS_INSTANCE_OF = 32,
    JNI_GET_METHOD_ID = 33,
    JNI_CALL_OBJECT_METHOD_A = 36,
    JNI_GET_STATIC_METHOD_ID = 113,
    JNI_CALL_STATIC_INT_METHOD_A = 131,
    JNI_CALL_STATIC_VOID_METHOD_A = 143,
    JNI_GET_STATIC_FIELD_ID = 144,
    JNI_SET_STATIC_BOOLEAN_FIELD = 155,
    JNI_NEW_STRING_UTF = 167,
    JNI_GET_STRING_UTF_CHARS = 169,
    JNI_RELEASE_STRING_UTF_CHARS = 170,
    JNI_GET_ARRAY_LENGTH = 171,
    JNI_GET_OBJECT_ARRAY_ELEMENT = 173,
    JNI_GET_BYTE_ARRAY_ELEMENTS = 184,
    JNI_RELEASE_BYTE_ARRAY_ELEMENTS = 192,
    JNI_REGISTER_NATIVES = 215,
    JNI_EXCEPTION_CHECK = 228,
    JNI_NEW_DIRECT_BYTE_BUFFER = 229,
    JNI_GET_MODULE = 233,
    VM_GET_ENV = 6,
    VM_ATTACH_CURRENT_THREAD_AS_DAEMON = 7,
};

// Slots of the table of the tool interface (JVMTI), by its specification.
enum {
    TI_SET_EVENT_NOTIFICATION_MODE = 1,
    TI_STOP_THREAD = 6,
    TI_DEALLOCATE = 46,
    TI_GET_CLASS_SIGNATURE = 47,
    TI_GET_METHOD_NAME = 63,
    TI_GET_METHOD_DECLARING_CLASS = 64,
    TI_GET_LINE_NUMBER_TABLE = 69,
    TI_REDEFINE_CLASSES = 86,
    TI_ADD_MODULE_EXPORTS = 94,
    TI_SET_EVENT_CALLBACKS = 121,
    TI_DISPOSE_ENVIRONMENT = 126,
    TI_ADD_CAPABILITIES = 141,
};

enum { JNI_VERSION = 0x000a0000, TI_VERSION = 0x30010200 };

enum {
    TI_CAN_REDEFINE_CLASSES = 1 << 9,
    TI_CAN_STOP_THREADS = 1 << 10,
    TI_CAN_GET_LINE_NUMBERS = 1 << 12,
    TI_CAN_SEE_EXCEPTIONS = 1 << 17,
    TI_ABORT = 2,
    TI_ENABLE = 1,
    TI_EXCEPTION = 58,   // the event that something is thrown
    TI_FIRST_EVENT = 50, // whose callback is the first
};

typedef union {
    int32_t i;
    int64_t j;
    void *l;
} value;

typedef struct {
    char *text;
    void *extra;
} option;

typedef struct {
    int32_t version;
    int32_t n_options;
    option *options;
    uint8_t ignore_unrecognized;
} vm_args;

typedef struct {
    char *name, *signature;
    void *function;
} native_method;

typedef struct {
    void *class;
    int32_t size;
    const uint8_t *bytes;
} class_definition;

struct harrier_vm {
    void *vm;
    void *entry; // global reference to the entry class
    void *call, *fetch;
};

// reroute_signals gives the JVM's handlers the flag SA_ONSTACK, without which Go's runtime ends the
// process on the first signal that meets one of its own threads: "non-Go code set up signal handler without SA_ONSTACK flag".
static void reroute_signals(void) {
    for (int number = 1; number < NSIG; number++) {
        struct sigaction action;
        if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN &&
            (action.sa_flags & SA_ONSTACK) == 0) {
            action.sa_flags |= SA_ONSTACK;
            sigaction(number, &action, NULL);
        }
    }
}

// Where it is told that the virtual machine exits: its hook takes no argument of ours.
static int messages;

static void on_exit_of_vm(int32_t code) {
    if (messages > 0) {
        dprintf(messages, "\nexit %d\n", code);
    }
}

harrier_vm *harrier_vm_create(const char *libjvm, const char **options, int n_options, int messages_to, harrier_env **env,
                              char **error) {
    void *library = dlopen(libjvm, RTLD_NOW | RTLD_GLOBAL);
    if (library == NULL) {
        *error = strdup(dlerror());
        return NULL;
    }
    int32_t (*create)(void **, void **, void *) = (int32_t(*)(void **, void **, void *))dlsym(library, "JNI_CreateJavaVM");
    if (create == NULL) {
        *error = strdup("it has no JNI_CreateJavaVM");
        return NULL;
    }
    messages = messages_to;
    option *list = calloc(n_options + 1, sizeof *list);
    for (int i = 0; i < n_options; i++) {
        list[i].text = (char *)options[i];
    }
    list[n_options++] = (option){"exit", on_exit_of_vm};
    vm_args args = {JNI_VERSION, n_options, list, 0};
    harrier_vm *vm = calloc(1, sizeof *vm);
    int32_t status = create(&vm->vm, env, &args);
    free(list);
    if (status != 0) {
        char text[64];
        snprintf(text, sizeof text, "JNI_CreateJavaVM returned %d", status);
        *error = strdup(text);
        free(vm);
        return NULL;
    }
    reroute_signals();
    return vm;
}

int64_t harrier_stack_size(void) {
    pthread_attr_t usual;
    size_t size = 1 << 20;
    if (pthread_attr_init(&usual) == 0) {
        pthread_attr_getstacksize(&usual, &size);
        pthread_attr_destroy(&usual);
    }
    return size;
}

// exception_text takes the pending exception, if any, and returns what its toString gives.
static char *exception_text(harrier_env *env) {
    void *thrown = ((void *(*)(void *))SLOT(env, JNI_EXCEPTION_OCCURRED))(env);
    if (thrown == NULL) {
        return NULL;
    }
    void (*clear)(void *) = (void (*)(void *))SLOT(env, JNI_EXCEPTION_CLEAR);
    clear(env);
    void *class = ((void *(*)(void *, void *))SLOT(env, JNI_GET_OBJECT_CLASS))(env, thrown);
    void *method = ((void *(*)(void *, void *, const char *, const char *))SLOT(env, JNI_GET_METHOD_ID))(
        env, class, "toString", "()Ljava/lang/String;");
    void *string = ((void *(*)(void *, void *, void *, const value *))SLOT(env, JNI_CALL_OBJECT_METHOD_A))(
        env, thrown, method, NULL);
    clear(env);
    if (string == NULL) {
        return strdup("an exception that cannot be described");
    }
    const char *chars = ((const char *(*)(void *, void *, void *))SLOT(env, JNI_GET_STRING_UTF_CHARS))(env, string, NULL);
    if (chars == NULL) {
        clear(env);
        return strdup("an exception that cannot be described for lack of memory");
    }
    char *text = strdup(chars);
    ((void (*)(void *, void *, const char *))SLOT(env, JNI_RELEASE_STRING_UTF_CHARS))(env, string, chars);
    return text;
}

static void *ti;      // the environment of the tool interface, until classes are redefined
static void *watcher; // that which sees what is thrown, and stops threads

// tool makes an environment of the tool interface with some capabilities.
static int32_t tool(void *vm, void **environment, uint32_t capabilities) {
    int32_t error = ((int32_t(*)(void *, void **, int32_t))SLOT(vm, VM_GET_ENV))(vm, environment, TI_VERSION);
    uint32_t all[4] = {capabilities};
    return error != 0 ? error : ((int32_t(*)(void *, const void *))SLOT(*environment, TI_ADD_CAPABILITIES))(*environment, all);
}

// Agent_OnLoad_harrier is called by a virtual machine with the option -agentlib:harrier before it runs anything. One that is
// asked only later for the capability to redefine classes has not recorded what compiled code depends on, and throws all of
// it away at the first redefinition.
int32_t Agent_OnLoad_harrier(void *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    int32_t error = tool(vm, &ti, TI_CAN_REDEFINE_CLASSES);
    return error != 0 ? error : tool(vm, &watcher, TI_CAN_STOP_THREADS | TI_CAN_GET_LINE_NUMBERS | TI_CAN_SEE_EXCEPTIONS);
}

// redefine gives classes other bodies; it is the entry class's native method, to be called once. It returns an error number of the
// tool interface, 0 for none.
static int32_t redefine(harrier_env *env, void *entry, void *types, void *files) {
    (void)entry;
    int32_t (*length)(void *, void *) = (int32_t(*)(void *, void *))SLOT(env, JNI_GET_ARRAY_LENGTH);
    void *(*element)(void *, void *, int32_t) = (void *(*)(void *, void *, int32_t))SLOT(env, JNI_GET_OBJECT_ARRAY_ELEMENT);
    int32_t n = length(env, types);
    class_definition *definitions = calloc(n, sizeof *definitions);
    void **arrays = calloc(n, sizeof *arrays);
    for (int32_t i = 0; i < n; i++) {
        arrays[i] = element(env, files, i);
        definitions[i].class = element(env, types, i);
        definitions[i].size = length(env, arrays[i]);
        definitions[i].bytes = ((uint8_t * (*)(void *, void *, uint8_t *)) SLOT(env, JNI_GET_BYTE_ARRAY_ELEMENTS))(
            env, arrays[i], NULL);
    }
    int32_t error = ((int32_t(*)(void *, int32_t, const class_definition *))SLOT(ti, TI_REDEFINE_CLASSES))(ti, n, definitions);
    for (int32_t i = 0; i < n; i++) {
        ((void (*)(void *, void *, const uint8_t *, int32_t))SLOT(env, JNI_RELEASE_BYTE_ARRAY_ELEMENTS))(
            env, arrays[i], definitions[i].bytes, TI_ABORT);
    }
    free(arrays);
    free(definitions);
    ((int32_t(*)(void *))SLOT(ti, TI_DISPOSE_ENVIRONMENT))(ti);
    return error;
}

// export_internals lets the module of a class use a package of the JDK's own. With the option --add-exports all modules without a
// name would, those of the programs that are checked as well.
static int32_t export_internals(harrier_env *env, const char *package, void *class) {
    void *(*module)(void *, void *) = (void *(*)(void *, void *))SLOT(env, JNI_GET_MODULE);
    void *object = ((void *(*)(void *, const char *))SLOT(env, JNI_FIND_CLASS))(env, "java/lang/Object");
    return ((int32_t(*)(void *, void *, const char *, void *))SLOT(ti, TI_ADD_MODULE_EXPORTS))(ti, module(env, object), package,
                                                                                              module(env, class));
}

// The class that is told what is thrown.
static void *told, *thrown_method, *missed_field;
// The class of errors that may leave no stack for Java: a class of the JDK that begins to be used there may stay broken.
static void *machine_error;

// What a thread threw of which the class could not be told, as too little was left of its stack: the first ones.
enum { MOST_MISSED = 16 };
static __thread struct {
    void *thrown, *catcher; // a global reference, and the method that catches it
    int64_t location;
} missed[MOST_MISSED];
static __thread int n_missed;

static void miss(harrier_env *env, void *thrown, void *catcher, int64_t location) {
    int i = 0;
    while (i < n_missed && !((uint8_t(*)(void *, void *, void *))SLOT(env, JNI_IS_SAME_OBJECT))(env, missed[i].thrown, thrown)) {
        i++;
    }
    if (i == MOST_MISSED) {
        return;
    } else if (i == n_missed) {
        missed[n_missed++].thrown = ((void *(*)(void *, void *))SLOT(env, JNI_NEW_GLOBAL_REF))(env, thrown);
    }
    missed[i].catcher = catcher;
    missed[i].location = location;
    ((void (*)(void *, void *, void *, uint8_t))SLOT(env, JNI_SET_STATIC_BOOLEAN_FIELD))(env, told, missed_field, 1);
}

// tell_thrown tells the class that something is thrown, and which method catches it, NULL if native code does.
static void tell_thrown(harrier_env *env, void *thrown, void *catcher, int64_t location) {
    value args[3] = {{.l = thrown}, {.j = (intptr_t)catcher}, {.j = location}};
    ((void (*)(void *, void *, void *, const value *))SLOT(env, JNI_CALL_STATIC_VOID_METHOD_A))(env, told, thrown_method, args);
}

// on_exception is called by the virtual machine when something is thrown, in all code.
static void on_exception(void *tool, harrier_env *env, void *thread, void *method, int64_t location, void *thrown,
                         void *catcher, int64_t catch_location) {
    (void)tool, (void)thread, (void)method, (void)location;
    if (((uint8_t(*)(void *, void *, void *))SLOT(env, JNI_IS_INSTANCE_OF))(env, thrown, machine_error)) {
        miss(env, thrown, catcher, catch_location);
        return;
    }
    tell_thrown(env, thrown, catcher, catch_location);
    if (((uint8_t(*)(void *))SLOT(env, JNI_EXCEPTION_CHECK))(env)) {
        ((void (*)(void *))SLOT(env, JNI_EXCEPTION_CLEAR))(env);
        miss(env, thrown, catcher, catch_location);
    }
}

// tell_missed, a native method, tells it what it could not be told before of this thread.
static void tell_missed(harrier_env *env, void *class) {
    (void)class;
    for (int i = 0; i < n_missed; i++) {
        tell_thrown(env, missed[i].thrown, missed[i].catcher, missed[i].location);
        ((void (*)(void *, void *))SLOT(env, JNI_DELETE_GLOBAL_REF))(env, missed[i].thrown);
    }
    n_missed = 0;
}

// place, a native method, returns the signature of the class of a method, its name, and the line of a location in it,
// -1 if that is not known, each on a line.
static void *place(harrier_env *env, void *class, int64_t method, int64_t location) {
    (void)class;
    void *id = (void *)(intptr_t)method, *declaring = NULL;
    char *signature = NULL, *name = NULL;
    struct {
        int64_t start;
        int32_t line;
    } *lines = NULL;
    int32_t n = 0, line = -1;
    ((int32_t(*)(void *, void *, void **))SLOT(watcher, TI_GET_METHOD_DECLARING_CLASS))(watcher, id, &declaring);
    ((int32_t(*)(void *, void *, char **, char **))SLOT(watcher, TI_GET_CLASS_SIGNATURE))(watcher, declaring, &signature, NULL);
    ((int32_t(*)(void *, void *, char **, char **, char **))SLOT(watcher, TI_GET_METHOD_NAME))(watcher, id, &name, NULL, NULL);
    ((int32_t(*)(void *, void *, int32_t *, void *))SLOT(watcher, TI_GET_LINE_NUMBER_TABLE))(watcher, id, &n, &lines);
    int64_t start = -1;
    for (int32_t i = 0; lines != NULL && i < n; i++) {
        if (lines[i].start <= location && lines[i].start > start) {
            start = lines[i].start;
            line = lines[i].line;
        }
    }
    char *text = NULL;
    int size = asprintf(&text, "%s\n%s\n%d", signature ? signature : "", name ? name : "", line);
    void *string = size < 0 ? NULL : ((void *(*)(void *, const char *))SLOT(env, JNI_NEW_STRING_UTF))(env, text);
    free(text);
    int32_t (*deallocate)(void *, void *) = (int32_t(*)(void *, void *))SLOT(watcher, TI_DEALLOCATE);
    deallocate(watcher, signature);
    deallocate(watcher, name);
    deallocate(watcher, lines);
    return string;
}

// stop, a native method, has a thread throw something at the next safepoint. It returns an error number of the tool
// interface, 0 for none.
static int32_t stop(harrier_env *env, void *class, void *thread, void *thrown) {
    (void)env, (void)class;
    return ((int32_t(*)(void *, void *, void *))SLOT(watcher, TI_STOP_THREAD))(watcher, thread, thrown);
}

// watch_exceptions has the class told of all that is thrown from now on.
static char *watch_exceptions(harrier_env *env) {
    void *class = ((void *(*)(void *, const char *))SLOT(env, JNI_FIND_CLASS))(env, "harrier/runtime/rules/VirtualMachine");
    if (class == NULL) {
        return exception_text(env);
    }
    told = ((void *(*)(void *, void *))SLOT(env, JNI_NEW_GLOBAL_REF))(env, class);
    void *error = ((void *(*)(void *, const char *))SLOT(env, JNI_FIND_CLASS))(env, "java/lang/VirtualMachineError");
    machine_error = ((void *(*)(void *, void *))SLOT(env, JNI_NEW_GLOBAL_REF))(env, error);
    native_method natives[] = {
        {"stop", "(Ljava/lang/Thread;Ljava/lang/Throwable;)I", (void *)stop},
        {"tellMissed", "()V", (void *)tell_missed},
        {"place", "(JJ)Ljava/lang/String;", (void *)place},
    };
    ((int32_t(*)(void *, void *, const native_method *, int32_t))SLOT(env, JNI_REGISTER_NATIVES))(
        env, class, natives, sizeof natives / sizeof *natives);
    typedef void *lookup(void *, void *, const char *, const char *);
    thrown_method = ((lookup *)SLOT(env, JNI_GET_STATIC_METHOD_ID))(env, class, "thrown", "(Ljava/lang/Throwable;JJ)V");
    missed_field = ((lookup *)SLOT(env, JNI_GET_STATIC_FIELD_ID))(env, class, "missed", "Z");
    char *text = exception_text(env);
    if (text != NULL) {
        return text;
    }
    void *callbacks[TI_EXCEPTION - TI_FIRST_EVENT + 1] = {0};
    callbacks[TI_EXCEPTION - TI_FIRST_EVENT] = (void *)on_exception;
    int32_t failed = ((int32_t(*)(void *, const void *, int32_t))SLOT(watcher, TI_SET_EVENT_CALLBACKS))(
        watcher, callbacks, sizeof callbacks);
    if (failed == 0) {
        failed = ((int32_t(*)(void *, int32_t, int32_t, void *, ...))SLOT(watcher, TI_SET_EVENT_NOTIFICATION_MODE))(
            watcher, TI_ENABLE, TI_EXCEPTION, NULL);
    }
    return failed == 0 ? NULL : strdup("the Java virtual machine does not tell what is thrown");
}

char *harrier_vm_enter(harrier_vm *vm, harrier_env *env, const char *class_name) {
    void *class = ((void *(*)(void *, const char *))SLOT(env, JNI_FIND_CLASS))(env, class_name);
    if (class == NULL) {
        return exception_text(env);
    }
    vm->entry = ((void *(*)(void *, void *))SLOT(env, JNI_NEW_GLOBAL_REF))(env, class);
    native_method natives[] = {{"redefine", "([Ljava/lang/Class;[[B)I", (void *)redefine}};
    ((int32_t(*)(void *, void *, const native_method *, int32_t))SLOT(env, JNI_REGISTER_NATIVES))(env, class, natives, 1);
    int32_t exported = export_internals(env, "jdk.internal.misc", class);
    char *error = exception_text(env);
    if (error == NULL && exported != 0) {
        error = strdup("the Java virtual machine does not export jdk.internal.misc");
    }
    if (error != NULL) {
        return error;
    }
    // JdkRewrite has its methods call what is in that package. A Java may be without the class.
    void *memory = ((void *(*)(void *, const char *))SLOT(env, JNI_FIND_CLASS))(env, "sun/misc/Unsafe");
    if (memory == NULL) {
        ((void (*)(void *))SLOT(env, JNI_EXCEPTION_CLEAR))(env);
    } else if (export_internals(env, "jdk.internal.util", memory) != 0) {
        return strdup("the Java virtual machine does not export jdk.internal.util");
    }
    void *(*method)(void *, void *, const char *, const char *) =
        (void *(*)(void *, void *, const char *, const char *))SLOT(env, JNI_GET_STATIC_METHOD_ID);
    void *start = method(env, class, "start", "()V");
    if (start != NULL) {
        ((void (*)(void *, void *, void *, const value *))SLOT(env, JNI_CALL_STATIC_VOID_METHOD_A))(env, class, start, NULL);
    }
    if ((error = exception_text(env)) != NULL) {
        return error;
    }
    if ((error = watch_exceptions(env)) != NULL) {
        return error;
    }
    vm->call = method(env, class, "call", "(IILjava/nio/ByteBuffer;Ljava/nio/ByteBuffer;)I");
    vm->fetch = vm->call ? method(env, class, "fetch", "(ILjava/nio/ByteBuffer;)V") : NULL;
    return vm->fetch ? NULL : exception_text(env);
}

// attached returns the calling thread's handle, which the first call makes. Without one it returns NULL and
// sets *error.
static harrier_env *attached(harrier_vm *vm, char **error) {
    void *env = NULL;
    int32_t (*attach)(void *, void **, void *) =
        (int32_t(*)(void *, void **, void *))SLOT(vm->vm, VM_ATTACH_CURRENT_THREAD_AS_DAEMON);
    if (attach(vm->vm, &env, NULL) != 0) {
        *error = strdup("attaching a thread to the Java virtual machine failed");
        return NULL;
    }
    return env;
}

static void *wrap(harrier_env *env, void *memory, int64_t size) {
    static char nothing; // even no bytes must be somewhere
    return ((void *(*)(void *, void *, int64_t))SLOT(env, JNI_NEW_DIRECT_BYTE_BUFFER))(
        env, memory == NULL ? &nothing : memory, size);
}

static void release(harrier_env *env, void *local) {
    ((void (*)(void *, void *))SLOT(env, JNI_DELETE_LOCAL_REF))(env, local);
}

int harrier_call(harrier_vm *vm, int operation, int worker, void *in, int64_t in_size, void *out, int64_t out_size,
                 char **error) {
    harrier_env *env = attached(vm, error);
    if (env == NULL) {
        return -1;
    }
    value args[4] = {{.i = operation}, {.i = worker}, {.l = wrap(env, in, in_size)}, {.l = wrap(env, out, out_size)}};
    *error = exception_text(env);
    if (*error != NULL) {
        return -1;
    }
    int result = ((int32_t(*)(void *, void *, void *, const value *))SLOT(env, JNI_CALL_STATIC_INT_METHOD_A))(
        env, vm->entry, vm->call, args);
    *error = exception_text(env);
    release(env, args[2].l);
    release(env, args[3].l);
    return *error == NULL ? result : -1;
}

int harrier_fetch(harrier_vm *vm, int worker, void *out, int64_t out_size, char **error) {
    harrier_env *env = attached(vm, error);
    if (env == NULL) {
        return -1;
    }
    value args[2] = {{.i = worker}, {.l = wrap(env, out, out_size)}};
    *error = exception_text(env);
    if (*error != NULL) {
        return -1;
    }
    ((void (*)(void *, void *, void *, const value *))SLOT(env, JNI_CALL_STATIC_VOID_METHOD_A))(
        env, vm->entry, vm->fetch, args);
    *error = exception_text(env);
    release(env, args[1].l);
    return *error == NULL ? 0 : -1;
}
