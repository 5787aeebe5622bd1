package harrier.runtime.rules.refuse;

import static java.util.Map.entry;

import harrier.runtime.rules.allow.Properties;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The methods of the JDK for which hooks stand in, and those that get other arguments from hooks. A hook takes what the
 * method takes, the receiver first, and then the place of the call.
 */
public final class Replacements {
    private static final String TIME = "harrier/host/TimeHooks";
    private static final String RANDOM = "harrier/host/RandomHooks";
    private static final String THREADS = "harrier/host/ThreadHooks";
    private static final String ENVIRONMENT = "harrier/host/EnvironmentHooks";

    private static final String IDENTITY = "harrier/host/IdentityHooks";
    /** The prefix of the names of the interfaces of Thread.Builder, which newer JDKs have. */
    public static final String BUILDER = "java/lang/Thread$Builder";
    private static final String EXECUTOR = "Ljava/util/concurrent/Executor;";
    /** The stand-ins of methods that make executors, or run tasks elsewhere. */
    private static final String EXECUTORS = "harrier/host/ExecutorHooks";
    /** The stand-ins of methods that may wait. */
    public static final String BLOCKING = "harrier/host/BlockingHooks";
    /** The stand-ins of methods of barriers, phasers, exchangers, stamped locks and forked tasks that may wait. */
    private static final String SYNCHRONIZERS = "harrier/host/SynchronizerHooks";
    /** The stand-ins of methods of sockets that may wait. */
    public static final String SOCKETS = "harrier/host/SocketHooks";
    /** The stand-ins of methods of streams and readers that may wait. */
    public static final String STREAMS = "harrier/host/StreamHooks";
    /** The stand-ins of Thread.Builder and of what makes one or a virtual thread. */
    private static final String BUILDERS = "harrier/host/ThreadBuilder";
    /** The stand-ins of methods of forked tasks that do not wait. */
    public static final String FORKS = "harrier/host/ForkHooks";
    /** The package of the stand-ins of methods that call functions, which wait if these do. */
    private static final String LEAVING = "harrier/host/leaving/";
    private static final String FUNCTIONS = LEAVING + "Functions";
    private static final String VALUES = LEAVING + "Values";
    /** Their classes. */
    public static final List<String> LEAVING_CLASSES = List.of(FUNCTIONS, VALUES);
    /** The stand-in of calls by reflection, which may wait. It takes no place, and is put in after what checks these calls. */
    public static final String REFLECTION = "harrier/host/Reflection";
    /** The stand-ins of methods of thread locals. */
    private static final String LOCALS = "harrier/host/ThreadValue";
    /** The stand-ins of methods of threads and locks that do not. */
    public static final String STAND_INS = "harrier/host/ThreadStandIns";

    /** The classes of hooks that refuse nothing, or only what depends on objects. */
    private static final Set<String> NEVER_REFUSED = Set.of(BLOCKING, FUNCTIONS, VALUES, LOCALS, SYNCHRONIZERS, FORKS, BUILDERS, STAND_INS, EXECUTORS, IDENTITY, TIME);

    /** What relaxes the rule for those that are refused whatever they are given, by the name of the hook. */
    private static final Map<String, String> REFUSED = Map.ofEntries(entry("number", RefusedCalls.SEED), entry("uuid", RefusedCalls.UNIQUE),
        entry("current", RefusedCalls.SEED), entry("sleep", "threads=ignore-sleep"), entry("parallelStream", "threads=sequential-streams"),
        entry("parallel", "threads=sequential-streams"), entry("variable", Properties.ALLOW), entry("variables", Properties.ALLOW),
        entry("properties", Properties.ALLOW), entry("processors", Properties.ALLOW), entry("interfaces", Properties.ALLOW));

    private static final Map<String, Replacement> ALL = new HashMap<>();
    private static final Set<String> NAMES = new HashSet<>();
    /** Those of threads and of what may wait, which take the place of others in a program that has threads. */
    private static final Map<String, Replacement> OF_THREADS = new HashMap<>();
    private static final Set<String> NAMES_OF_THREADS = new HashSet<>();

    /**
     * The hook called instead of a method, or before it.
     *
     * @param receiver the internal name of the class whose method it is
     * @param owner that of the hook's class
     * @param hook its name
     * @param descriptor its descriptor, without the place; null if it is that of the method and the hook is called
     *     instead. If it is not null the hook is called before the method, and what it takes off the stack and gives
     *     is the end of the method's arguments; if it gives nothing it is shown the last one or two of these
     * @param then the descriptor with which the method is called after the hook; null if it is not
     */
    public record Replacement(String receiver, String owner, String hook, String descriptor, String then) {
        /** What relaxes the rule for it; null if it is not always refused. */
        public String allow() {
            return NEVER_REFUSED.contains(owner) || owner.equals(ENVIRONMENT) && hook.equals("number") ? null : REFUSED.get(hook);
        }

        /** What code at a place does that calls the method. */
        public String done(String name, String place) {
            String type = receiver.substring(receiver.lastIndexOf('/') + 1);
            return Stack.say(place, "calls " + type + "." + name);
        }

        /** Reports whether the hook, called before the method, gives nothing, so that the method gets what the hook was shown. */
        public boolean looks() {
            return descriptor != null && descriptor.endsWith(")V") && !descriptor.startsWith("()");
        }
    }

    static {
        time();
        before("java/util/Random", "<init>", "()V", RANDOM, "seedOfRandom", "()J", "(J)V");
        before("java/util/SplittableRandom", "<init>", "()V", RANDOM, "seedOfSplittableRandom", "()J", "(J)V");
        instead("java/security/SecureRandom", "getInstance", "(Ljava/lang/String;)Ljava/security/SecureRandom;", RANDOM,
            "secure");
        instead("java/security/SecureRandom", "getInstanceStrong", "()Ljava/security/SecureRandom;", RANDOM, "secure");
        instead("java/lang/Math", "random", "()D", RANDOM, "number");
        instead("java/lang/StrictMath", "random", "()D", RANDOM, "number");
        instead("java/util/UUID", "randomUUID", "()Ljava/util/UUID;", RANDOM, "uuid");
        instead("java/util/Collections", "shuffle", "(Ljava/util/List;)V", RANDOM, "shuffle");
        instead("java/util/concurrent/ThreadLocalRandom", "current", "()Ljava/util/concurrent/ThreadLocalRandom;", RANDOM,
            "current");
        instead("java/lang/Thread", "sleep", "(J)V", THREADS, "sleep");
        instead("java/lang/Thread", "sleep", "(JI)V", THREADS, "sleep");
        instead("java/lang/Thread", "sleep", "(Ljava/time/Duration;)V", THREADS, "sleep");
        instead("java/lang/Thread", "getName", "()Ljava/lang/String;", THREADS, "name");
        instead("java/lang/Thread", "getId", "()J", THREADS, "id");
        instead("java/lang/Thread", "threadId", "()J", THREADS, "id");
        instead("java/lang/Thread", "toString", "()Ljava/lang/String;", THREADS, "toString");
        instead("java/lang/Runtime", "addShutdownHook", "(Ljava/lang/Thread;)V", THREADS, "addShutdownHook");
        instead("java/lang/Runtime", "removeShutdownHook", "(Ljava/lang/Thread;)Z", THREADS, "removeShutdownHook");
        instead("java/util/concurrent/Semaphore", "acquire", "(I)V", THREADS, "acquire");
        instead("java/util/concurrent/Semaphore", "acquireUninterruptibly", "(I)V", THREADS, "acquireUninterruptibly");
        instead("java/util/concurrent/Semaphore", "tryAcquire", "(IJLjava/util/concurrent/TimeUnit;)Z", THREADS,
            "tryAcquire");
        instead("java/util/concurrent/TimeUnit", "sleep", "(J)V", THREADS, "sleep");
        for (String shared : new String[] {"", "Shared"}) {
            String synchronizer = "java/util/concurrent/locks/AbstractQueuedSynchronizer";
            instead(synchronizer, "acquire" + shared, "(I)V", THREADS, "acquire" + shared);
            instead(synchronizer, "acquire" + shared + "Interruptibly", "(I)V", THREADS, "acquire" + shared + "Interruptibly");
            instead(synchronizer, "tryAcquire" + shared + "Nanos", "(IJ)Z", THREADS, "tryAcquire" + shared + "Nanos");
        }
        String executor = "(Ljava/util/concurrent/Executor;)";
        before("java/util/concurrent/ExecutorCompletionService", "<init>", executor + "V", THREADS, "executor",
            executor + "Ljava/util/concurrent/Executor;", executor + "V");
        instead("java/util/Collection", "parallelStream", "()Ljava/util/stream/Stream;", THREADS, "parallelStream");
        for (String type : new String[] {"Base", "Int", "Long", "Double"}) {
            String stream = "java/util/stream/" + type + "Stream";
            instead(stream, "parallel", "()L" + stream + ";", THREADS, "parallel");
        }
        for (String descriptor : new String[] {"(Ljava/util/Spliterator;Z)Ljava/util/stream/Stream;",
                "(Ljava/util/function/Supplier;IZ)Ljava/util/stream/Stream;"}) {
            before("java/util/stream/StreamSupport", "stream", descriptor, THREADS, "sequential", "(Z)Z", descriptor);
        }
        instead("java/lang/Object", "hashCode", "()I", IDENTITY, "hashCode");
        instead("java/lang/System", "identityHashCode", "(Ljava/lang/Object;)I", IDENTITY, "identityHashCode");
        environment();
        String unit = "Ljava/util/concurrent/TimeUnit;";
        waiting("java/lang/Object", "wait", "()V (J)V (JI)V");
        waiting("java/lang/Thread", "sleep", "(J)V (JI)V (Ljava/time/Duration;)V");
        waiting("java/lang/Thread", "join", "()V (J)V (JI)V");
        ofThreads("java/lang/Thread", "yield", "()V", BLOCKING, "yields");
        ofThreads("java/lang/Thread", "onSpinWait", "()V", BLOCKING, "yields");
        waiting("java/util/concurrent/TimeUnit", "sleep", "(J)V");
        String locks = "java/util/concurrent/locks/";
        waiting(locks + "LockSupport", "park", "()V (Ljava/lang/Object;)V");
        waiting(locks + "LockSupport", "parkNanos", "(J)V (Ljava/lang/Object;J)V");
        waiting(locks + "LockSupport", "parkUntil", "(J)V (Ljava/lang/Object;J)V");
        String queue = "java/util/concurrent/BlockingQueue";
        waiting(queue, "take", "()Ljava/lang/Object;");
        waiting(queue, "poll", "(J" + unit + ")Ljava/lang/Object;");
        waiting(queue, "put", "(Ljava/lang/Object;)V");
        waiting(queue, "offer", "(Ljava/lang/Object;J" + unit + ")Z");
        for (String end : new String[] {"First", "Last"}) {
            waiting("java/util/concurrent/BlockingDeque", "take" + end, "()Ljava/lang/Object;");
            waiting("java/util/concurrent/BlockingDeque", "poll" + end, "(J" + unit + ")Ljava/lang/Object;");
            waiting("java/util/concurrent/BlockingDeque", "put" + end, "(Ljava/lang/Object;)V");
            waiting("java/util/concurrent/BlockingDeque", "offer" + end, "(Ljava/lang/Object;J" + unit + ")Z");
        }
        waiting(locks + "Lock", "lock", "()V");
        waiting(locks + "Lock", "lockInterruptibly", "()V");
        waiting(locks + "Lock", "tryLock", "(J" + unit + ")Z");
        waiting(locks + "Condition", "await", "()V (J" + unit + ")Z");
        waiting(locks + "Condition", "awaitUninterruptibly", "()V");
        waiting(locks + "Condition", "awaitNanos", "(J)J");
        waiting(locks + "Condition", "awaitUntil", "(Ljava/util/Date;)Z");
        waiting("java/util/concurrent/CountDownLatch", "await", "()V (J" + unit + ")Z");
        String semaphore = "java/util/concurrent/Semaphore";
        waiting(semaphore, "acquire", "()V (I)V");
        waiting(semaphore, "acquireUninterruptibly", "()V (I)V");
        waiting(semaphore, "tryAcquire", "(J" + unit + ")Z (IJ" + unit + ")Z");
        waiting("java/util/concurrent/Future", "get", "()Ljava/lang/Object; (J" + unit + ")Ljava/lang/Object;");
        waiting("java/util/concurrent/CompletableFuture", "join", "()Ljava/lang/Object;");
        standing("java/lang/Object", "notify notifyAll", "()V");
        standing("java/lang/Thread", "currentThread", "()Ljava/lang/Thread;");
        standing("java/lang/Thread", "interrupted isAlive isDaemon", "()Z");
        standing("java/lang/Thread", "holdsLock", "(Ljava/lang/Object;)Z");
        standing("java/lang/Thread", "setDaemon", "(Z)V");
        standing("java/lang/Thread", "getPriority", "()I");
        standing("java/lang/Thread", "setPriority", "(I)V");
        standing("java/lang/Thread", "getName toString", "()Ljava/lang/String;");
        standing("java/lang/ThreadGroup", "getName", "()Ljava/lang/String;");
        standing("java/lang/Thread", "getThreadGroup", "()Ljava/lang/ThreadGroup;");
        standing("java/lang/Thread", "setName", "(Ljava/lang/String;)V");
        standing(locks + "LockSupport", "unpark", "(Ljava/lang/Thread;)V");
        standing(locks + "Lock", "unlock", "()V");
        standing(locks + "Lock", "tryLock", "()Z");
        standing(locks + "Lock", "newCondition", "()Ljava/util/concurrent/locks/Condition;");
        standing(locks + "Condition", "signal signalAll", "()V");
        standing(locks + "ReentrantLock", "isLocked isHeldByCurrentThread", "()Z");
        standing(locks + "ReentrantLock", "getHoldCount", "()I");
        standing("java/lang/Thread", "start interrupt", "()V");
        standing("java/lang/Thread", "isVirtual", "()Z");
        standing("java/util/concurrent/TransferQueue", "tryTransfer", "(Ljava/lang/Object;)Z");
        standing("java/util/concurrent/TransferQueue", "hasWaitingConsumer", "()Z");
        standing("java/util/concurrent/TransferQueue", "getWaitingConsumerCount", "()I");
        ofThreads("java/lang/ThreadLocal", "get", "()Ljava/lang/Object;", LOCALS, "get");
        ofThreads("java/lang/ThreadLocal", "set", "(Ljava/lang/Object;)V", LOCALS, "set");
        ofThreads("java/lang/ThreadLocal", "remove", "()V", LOCALS, "remove");
        functions();
        executors();
        synchronizers();
        forks();
        builders();
    }

    private static void functions() {
        String object = "Ljava/lang/Object;";
        String function = "Ljava/util/function/";
        ofThreads("java/lang/Iterable", "iterator", "()Ljava/util/Iterator;", FUNCTIONS, "iterator");
        ofThreads("java/lang/Iterable", "forEach", "(" + function + "Consumer;)V", FUNCTIONS, "forEach");
        ofThreads("java/util/Map", "forEach", "(" + function + "BiConsumer;)V", FUNCTIONS, "forEach");
        ofThreads("java/util/Collection", "removeIf", "(" + function + "Predicate;)Z", FUNCTIONS, "removeIf");
        String map = "java/util/Map";
        String takesBoth = function + "BiFunction;)" + object;
        ofThreads(map, "computeIfAbsent", "(" + object + function + "Function;)" + object, VALUES, "computeIfAbsent");
        ofThreads(map, "computeIfPresent", "(" + object + takesBoth, VALUES, "computeIfPresent");
        ofThreads(map, "compute", "(" + object + takesBoth, VALUES, "compute");
        ofThreads(map, "merge", "(" + object + object + takesBoth, VALUES, "merge");
        String optional = "java/util/Optional";
        String gives = ")L" + optional + ";";
        ofThreads(optional, "ifPresent", "(" + function + "Consumer;)V", VALUES, "ifPresent");
        ofThreads(optional, "ifPresentOrElse", "(" + function + "Consumer;Ljava/lang/Runnable;)V", VALUES, "ifPresentOrElse");
        ofThreads(optional, "filter", "(" + function + "Predicate;" + gives, VALUES, "filter");
        ofThreads(optional, "map", "(" + function + "Function;" + gives, VALUES, "map");
        ofThreads(optional, "flatMap", "(" + function + "Function;" + gives, VALUES, "flatMap");
        ofThreads(optional, "or", "(" + function + "Supplier;" + gives, VALUES, "or");
        ofThreads(optional, "orElseGet", "(" + function + "Supplier;)" + object, VALUES, "orElseGet");
        ofThreads(optional, "orElseThrow", "(" + function + "Supplier;)" + object, VALUES, "orElseThrow");
    }

    private static void builders() {
        String thread = "(Ljava/lang/Runnable;)Ljava/lang/Thread;";
        building("java/lang/Thread", "startVirtualThread", thread);
        building("java/lang/Thread", "ofVirtual", "()L" + BUILDER + "$OfVirtual;");
        building("java/lang/Thread", "ofPlatform", "()L" + BUILDER + "$OfPlatform;");
        for (String builder : new String[] {BUILDER, BUILDER + "$OfVirtual", BUILDER + "$OfPlatform"}) {
            String gives = ")L" + builder + ";";
            building(builder, "name", "(Ljava/lang/String;" + gives + " (Ljava/lang/String;J" + gives);
            building(builder, "inheritInheritableThreadLocals", "(Z" + gives);
            building(builder, "uncaughtExceptionHandler", "(Ljava/lang/Thread$UncaughtExceptionHandler;" + gives);
            building(builder, "daemon", "(" + gives + " (Z" + gives);
            building(builder, "group", "(Ljava/lang/ThreadGroup;" + gives);
            building(builder, "priority", "(I" + gives);
            building(builder, "stackSize", "(J" + gives);
        }
        building(BUILDER, "start", thread);
        building(BUILDER, "unstarted", thread);
        building(BUILDER, "factory", "()Ljava/util/concurrent/ThreadFactory;");
    }

    private static void building(String owner, String name, String descriptors) {
        for (String descriptor : descriptors.split(" ")) {
            ofThreads(owner, name, descriptor, BUILDERS, name);
        }
    }

    private static void synchronizers() {
        String concurrent = "java/util/concurrent/";
        String unit = "Ljava/util/concurrent/TimeUnit;";
        meeting(concurrent + "CyclicBarrier", "await", "()I (J" + unit + ")I");
        meeting(concurrent + "Phaser", "arriveAndAwaitAdvance", "()I");
        meeting(concurrent + "Phaser", "awaitAdvance", "(I)I");
        meeting(concurrent + "Phaser", "awaitAdvanceInterruptibly", "(I)I (IJ" + unit + ")I");
        String object = "Ljava/lang/Object;";
        meeting(concurrent + "Exchanger", "exchange", "(" + object + ")" + object + " (" + object + "J" + unit + ")" + object);
        for (String kind : new String[] {"write", "read"}) {
            String tries = "try" + kind.substring(0, 1).toUpperCase(Locale.ROOT) + kind.substring(1) + "Lock";
            meeting(concurrent + "locks/StampedLock", kind + "Lock", "()J");
            meeting(concurrent + "locks/StampedLock", kind + "LockInterruptibly", "()J");
            meeting(concurrent + "locks/StampedLock", tries, "(J" + unit + ")J");
        }
    }

    private static void forks() {
        String task = "java/util/concurrent/ForkJoinTask";
        ofThreads(task, "fork", "()L" + task + ";", FORKS, "fork");
        for (String name : new String[] {"isDone", "isCancelled"}) {
            meeting("java/util/concurrent/Future", name, "()Z");
        }
        for (String name : new String[] {"isCompletedNormally", "isCompletedAbnormally"}) {
            ofThreads(task, name, "()Z", FORKS, name);
        }
        ofThreads(task, "getException", "()Ljava/lang/Throwable;", FORKS, "getException");
        ofThreads(task, "getRawResult", "()Ljava/lang/Object;", FORKS, "getRawResult");
        meeting(task, "join", "()Ljava/lang/Object;");
        meeting(task, "invoke", "()Ljava/lang/Object;");
        meeting(task, "quietlyJoin", "()V");
        meeting(task, "quietlyInvoke", "()V");
        meeting(task, "invokeAll", "(L" + task + ";L" + task + ";)V (Ljava/util/Collection;)Ljava/util/Collection; ([L" + task + ";)V");
        meeting("java/util/concurrent/ForkJoinPool", "invoke", "(L" + task + ";)Ljava/lang/Object;");
    }

    private static void meeting(String owner, String name, String descriptors) {
        for (String descriptor : descriptors.split(" ")) {
            ofThreads(owner, name, descriptor, SYNCHRONIZERS, name);
        }
    }

    private static void executors() {
        String concurrent = "java/util/concurrent/";
        String unit = "Ljava/util/concurrent/TimeUnit;";
        String factory = "Ljava/util/concurrent/ThreadFactory;";
        String service = ")Ljava/util/concurrent/ExecutorService;";
        String scheduled = ")Ljava/util/concurrent/ScheduledExecutorService;";
        for (String takes : new String[] {"", factory}) {
            making("newFixedThreadPool", "(I" + takes + service);
            making("newSingleThreadExecutor newCachedThreadPool", "(" + takes + service);
            making("newScheduledThreadPool", "(I" + takes + scheduled);
            making("newSingleThreadScheduledExecutor", "(" + takes + scheduled);
        }
        making("newWorkStealingPool newVirtualThreadPerTaskExecutor", "(" + service);
        making("newWorkStealingPool", "(I" + service);
        making("newThreadPerTaskExecutor", "(" + factory + service);
        making("defaultThreadFactory", "()" + factory);
        waiting(concurrent + "ExecutorService", "awaitTermination", "(J" + unit + ")Z");
        waiting(concurrent + "ExecutorService", "invokeAll", "(Ljava/util/Collection;)Ljava/util/List;");
        waiting(concurrent + "ExecutorService", "invokeAny", "(Ljava/util/Collection;)Ljava/lang/Object;");
        waiting(concurrent + "ExecutorService", "close", "()V");
        ofThreads(concurrent + "ForkJoinPool", "commonPool", "()L" + concurrent + "ForkJoinPool;", EXECUTORS, "commonPool");
        String future = concurrent + "CompletableFuture";
        String executor = "Ljava/util/concurrent/Executor;";
        for (String takes : new String[] {")", executor + ")"}) {
            ofThreads(future, "supplyAsync", "(Ljava/util/function/Supplier;" + takes + "L" + future + ";", EXECUTORS, "supplyAsync");
            ofThreads(future, "runAsync", "(Ljava/lang/Runnable;" + takes + "L" + future + ";", EXECUTORS, "runAsync");
            ofThreads(future, "delayedExecutor", "(J" + unit + takes + executor, EXECUTORS, "delayedExecutor");
        }
        ofThreads(future, "orTimeout", "(J" + unit + ")L" + future + ";", EXECUTORS, "orTimeout");
        ofThreads(future, "completeOnTimeout", "(Ljava/lang/Object;J" + unit + ")L" + future + ";", EXECUTORS, "completeOnTimeout");
    }

    private static void making(String names, String descriptor) {
        for (String name : names.split(" ")) {
            ofThreads("java/util/concurrent/Executors", name, descriptor, EXECUTORS, name);
        }
    }

    private static void waiting(String owner, String name, String descriptors) {
        for (String descriptor : descriptors.split(" ")) {
            ofThreads(owner, name, descriptor, BLOCKING, name);
        }
    }

    private static void standing(String owner, String names, String descriptor) {
        for (String name : names.split(" ")) {
            ofThreads(owner, name, descriptor, STAND_INS, name);
        }
    }

    private static void ofThreads(String owner, String name, String descriptor, String hooks, String hook) {
        NAMES_OF_THREADS.add(name);
        OF_THREADS.put(owner + "." + name + descriptor, new Replacement(owner, hooks, hook, null, null));
    }

    /** Of a call of {@link Object#hashCode} itself, by {@code super}. */
    public static final Replacement SUPER_HASH_CODE =
        new Replacement("java/lang/Object", IDENTITY, "identityHashCode", null, null);

    private Replacements() {}

    private static Replacement ofThreads(String owner, String name, String descriptor) {
        Replacement found = OF_THREADS.get(owner + "." + name + descriptor);
        return found == null && isAsync(owner, name) && !descriptor.contains(EXECUTOR + ")")
            ? new Replacement(owner, EXECUTORS, "common", "()" + EXECUTOR, descriptor.replace(")", EXECUTOR + ")")) : found;
    }

    private static boolean isAsync(String owner, String name) {
        return name.endsWith("Async") && (owner.equals("java/util/concurrent/CompletableFuture")
            || owner.equals("java/util/concurrent/CompletionStage"));
    }

    /** Reports whether what stands in for a method starts threads, or makes what does. */
    public static boolean startsThreads(Replacement replacement) {
        return switch (replacement.owner()) {
            case EXECUTORS, BUILDERS -> true;
            case FORKS -> replacement.hook().equals("fork");
            case STAND_INS -> replacement.hook().equals("start");
            default -> false;
        };
    }

    /** Reports whether a method may wait that stands in for another one. */
    public static boolean mayWait(Replacement replacement) {
        return isBlocking(replacement.owner());
    }

    /** Reports whether the methods of a class of hooks may wait. */
    public static boolean isBlocking(String hooks) {
        return hooks.equals(BLOCKING) || hooks.equals(SYNCHRONIZERS) || hooks.equals(SOCKETS) || hooks.equals(STREAMS);
    }

    /** Reports whether a method calls another one by reflection. */
    public static boolean isReflection(String owner, String name, String descriptor) {
        return owner.equals("java/lang/reflect/Method") && name.equals("invoke") && descriptor.startsWith("(Ljava/lang/Object;[");
    }

    /** Reports whether the methods of a class of hooks are rewritten as the program's are. */
    public static boolean isLeaving(String hooks) {
        return hooks.startsWith(LEAVING);
    }

    /**
     * What stands in for a method; null if nothing does.
     *
     * @param hasThreads whether the program has threads
     */
    public static Replacement find(String owner, String name, String descriptor, boolean hasThreads) {
        Replacement found = hasThreads ? ofThreads(owner, name, descriptor) : null;
        if (found != null) {
            return found;
        }
        if (isAsync(owner, name)) {
            return async(owner, descriptor);
        }
        return ALL.get(owner + "." + name + descriptor);
    }

    /** Reports whether something may stand in for a method of this name, in a program with threads or without. */
    public static boolean mayHave(String name, boolean hasThreads) {
        return name.endsWith("Async") || NAMES.contains(name) || hasThreads && NAMES_OF_THREADS.contains(name);
    }

    static boolean has(String owner, String name, String descriptor) {
        return find(owner, name, descriptor, false) != null;
    }

    /** What runs tasks elsewhere needs an executor, and none with threads. */
    private static Replacement async(String type, String descriptor) {
        return descriptor.contains(EXECUTOR + ")")
            ? new Replacement(type, THREADS, "executor", "(" + EXECUTOR + ")" + EXECUTOR, descriptor)
            : new Replacement(type, THREADS, "noExecutor", "()V", descriptor);
    }

    private static void time() {
        instead("java/lang/System", "currentTimeMillis", "()J", TIME, "currentTimeMillis");
        instead("java/lang/System", "nanoTime", "()J", TIME, "nanoTime");
        instead("java/time/Instant", "now", "()Ljava/time/Instant;", TIME, "now");
        instead("java/time/InstantSource", "system", "()Ljava/time/InstantSource;", TIME, "source");
        String clock = "Ljava/time/Clock;";
        String zone = "Ljava/time/ZoneId;";
        instead("java/time/Clock", "systemUTC", "()" + clock, TIME, "clock");
        instead("java/time/Clock", "systemDefaultZone", "()" + clock, TIME, "clock");
        instead("java/time/Clock", "system", "(" + zone + ")" + clock, TIME, "clock");
        for (String tick : new String[] {"tickMillis", "tickSeconds", "tickMinutes"}) {
            instead("java/time/Clock", tick, "(" + zone + ")" + clock, TIME, tick);
        }
        for (String type : new String[] {"LocalDate", "LocalTime", "LocalDateTime", "ZonedDateTime", "OffsetDateTime",
                "OffsetTime", "Year", "YearMonth", "MonthDay"}) {
            String owner = "java/time/" + type;
            String then = "(" + clock + ")L" + owner + ";";
            before(owner, "now", "()L" + owner + ";", TIME, "clock", "()" + clock, then);
            before(owner, "now", "(" + zone + ")L" + owner + ";", TIME, "clock", "(" + zone + ")" + clock, then);
        }
        before("java/util/Date", "<init>", "()V", TIME, "currentTimeMillis", "()J", "(J)V");
        for (String arguments : new String[] {"", "Ljava/util/TimeZone;", "Ljava/util/Locale;",
                "Ljava/util/TimeZone;Ljava/util/Locale;"}) {
            instead("java/util/Calendar", "getInstance", "(" + arguments + ")Ljava/util/Calendar;", TIME, "calendar");
        }
    }

    private static void environment() {
        String string = "Ljava/lang/String;";
        instead("java/lang/System", "getProperty", "(" + string + ")" + string, ENVIRONMENT, "property");
        instead("java/lang/System", "getProperty", "(" + string + string + ")" + string, ENVIRONMENT, "property");
        instead("java/lang/System", "getenv", "(" + string + ")" + string, ENVIRONMENT, "variable");
        instead("java/lang/System", "getenv", "()Ljava/util/Map;", ENVIRONMENT, "variables");
        instead("java/lang/System", "getProperties", "()Ljava/util/Properties;", ENVIRONMENT, "properties");
        instead("java/lang/Boolean", "getBoolean", "(" + string + ")Z", ENVIRONMENT, "flag");
        for (String second : new String[] {"", "I", "Ljava/lang/Integer;"}) {
            instead("java/lang/Integer", "getInteger", "(" + string + second + ")Ljava/lang/Integer;", ENVIRONMENT,
                "integer");
        }
        for (String second : new String[] {"", "J", "Ljava/lang/Long;"}) {
            instead("java/lang/Long", "getLong", "(" + string + second + ")Ljava/lang/Long;", ENVIRONMENT, "number");
        }
        instead("java/lang/ClassLoader", "getSystemClassLoader", "()Ljava/lang/ClassLoader;", ENVIRONMENT, "loader");
        instead("java/lang/ClassLoader", "getSystemResource", "(" + string + ")Ljava/net/URL;", ENVIRONMENT, "resource");
        instead("java/lang/ClassLoader", "getSystemResources", "(" + string + ")Ljava/util/Enumeration;", ENVIRONMENT,
            "resources");
        instead("java/lang/ClassLoader", "getSystemResourceAsStream", "(" + string + ")Ljava/io/InputStream;", ENVIRONMENT,
            "resourceAsStream");
        String named = "(" + string + ")Ljava/net/InetAddress;";
        before("java/net/InetAddress", "getByName", named, ENVIRONMENT, "address", "(" + string + ")V", named);
        String all = "(" + string + ")[Ljava/net/InetAddress;";
        before("java/net/InetAddress", "getAllByName", all, ENVIRONMENT, "address", "(" + string + ")V", all);
        before("java/net/InetSocketAddress", "<init>", "(" + string + "I)V", ENVIRONMENT, "address", "(" + string + "I)V",
            "(" + string + "I)V");
        instead("java/net/InetAddress", "getLocalHost", "()Ljava/net/InetAddress;", ENVIRONMENT, "localHost");
        instead("java/net/InetAddress", "getHostName", "()" + string, ENVIRONMENT, "hostName");
        instead("java/net/InetAddress", "getCanonicalHostName", "()" + string, ENVIRONMENT, "hostName");
        instead("java/net/NetworkInterface", "getNetworkInterfaces", "()Ljava/util/Enumeration;", ENVIRONMENT, "interfaces");
        instead("java/lang/Runtime", "availableProcessors", "()I", ENVIRONMENT, "processors");
    }

    private static void instead(String owner, String name, String descriptor, String hooks, String hook) {
        NAMES.add(name);
        ALL.put(owner + "." + name + descriptor, new Replacement(owner, hooks, hook, null, null));
    }

    private static void before(String owner, String name, String descriptor, String hooks, String hook, String takes,
            String then) {
        NAMES.add(name);
        ALL.put(owner + "." + name + descriptor, new Replacement(owner, hooks, hook, takes, then));
    }
}
