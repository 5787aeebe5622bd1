package harrier.runtime.rules.refuse;

import harrier.runtime.jdk.JdkClasses;
import harrier.runtime.rules.allow.Rule;
import harrier.runtime.rules.refuse.RefusedCall.When;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiPredicate;

/**
 * The methods of the JDK that a step must not call, by owner and name, perhaps with the beginning of the descriptor, and those that change
 * loggers of libraries. Calls within the JDK are not rewritten, but for what {@link harrier.runtime.jdk.JdkRewrite} changes, so those of
 * its methods that call one of the others in turn are here too.
 */
public final class RefusedCalls {
    /** By their numbers. Those of classes that {@link JdkClasses} lacks are added as they are met. */
    private static final List<RefusedCall> ALL = new CopyOnWriteArrayList<>();
    private static final Map<String, List<Integer>> BY_NAME = new HashMap<>();
    private static final Map<String, Integer> UNKNOWN = new ConcurrentHashMap<>();

    private static final String NO_THREADS =
        "an actor is one sequential process: hand tasks to its eventLoop(), or make another actor";
    static final String NO_WAITING =
        "a handler must not wait: return, and go on when a message or a timer comes";
    public static final String NO_CHANCE =
        "draw from a java.util.Random with a seed of your own, or take what is decided from choose(n)";
    private static final String NO_UUID = "make what is unique of the actor's name and a counter in a field, with UUID.nameUUIDFromBytes for"
        + " instance";
    /** Why a UUID is refused, and what to do. */
    public static final String UUIDS = NO_UUID + "; randomness=unique:N has all of them differ (--allow)";
    public static final String UNIQUE = "randomness=unique:1";
    /** What gives a seed to what has none. */
    public static final String SEED = "randomness=seed:1";
    public static final String SEEDS = "randomness=seed:N gives it a seed that is always the same, unique:N one of each actor and draw,"
        + " and choice:V1,V2 explores some in handlers (--allow)";
    private static final String NO_SOCKETS = "sockets work in programs whose own classes make them with new, and start threads";
    private static final String NO_OPTION = "it is not explored: leave it out, or take another method or constructor of the class";
    private static final String NO_SELECTORS = "channels and selectors are not explored: use the sockets of java.net, and of Netty its local"
        + " or embedded channels";
    private static final String NO_ENCRYPTION = "connections are not encrypted here: use the sockets of java.net";
    private static final String NO_MORE = "it may depend on more than the step, or change more: messages are an actor's only input and output";
    public static final String NO_IO = "messages are an actor's only input and output: hand it what it needs";
    private static final String NO_ENVIRONMENT =
        "hand the actor what it needs to know of the machine, as a @Parameter of the scenario for instance";
    private static final String SHARED_LOGGERS = "loggers are shared by all actors: leave them as they are";
    private static final String NOT_KEPT =
        "it depends on how the content came about, and a state has the content alone: keep what matters of it in a field";
    private static final String NO_REFLECTION = "call what you mean directly";

    static {
        add(Rule.EXIT, "", When.ALWAYS, "what is checked must not end the process; throw an exception to report a failure", """
            java.lang.System exit
            java.lang.Runtime exit halt
            """);
        add(Rule.THREADS, "", When.ALWAYS, NO_THREADS, """
            java.lang.Thread start startVirtualThread setDefaultUncaughtExceptionHandler
            java.lang.Thread$Builder start
            java.lang.ThreadGroup interrupt stop suspend resume destroy setMaxPriority setDaemon
            java.util.Timer <init>
            java.util.Arrays parallelSort parallelPrefix parallelSetAll
            java.util.concurrent.ConcurrentHashMap forEach(J forEachKey forEachValue forEachEntry reduce reduceToDouble \
            reduceToLong reduceToInt reduceKeys reduceValues reduceEntries search searchKeys searchValues searchEntries
            java.util.concurrent.ForkJoinTask fork invoke invokeAll
            java.util.concurrent.ForkJoinTask quietlyInvoke
            java.util.concurrent.ForkJoinPool invoke externalSubmit lazySubmit submitWithTimeout
            java.util.concurrent.ThreadPoolExecutor prestartCoreThread prestartAllCoreThreads setCorePoolSize
            java.util.concurrent.StructuredTaskScope fork open
            java.lang.ref.Cleaner create
            """);
        add(Rule.THREADS, "", When.ALWAYS, "an actor is one sequential process: set a timer", """
            java.util.concurrent.CompletableFuture delayedExecutor orTimeout completeOnTimeout
            """);
        add(Rule.THREADS, "", When.ALWAYS, "an actor is one sequential process: call its subscribers, or send messages", """
            java.util.concurrent.SubmissionPublisher <init>
            """);
        add(Rule.THREADS, "", When.OF_THE_JDK, NO_THREADS, """
            java.util.concurrent.Executor execute
            java.util.concurrent.ExecutorService submit invokeAll invokeAny awaitTermination
            java.util.concurrent.ScheduledExecutorService schedule scheduleAtFixedRate scheduleWithFixedDelay
            """);
        add(Rule.THREADS, "", When.ALWAYS, NO_WAITING, """
            java.lang.Object wait
            java.lang.Thread join
            java.util.concurrent.locks.LockSupport park parkNanos parkUntil
            java.util.concurrent.locks.Condition await awaitNanos awaitUntil awaitUninterruptibly
            java.util.concurrent.CyclicBarrier await
            java.util.concurrent.ForkJoinPool awaitQuiescence
            java.util.concurrent.ForkJoinTask helpQuiesce
            java.util.concurrent.Phaser arriveAndAwaitAdvance awaitAdvance awaitAdvanceInterruptibly
            java.util.concurrent.Exchanger exchange
            java.util.concurrent.TransferQueue transfer tryTransfer(Ljava/lang/Object;J
            """);
        add(Rule.THREADS, "", When.IT_WAITS, NO_WAITING, """
            java.util.concurrent.CompletableFuture join
            java.util.concurrent.Future get
            java.util.concurrent.ForkJoinTask join quietlyJoin
            java.util.concurrent.locks.Lock lock lockInterruptibly tryLock(J
            java.util.concurrent.locks.StampedLock writeLock writeLockInterruptibly tryWriteLock(J readLock \
            readLockInterruptibly tryReadLock(J
            java.util.concurrent.CountDownLatch await
            java.util.concurrent.Semaphore acquire acquireUninterruptibly tryAcquire(J tryAcquire(IJ
            java.util.concurrent.BlockingQueue take put poll(J offer(Ljava/lang/Object;J
            java.util.concurrent.CompletionService take poll(J
            java.util.concurrent.BlockingDeque takeFirst takeLast putFirst putLast pollFirst(J pollLast(J \
            offerFirst(Ljava/lang/Object;J offerLast(Ljava/lang/Object;J
            """);
        add(Rule.STATICS, "", When.ALWAYS, "what it keeps is shared by all actors: keep it in a field of the actor", """
            java.lang.ClassValue get remove
            """);
        add(Rule.THREADS, "", When.CURRENT_THREAD, "the thread is the worker's, which runs other steps, too", """
            java.lang.Thread setPriority setName setDaemon setUncaughtExceptionHandler interrupt stop suspend
            """);
        add(Rule.THREADS, "", When.KEEPS, "", """
            java.lang.ThreadLocal get set
            """);
        add(Rule.TIME, "", When.ALWAYS, "call Calendar.getInstance()", """
            java.util.GregorianCalendar <init>() <init>(Ljava/util/TimeZone; <init>(Ljava/util/Locale;
            """);
        add(Rule.TIME, "", When.ALWAYS, "call now() of java.time.LocalDate and convert it", """
            java.time.chrono.HijrahDate now
            java.time.chrono.JapaneseDate now
            java.time.chrono.MinguoDate now
            java.time.chrono.ThaiBuddhistDate now
            java.time.chrono.Chronology dateNow
            """);
        add(Rule.RANDOMNESS, "", When.ALWAYS, NO_CHANCE, """
            java.security.SecureRandom <init> getInstance getInstanceStrong
            java.security.KeyPairGenerator generateKeyPair genKeyPair
            javax.crypto.KeyGenerator generateKey
            java.util.random.RandomGenerator of getDefault
            java.util.random.RandomGenerator$StreamableGenerator of
            java.util.random.RandomGenerator$SplittableGenerator of
            java.util.random.RandomGeneratorFactory of getDefault create()
            """);
        add(Rule.RANDOMNESS, "", When.UNSEEDED, NO_CHANCE + "; " + SEEDS, """
            java.util.Random next nextInt nextLong nextDouble nextFloat nextBoolean nextGaussian nextExponential nextBytes \
            ints longs doubles
            java.util.random.RandomGenerator nextInt nextLong nextDouble nextFloat nextBoolean nextGaussian \
            nextExponential nextBytes ints longs doubles
            """);
        add(Rule.IO, "read", When.ALWAYS, NO_IO, """
            java.io.FileInputStream <init>
            java.io.FileReader <init>
            java.io.File canRead canWrite canExecute exists isDirectory isFile isHidden lastModified length list listFiles \
            listRoots getAbsolutePath getAbsoluteFile toURI toURL getCanonicalPath getCanonicalFile getFreeSpace getTotalSpace getUsableSpace
            java.util.Scanner <init>(Ljava/io/File; <init>(Ljava/nio/file/Path;
            java.util.zip.ZipFile <init>
            java.util.jar.JarFile <init>
            java.nio.file.Files exists notExists isDirectory isRegularFile isReadable isWritable isExecutable isHidden \
            isSameFile isSymbolicLink size getLastModifiedTime getOwner getAttribute readAttributes probeContentType \
            newInputStream newBufferedReader readAllBytes readAllLines readString lines list walk find walkFileTree \
            newDirectoryStream mismatch readSymbolicLink getFileStore
            java.nio.file.Path toAbsolutePath toRealPath toUri
            """);
        add(Rule.IO, "", When.ALWAYS, NO_IO, """
            java.io.PrintStream <init>(Ljava/lang/String; <init>(Ljava/io/File;
            java.io.PrintWriter <init>(Ljava/lang/String; <init>(Ljava/io/File;
            java.util.Formatter <init>(Ljava/lang/String; <init>(Ljava/io/File;
            java.io.File createNewFile createTempFile delete deleteOnExit mkdir mkdirs renameTo setExecutable \
            setLastModified setReadable setReadOnly setWritable
            java.nio.file.FileSystem newWatchService getFileStores getRootDirectories close
            java.nio.file.FileSystems newFileSystem
            java.net.InetAddress isReachable
            java.lang.Runtime exec
            java.lang.System console inheritedChannel
            """);
        add(Rule.IO, "", When.OUTSIDE, NO_IO, """
            java.net.URL openConnection openStream getContent
            """);
        add(Rule.IO, "", When.IT_WAITS, NO_IO, """
            java.net.InetSocketAddress getHostName
            """);
        add(Rule.ENVIRONMENT, "", When.OUTSIDE_INITIALIZERS, SHARED_LOGGERS, """
            java.util.logging.LogManager readConfiguration updateConfiguration
            """);
        add(Rule.ENVIRONMENT, "", When.ALWAYS, SHARED_LOGGERS, """
            java.util.logging.Logger setLevel addHandler removeHandler setFilter setUseParentHandlers setParent setResourceBundle
            java.util.logging.Handler setLevel setFilter setFormatter setEncoding setErrorManager
            java.util.logging.LogManager reset addLogger addConfigurationListener removeConfigurationListener
            ch.qos.logback.classic.Logger setLevel setAdditive addAppender detachAppender detachAndStopAllAppenders
            ch.qos.logback.classic.LoggerContext reset stop addTurboFilter
            org.apache.logging.log4j.core.config.Configurator setLevel setRootLevel setAllLevels initialize reconfigure shutdown
            org.apache.logging.log4j.core.config.LoggerConfig setLevel setAdditive addAppender removeAppender
            org.apache.logging.log4j.core.Logger setLevel setAdditive addAppender removeAppender
            org.apache.log4j.Category setLevel setPriority setAdditivity addAppender removeAppender removeAllAppenders
            org.apache.log4j.Logger setLevel setPriority setAdditivity addAppender removeAppender removeAllAppenders
            org.jboss.logmanager.Logger setLevel addHandler removeHandler
            """);
        add(Rule.ENVIRONMENT, "", When.ALWAYS, NO_ENVIRONMENT, """
            java.lang.System setProperty clearProperty setProperties setOut setErr setIn setSecurityManager
            java.util.Locale setDefault
            java.util.TimeZone setDefault
            java.lang.Runtime totalMemory freeMemory maxMemory
            java.net.URL setURLStreamHandlerFactory
            java.net.URLConnection setContentHandlerFactory setDefaultRequestProperty setDefaultUseCaches setFileNameMap
            """);
        add(Rule.ENVIRONMENT, "fixed", When.ALWAYS, NO_ENVIRONMENT, """
            java.lang.Thread getAllStackTraces activeCount enumerate
            java.lang.ThreadGroup activeCount activeGroupCount enumerate list
            """);
        add(Rule.REFLECTION, "any", When.REFLECTED, NO_REFLECTION, """
            java.lang.reflect.Method invoke
            java.lang.reflect.Constructor newInstance
            java.lang.Class newInstance
            java.lang.reflect.AccessibleObject setAccessible(Z trySetAccessible
            java.lang.reflect.Field get getBoolean getByte getChar getShort getInt getLong getFloat getDouble \
            set setBoolean setByte setChar setShort setInt setLong setFloat setDouble
            """);
        add(Rule.REFLECTION, "any", When.ALWAYS, NO_REFLECTION, """
            java.lang.invoke.MethodHandles$Lookup findVirtual bind findStatic findConstructor findSpecial findStaticVarHandle \
            findStaticSetter findStaticGetter unreflect unreflectConstructor unreflectSpecial unreflectSetter \
            unreflectVarHandle
            java.lang.invoke.MethodHandles privateLookupIn
            java.lang.reflect.AccessibleObject setAccessible([
            """);
        add(Rule.REFLECTION, "", When.ALWAYS, NO_REFLECTION, """
            java.lang.ClassLoader <init> defineClass getPlatformClassLoader \
            setDefaultAssertionStatus setPackageAssertionStatus setClassAssertionStatus clearAssertionStatus
            java.lang.constant.ConstantDesc resolveConstantDesc
            java.lang.constant.DynamicCallSiteDesc resolveCallSiteDesc
            java.lang.invoke.MethodHandles$Lookup defineClass defineHiddenClass defineHiddenClassWithClassData
            """);
        add(Rule.NATIVES, "any", When.ALWAYS, "leave native code out of what is checked", """
            java.lang.System load loadLibrary
            java.lang.Runtime load loadLibrary
            java.nio.ByteBuffer allocateDirect
            """);
        add(Rule.NATIVES, "any", When.ALWAYS, "the dictionary is native memory, which is not compared: leave it out of what is checked", """
            java.util.zip.Deflater setDictionary
            java.util.zip.Inflater setDictionary
            """);
        add(Rule.JDK, "", When.ALWAYS, NOT_KEPT, """
            java.util.Vector capacity
            java.lang.StringBuilder capacity
            java.lang.StringBuffer capacity
            java.util.BitSet size
            """);
        add(Rule.JDK, "", When.READS_LINES, "where it was thrown is no part of a state: keep what matters of it in a field", """
            java.lang.Throwable getStackTrace printStackTrace(Ljava/io/PrintWriter; printStackTrace(Ljava/io/PrintStream;
            java.lang.Thread getStackTrace
            java.lang.StackWalker forEach walk
            """);
        for (String list : List.of("java/util/ArrayList", "java/util/LinkedList", "java/util/Vector")) {
            add(new RefusedCall(Rule.JDK, "", list, "modCount", "I", When.ALWAYS, NOT_KEPT));
        }
        add(new RefusedCall(Rule.JDK, "", "java/util/Vector", "elementData", "[Ljava/lang/Object;", When.ALWAYS, NOT_KEPT));
        add(new RefusedCall(Rule.JDK, "", "java/util/Vector", "capacityIncrement", "I", When.ALWAYS, NOT_KEPT));
        add(new RefusedCall(Rule.IO, "", "java/lang/System", "in", "Ljava/io/InputStream;", When.ALWAYS, NO_IO));
    }

    private RefusedCalls() {}

    /** The refused call with a number. */
    public static RefusedCall get(int number) {
        return ALL.get(number);
    }

    /** Reports whether some refused call has this name. */
    public static boolean has(String name) {
        return BY_NAME.containsKey(name);
    }

    /**
     * The number of the refused call that a call reaches; -1 if it is none.
     *
     * @param reaches whether a call of the method with this owner reaches the one of a class of the JDK
     */
    public static int find(String owner, String name, String descriptor, BiPredicate<String, String> reaches) {
        boolean isField = !descriptor.startsWith("("); // which may have the name of a method
        for (int number : BY_NAME.getOrDefault(name, List.of())) {
            RefusedCall refused = ALL.get(number);
            if (refused.isField() == isField && descriptor.startsWith(refused.descriptor())
                    && reaches.test(owner, refused.owner())) {
                return number;
            }
        }
        return -1;
    }

    /** The number of the use of a method or field of a class of the JDK; -1 if {@link JdkClasses} has the class. */
    public static int findUnknown(String owner, String name, String descriptor) {
        if (JdkClasses.isAllowed(owner)) {
            return -1;
        }
        String kind = descriptor.startsWith("(") ? "" : descriptor;
        return UNKNOWN.computeIfAbsent(owner + "." + name + kind, n -> number(new RefusedCall(Rule.JDK, JdkClasses.unit(owner), owner, name, kind,
            When.ALWAYS, mend(owner))));
    }

    /** The number of the use of a method or constructor that a class has not which comes in place of one of the JDK. */
    public static int findMissing(String owner, String name, String descriptor) {
        return UNKNOWN.computeIfAbsent(owner + "." + name + descriptor, n -> number(new RefusedCall(Rule.JDK, "", owner, name,
            descriptor, When.ALWAYS, NO_OPTION)));
    }

    private static String mend(String owner) {
        boolean isSocket = owner.startsWith("java/net/") && owner.contains("Socket");
        boolean isChannel = owner.startsWith("java/nio/channels/") && !owner.contains("File");
        return isSocket ? NO_SOCKETS : isChannel ? NO_SELECTORS : owner.startsWith("javax/net/") ? NO_ENCRYPTION : NO_MORE;
    }

    private static void add(Rule rule, String allowed, When when, String mend, String lines) {
        lines.lines().forEach(line -> {
            String[] words = line.split("\\s+");
            String owner = words[0].replace('.', '/');
            for (int i = 1; i < words.length; i++) {
                int parenthesis = words[i].indexOf('(');
                String name = parenthesis < 0 ? words[i] : words[i].substring(0, parenthesis);
                String descriptor = parenthesis < 0 ? "" : words[i].substring(parenthesis);
                add(new RefusedCall(rule, allowed, owner, name, descriptor, when, mend));
            }
        });
    }

    private static void add(RefusedCall refused) {
        BY_NAME.computeIfAbsent(refused.name(), n -> new ArrayList<>()).add(number(refused));
    }

    private static synchronized int number(RefusedCall refused) {
        ALL.add(refused);
        return ALL.size() - 1;
    }
}
