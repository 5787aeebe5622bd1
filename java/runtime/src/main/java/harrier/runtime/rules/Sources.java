package harrier.runtime.rules;

import harrier.runtime.rules.Source.When;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * The methods of the JDK that a step must not call, by owner and name. The JDK itself is not rewritten, so those of its
 * methods that call one of the others in turn are here too.
 */
public final class Sources {
    private static final List<Source> ALL = new ArrayList<>();
    private static final Map<String, List<Integer>> BY_NAME = new HashMap<>();
    private static final Map<String, Integer> WHOLE_CLASSES = new HashMap<>();

    private static final Map<String, Integer> PACKAGES = new LinkedHashMap<>();
    private static final Set<String> PLAIN = Set.of("java/sql/Timestamp", "java/sql/Date", "java/sql/Time");

    private static final String NO_THREADS =
        "an actor is one sequential process: hand tasks to its eventLoop(), or make another actor";
    private static final String NO_WAITING =
        "a handler must not wait: return, and go on when a message or a timer comes";
    static final String NO_CHANCE =
        "draw from a java.util.Random with a seed of your own, or take what is decided from choose(n)";
    static final String SEEDS = "randomness=seed:N gives it a seed that is always the same, and"
        + " randomness=choice:V1,V2 explores some (--allow)";
    private static final String NO_IO = "messages are an actor's only input and output: hand it what it needs";
    private static final String NO_ENVIRONMENT =
        "hand the actor what it needs to know of the machine, as a @Parameter of the scenario for instance";
    private static final String NO_REFLECTION = "call what you mean directly";

    static {
        add(Rule.EXIT, "", When.ALWAYS, "what is checked must not end the process; throw an exception to report a failure", """
            java.lang.System exit
            java.lang.Runtime exit halt
            """);
        add(Rule.THREADS, "", When.ALWAYS, NO_THREADS, """
            java.lang.Thread start startVirtualThread setDefaultUncaughtExceptionHandler
            java.lang.Thread$Builder start
            java.lang.Runtime addShutdownHook removeShutdownHook
            java.util.Timer <init>
            java.util.Collection parallelStream
            java.util.stream.BaseStream parallel
            java.util.Arrays parallelSort parallelPrefix parallelSetAll
            java.util.concurrent.ConcurrentHashMap forEach(J forEachKey forEachValue forEachEntry reduce reduceToDouble \
            reduceToLong reduceToInt reduceKeys reduceValues reduceEntries search searchKeys searchValues searchEntries
            java.util.concurrent.CompletableFuture delayedExecutor orTimeout completeOnTimeout
            java.util.concurrent.ForkJoinTask fork invoke invokeAll
            java.util.concurrent.ForkJoinTask quietlyInvoke
            java.util.concurrent.ForkJoinPool invoke externalSubmit lazySubmit submitWithTimeout
            java.util.concurrent.ThreadPoolExecutor prestartCoreThread prestartAllCoreThreads setCorePoolSize
            java.util.concurrent.ExecutorCompletionService <init>
            java.util.concurrent.SubmissionPublisher <init>
            java.util.concurrent.StructuredTaskScope fork open
            java.lang.ref.Cleaner create
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
            java.util.concurrent.BlockingDeque takeFirst takeLast putFirst putLast pollFirst(J pollLast(J \
            offerFirst(Ljava/lang/Object;J offerLast(Ljava/lang/Object;J
            """);
        add(Rule.STATICS, "", When.ALWAYS, "what it keeps is shared by all actors: keep it in a field of the actor", """
            java.lang.ClassValue get remove
            """);
        add(Rule.THREADS, "", When.CURRENT_THREAD, "the thread is the worker's, which runs other steps, too", """
            java.lang.Thread setPriority setName setDaemon setUncaughtExceptionHandler
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
            java.lang.Class getResource getResourceAsStream
            java.lang.ClassLoader getResource getResources getResourceAsStream resources getSystemResource \
            getSystemResources getSystemResourceAsStream
            java.lang.Module getResourceAsStream
            """);
        add(Rule.IO, "", When.ALWAYS, NO_IO, """
            java.io.FileOutputStream <init>
            java.io.FileWriter <init>
            java.io.RandomAccessFile <init>
            java.io.PrintStream <init>(Ljava/lang/String; <init>(Ljava/io/File;
            java.io.PrintWriter <init>(Ljava/lang/String; <init>(Ljava/io/File;
            java.util.Formatter <init>(Ljava/lang/String; <init>(Ljava/io/File;
            java.util.logging.FileHandler <init>
            java.util.logging.SocketHandler <init>
            java.io.File createNewFile createTempFile delete deleteOnExit mkdir mkdirs renameTo setExecutable \
            setLastModified setReadable setReadOnly setWritable
            java.nio.file.Files copy createDirectories createDirectory createFile createLink createSymbolicLink \
            createTempDirectory createTempFile delete deleteIfExists move newBufferedWriter newByteChannel \
            newOutputStream setAttribute setLastModifiedTime setOwner setPosixFilePermissions write writeString
            java.nio.channels.FileChannel open
            java.nio.channels.AsynchronousFileChannel open
            java.nio.file.FileSystem newWatchService
            java.nio.file.FileSystems newFileSystem
            java.net.Socket <init>
            java.net.ServerSocket <init>
            java.net.DatagramSocket <init>
            java.net.MulticastSocket <init>
            java.net.URL openConnection openStream getContent
            java.net.InetAddress getLocalHost getByName getAllByName getHostName getCanonicalHostName isReachable
            java.net.InetSocketAddress <init>(Ljava/lang/String;
            java.net.NetworkInterface getNetworkInterfaces getByName getByIndex getByInetAddress networkInterfaces
            java.net.http.HttpClient newHttpClient newBuilder
            java.nio.channels.SocketChannel open
            java.nio.channels.ServerSocketChannel open
            java.nio.channels.DatagramChannel open
            java.nio.channels.AsynchronousSocketChannel open
            java.nio.channels.AsynchronousServerSocketChannel open
            java.nio.channels.Selector open
            java.nio.channels.Pipe open
            javax.net.SocketFactory getDefault
            javax.net.ssl.SSLSocketFactory getDefault
            java.sql.DriverManager getConnection
            javax.naming.InitialContext <init>
            java.lang.ProcessBuilder start startPipeline
            java.lang.Runtime exec
            java.lang.ProcessHandle current of allProcesses
            java.lang.System console inheritedChannel
            """);
        add(Rule.IO, "", When.IT_WAITS, NO_IO, """
            java.net.InetSocketAddress getHostName
            """);
        add(Rule.ENVIRONMENT, "", When.ALWAYS, "loggers are shared by all actors: leave them as they are", """
            java.util.logging.Logger setLevel addHandler removeHandler setFilter setUseParentHandlers setParent
            java.util.logging.Handler setLevel setFilter setFormatter
            java.util.logging.LogManager readConfiguration updateConfiguration reset
            """);
        add(Rule.ENVIRONMENT, "", When.ALWAYS, NO_ENVIRONMENT, """
            java.lang.System setProperty clearProperty setProperties setOut setErr setIn setSecurityManager
            java.util.Locale setDefault
            java.util.TimeZone setDefault
            java.lang.Runtime totalMemory freeMemory maxMemory
            java.security.Security setProperty addProvider insertProviderAt removeProvider
            java.net.URL setURLStreamHandlerFactory
            """);
        add(Rule.ENVIRONMENT, "fixed", When.ALWAYS, NO_ENVIRONMENT, """
            java.lang.System getProperties
            java.lang.management.ManagementFactory *
            java.lang.Thread getAllStackTraces activeCount enumerate
            """);
        add(Rule.REFLECTION, "any", When.REFLECTED, NO_REFLECTION, """
            java.lang.reflect.Method invoke
            java.lang.reflect.Constructor newInstance
            java.lang.Class newInstance
            java.lang.reflect.AccessibleObject setAccessible(Z trySetAccessible
            """);
        add(Rule.REFLECTION, "any", When.ALWAYS, NO_REFLECTION, """
            java.lang.invoke.MethodHandles$Lookup findVirtual bind findStatic findConstructor findSpecial findStaticVarHandle \
            findStaticSetter findStaticGetter unreflect unreflectConstructor unreflectSpecial unreflectSetter \
            unreflectVarHandle
            java.util.ServiceLoader load loadInstalled
            """);
        add(Rule.REFLECTION, "", When.ALWAYS, NO_REFLECTION, """
            java.lang.ClassLoader <init> defineClass getSystemClassLoader getPlatformClassLoader
            java.net.URLClassLoader <init> newInstance
            java.lang.invoke.MethodHandles$Lookup defineClass defineHiddenClass defineHiddenClassWithClassData
            javax.tools.ToolProvider getSystemJavaCompiler
            javax.script.ScriptEngineManager <init>
            sun.misc.Unsafe *
            jdk.internal.misc.Unsafe *
            """);
        add(Rule.NATIVES, "any", When.ALWAYS, "leave native code out of what is checked", """
            java.lang.System load loadLibrary
            java.lang.Runtime load loadLibrary
            java.lang.foreign.Linker nativeLinker
            java.lang.foreign.SymbolLookup loaderLookup libraryLookup
            java.nio.ByteBuffer allocateDirect
            """);
    }

    static {
        addPackages(Rule.IO, NO_IO, "java/rmi/", "javax/naming/", "java/sql/", "javax/sql/");
        addPackages(Rule.ENVIRONMENT, NO_ENVIRONMENT, "java/util/prefs/");
        addPackages(Rule.REFLECTION, NO_REFLECTION, "java/beans/");
        addPackages(Rule.REFLECTION, "it is of the JDK's own, and nobody knows what it does: call what is public", "sun/",
            "com/sun/");
    }

    private static final int STANDARD_INPUT = ALL.size();

    static {
        add(new Source(Rule.IO, "", "java/lang/System", "in", "", When.ALWAYS, NO_IO));
    }

    private Sources() {}

    /** The number of the field System.in. */
    public static int standardInput() {
        return STANDARD_INPUT;
    }

    /** The source with a number. */
    public static Source get(int number) {
        return ALL.get(number);
    }

    /**
     * The number of the source that a call reaches; -1 if it is none.
     *
     * @param reaches whether a call of the method with this owner reaches the one of a class of the JDK
     */
    public static int find(String owner, String name, String descriptor, BiPredicate<String, String> reaches) {
        Integer whole = WHOLE_CLASSES.get(owner);
        if (whole != null) {
            return whole;
        }
        for (int number : BY_NAME.getOrDefault(name, List.of())) {
            Source source = ALL.get(number);
            if (descriptor.startsWith(source.descriptor()) && reaches.test(owner, source.owner())) {
                return number;
            }
        }
        return findPackage(owner, reaches);
    }

    private static int findPackage(String owner, BiPredicate<String, String> reaches) {
        for (Map.Entry<String, Integer> pack : PACKAGES.entrySet()) {
            if (owner.startsWith(pack.getKey()) && !isPlain(owner) && reaches.test(owner, owner)) {
                return pack.getValue();
            }
        }
        return -1;
    }

    /** Whether a class of such a package is data that is harmless. */
    private static boolean isPlain(String owner) {
        return owner.endsWith("Exception") || owner.startsWith("java/beans/PropertyChange")
            || PLAIN.contains(owner);
    }

    private static void addPackages(Rule rule, String mend, String... packages) {
        for (String pack : packages) {
            PACKAGES.put(pack, ALL.size());
            ALL.add(new Source(rule, "", pack + "*", "*", "", When.ALWAYS, mend));
        }
    }

    private static void add(Rule rule, String allowed, When when, String mend, String lines) {
        lines.lines().forEach(line -> {
            String[] words = line.split("\\s+");
            String owner = words[0].replace('.', '/');
            for (int i = 1; i < words.length; i++) {
                int parenthesis = words[i].indexOf('(');
                String name = parenthesis < 0 ? words[i] : words[i].substring(0, parenthesis);
                String descriptor = parenthesis < 0 ? "" : words[i].substring(parenthesis);
                add(new Source(rule, allowed, owner, name, descriptor, when, mend));
            }
        });
    }

    private static void add(Source source) {
        int number = ALL.size();
        ALL.add(source);
        if (source.name().equals("*")) {
            WHOLE_CLASSES.put(source.owner(), number);
        } else {
            BY_NAME.computeIfAbsent(source.name(), n -> new ArrayList<>()).add(number);
        }
    }
}
