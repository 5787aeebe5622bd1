package harrier.runtime.load.rewrite;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.runtime.UserProgram;
import harrier.runtime.failure.RuleException;
import harrier.runtime.load.ProgramLoader;
import harrier.runtime.load.compile.ProgramClasses;
import harrier.runtime.rules.Guard;
import harrier.runtime.rules.refuse.Refusal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.After;
import org.junit.Test;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Each program is run: if a call of exit were not refused, it would end the tests. */
public class CallRewriteTest {
    private static final String EXIT =
        ": what is checked must not end the process; throw an exception to report a failure";

    @After
    public void forget() {
        Guard.takeRefusal();
    }

    @Test
    public void refusesWaysToEndTheProcess() throws Exception {
        for (String exit : new String[] {"System.exit(3);", "java.util.function.IntConsumer f = System::exit; f.accept(3);",
                "Runnable r = () -> System.exit(3); r.run();"}) {
            assertRefused(exit, "Program.call calls System.exit (Program.java:1)" + EXIT);
        }
        for (String exit : new String[] {"Runtime.getRuntime().exit(3);",
                "java.util.function.IntConsumer f = Runtime.getRuntime()::exit; f.accept(3);"}) {
            assertRefused(exit, "Program.call calls Runtime.exit (Program.java:1)" + EXIT);
        }
        for (String exit : new String[] {"Runtime.getRuntime().halt(3);",
                "java.util.function.BiConsumer<Runtime, Integer> f = Runtime::halt; f.accept(Runtime.getRuntime(), 3);"}) {
            assertRefused(exit, "Program.call calls Runtime.halt (Program.java:1)" + EXIT);
        }
    }

    /** Each statement, and the call that it is refused for. Others are in refuse-calls.txtar and refused.txt. */
    @Test
    public void refusesHiddenSources() {
        String[][] refused = {
            {"class T extends Thread {} new T().start();", "starts a thread where no actor runs"},
            {"class T extends Thread { void go() { super.start(); } } new T().go();", "T.go starts a thread where no actor runs"},
            {"class T extends Thread { public void start() { super.start(); } } Thread t = new T(); t.start();",
                "T.start starts a thread where no actor runs"},
            {"class Q extends java.util.concurrent.LinkedBlockingQueue<String> { public String take() throws"
                + " InterruptedException { return super.take(); } } java.util.concurrent.BlockingQueue<String> q = new Q();"
                + " q.take();", "Q.take calls BlockingQueue.take"},
            {"class Q extends java.util.concurrent.LinkedBlockingQueue<String> { public String take(int n) { return null; } }"
                + " java.util.concurrent.BlockingQueue<String> q = new Q(); q.take();", "call waits for an element"},
            {"interface Takes { default String take() { return \"\"; } } class Q extends"
                + " java.util.concurrent.LinkedBlockingQueue<String> implements Takes { public String take() throws"
                + " RuntimeException { return Takes.super.take(); } } class R extends Q { public String poll() { return null; } }"
                + " java.util.concurrent.BlockingQueue<String> q = new R(); q.take(); q.poll(1,"
                + " java.util.concurrent.TimeUnit.SECONDS);", "waits for an element"},
            {"java.util.concurrent.TimeUnit.SECONDS.sleep(1);", "waits for time to pass"},
            {"java.util.concurrent.locks.LockSupport.park();", "waits for unpark"},
            {"Object o = new Timer(\"x\") {};", "makes a class that extends Timer"},
            {"List.of(1).stream().map(i -> i).parallel();", "calls BaseStream.parallel"},
            {"java.util.stream.StreamSupport.stream(List.of(1).spliterator(), true);", "makes a stream parallel"},
            {"Arrays.parallelSort(new int[3]);", "calls Arrays.parallelSort"},
            {"new java.util.concurrent.Semaphore(0).acquire();", "waits for a permit"},
            {"java.util.concurrent.CompletableFuture.runAsync(() -> {}, java.util.concurrent.ForkJoinPool.commonPool());",
                "starts a thread where no actor runs"},
            {"java.util.concurrent.Executors.newSingleThreadScheduledExecutor().schedule(() -> 1, 1,"
                + " java.util.concurrent.TimeUnit.SECONDS);", "waits for time to pass where no actor runs"},
            {"class P extends java.util.concurrent.ThreadPoolExecutor { P() { super(1, 1, 0,"
                + " java.util.concurrent.TimeUnit.SECONDS, new java.util.concurrent.LinkedBlockingQueue<>()); } }"
                + " new P().execute(() -> {});", "starts a thread where no actor runs"},
            {"class P extends java.util.concurrent.ForkJoinPool {}"
                + " java.util.concurrent.CompletableFuture.supplyAsync(() -> 1, new P());",
                "starts a thread where no actor runs"},
            {"((java.util.concurrent.ThreadPoolExecutor) java.util.concurrent.Executors.newFixedThreadPool(1))"
                + ".prestartCoreThread();", "calls ThreadPoolExecutor.prestartCoreThread"},
            {"new java.util.concurrent.Semaphore(2).acquire(5);", "waits for a permit"},
            {"var l = new java.util.concurrent.locks.StampedLock(); l.readLock(); l.writeLock();",
                "waits for a stamped lock"},
            {"new ClassValue<Long>() { protected Long computeValue(Class<?> c) { return 1L; } }.get(String.class);",
                "calls ClassValue.get"},
            {"Thread.currentThread().setName(\"x\");", "changes a thread that is no actor's"},
            {"new Thread(() -> {}).getId();", "asks a thread for its number"},
            {"java.util.logging.Logger.getLogger(\"x\").setLevel(null);", "calls Logger.setLevel"},
            {"new java.beans.Expression(\"\", \"length\", null).getValue();", "calls new Expression"},
            {"java.sql.DriverManager.getDrivers();", "calls DriverManager.getDrivers"},
            {"new java.io.File(\"x\").getAbsolutePath();", "calls File.getAbsolutePath"},
            {"java.nio.file.Path.of(\"x\").toAbsolutePath();", "calls Path.toAbsolutePath"},
            {"new java.net.InetSocketAddress(\"a.invalid\", 1);", "asks for the address of the host a.invalid"},
            {"java.lang.invoke.MethodHandles.lookup().bind(\"\", \"length\","
                + " java.lang.invoke.MethodType.methodType(int.class));", "calls MethodHandles.Lookup.bind"},
            {"class R extends Random { int f() { return super.nextInt(2); } } new R().f();", "R.f calls Random.nextInt"},
            {"new java.math.BigInteger(32, new Random());", "draws from"},
            {"java.util.function.Supplier<Random> r = Random::new; new java.math.BigInteger(32, r.get());", "draws from"},
            {"class R extends Random { public int nextInt(int b) { return super.nextInt(b); } } new R().nextInt(9);",
                "R.nextInt draws from a java.util.Random without a seed"},
            {"class R extends Random { } new java.math.BigInteger(32, new R());", "Program.call draws from a java.util.Random"},
            {"class R extends Random { protected int next(int b) { return super.next(b); } } new R().nextInt();",
                "R.next calls Random.next"},
            {"new Random().ints();", "calls Random.ints"},
            {"new SplittableRandom();", "calls new SplittableRandom"},
            {"UUID.randomUUID();", "calls UUID.randomUUID"},
            {"java.math.BigInteger.probablePrime(8, new Random());", "draws from a java.util.Random without a seed"},
            {"new java.io.FileInputStream(\"/etc/passwd\");", "calls new FileInputStream"},
            {"java.nio.file.Files.readString(java.nio.file.Path.of(\"/etc/passwd\"));", "calls Files.readString"},
            {"new java.io.File(\"x\").exists();", "calls File.exists"},
            {"java.nio.file.Path.of(\"x\").toRealPath();", "calls Path.toRealPath"},
            {"new java.net.InetSocketAddress(\"1.2.3\", 1);", "asks for the address of the host 1.2.3"},
            {"java.util.concurrent.Callable<?> c = () -> java.net.InetAddress.getByName(\"host\"); c.call();",
                "asks for the address of the host host"},
            {"new ProcessBuilder(\"ls\").start();", "calls new ProcessBuilder"},
            {"new java.net.URL(\"file:/x\").openStream();", "calls URL.openStream"},
            {"Integer.getInteger(\"os.n\");", "reads the system property os.n"},
            {"Locale.setDefault(Locale.ROOT);", "calls Locale.setDefault"},
            {"Thread.class.getMethod(\"sleep\", long.class).invoke(null, 1L);", "calls Method.invoke for Thread.sleep"},
            {"Timer.class.getConstructor().newInstance();", "calls Constructor.newInstance for Timer.new"},
            {"java.lang.invoke.MethodHandles.lookup().findStatic(System.class, \"nanoTime\","
                + " java.lang.invoke.MethodType.methodType(long.class));", "calls MethodHandles.Lookup.findStatic"},
        };
        UserProgram programs = programs(Arrays.stream(refused).map(c -> c[0]).toList());
        for (int i = 0; i < refused.length; i++) {
            Callable<?> program = (Callable<?>) programs.make("Program" + i);
            String refusal = assertThrows(refused[i][0], Refusal.class, program::call).getMessage();
            assertTrue(refusal, refusal.replace("Program" + i, "Program").contains(refused[i][1]));
            assertTrue(refusal, refusal.contains("(Program.java:" + (i + 1) + "): "));
        }
    }

    /** Harmless calls stay as they are. */
    @Test
    public void lets() throws Exception {
        List<String> harmless = List.of(
            "new Thread(() -> {}); Object o = new Thread() {};",
            "java.util.concurrent.Executors.newSingleThreadScheduledExecutor(); new ThreadGroup(\"g\");",
            "java.util.concurrent.Executor e = Runnable::run; e.execute(() -> {});",
            "java.util.concurrent.CompletableFuture.runAsync(() -> {}, Runnable::run).get();",
            "new java.util.concurrent.CountDownLatch(0).await(); new java.util.concurrent.Semaphore(1).acquire();",
            "new java.util.concurrent.Semaphore(2).acquire(2); new java.util.concurrent.locks.StampedLock().writeLock();",
            "var l = new java.util.concurrent.locks.ReentrantReadWriteLock(); l.writeLock().lock(); l.readLock().lock();"
                + " l.writeLock().lock(); new java.util.concurrent.locks.ReentrantLock().lock();",
            "class E extends java.util.concurrent.AbstractExecutorService { public void execute(Runnable r) { r.run(); }"
                + " public void shutdown() {} public List<Runnable> shutdownNow() { return null; } public boolean"
                + " isShutdown() { return false; } public boolean isTerminated() { return false; } public boolean"
                + " awaitTermination(long n, java.util.concurrent.TimeUnit u) { return true; } }"
                + " new E().submit(() -> 1).get();",
            "new Thread(() -> {}).setDaemon(true); java.net.InetSocketAddress.createUnresolved(\"a\", 1).getHostName();",
            "new java.sql.Timestamp(1).getTime(); new java.sql.SQLException(\"x\").getMessage();",
            "new java.util.concurrent.LinkedBlockingQueue<>(List.of(1)).take();",
            "class T extends Thread { public void start() {} } Thread t = new T(); t.start();",
            "class Q extends java.util.concurrent.LinkedBlockingQueue<String> { public String take() { return null; } }"
                + " java.util.concurrent.BlockingQueue<String> q = new Q() {}; q.take(); java.util.concurrent.Callable<String> c = q::take; c.call();",
            "new Random(); new Random(3).nextInt(); Collections.shuffle(new ArrayList<>(List.of(1)));",
            "Collections.shuffle(new ArrayList<>(List.of(1, 2)), new Random(3)); new java.math.BigInteger(8, new Random(3));",
            "java.net.InetSocketAddress.createUnresolved(\"host\", 1); new java.net.InetSocketAddress(\"10.0.0.255\", 1);"
                + " java.net.InetAddress.getByName(\"::1\"); java.net.InetAddress.getAllByName(\"127.0.0.1\");",
            "java.net.InetAddress here = java.net.InetAddress.getLocalHost(), there = java.net.InetAddress.getByName(\"10.0.0.255\");"
                + " if (!(here + here.getHostName() + there.getHostName() + there.getCanonicalHostName())"
                + ".equals(\"localhost/127.0.0.1localhost10.0.0.25510.0.0.255\")) throw new Error();",
            "Random r = new Random(); r.setSeed(7); Collections.shuffle(new ArrayList<>(List.of(1, 2)), r); r.nextInt();",
            "Random r = new Random(7 + new Random() { protected int next(int b) { return 0; } }.nextInt()); r.nextInt();",
            "new Random() { @Override public int nextInt(int n) { return 0; } }.nextInt(3);",
            "System.getProperty(\"line.separator\").length(); Boolean.getBoolean(\"my.flag\"); System.lineSeparator();",
            "Class.forName(\"java.util.ArrayList\").getConstructor().newInstance();",
            "getClass().getMethod(\"toString\").invoke(this); String.class.getMethod(\"length\").invoke(\"\");",
            "new java.io.File(\"x\").getName(); java.nio.file.Path.of(\"x\").getParent();",
            "java.util.stream.StreamSupport.stream(List.of(1).spliterator(), false).count();",
            "Map<String, Integer> m = new HashMap<>(); m.put(\"a\", 1); m.get(\"a\");");
        UserProgram programs = programs(harmless);
        for (int i = 0; i < harmless.size(); i++) {
            assertNull(harmless.get(i), ((Callable<?>) programs.make("Program" + i)).call());
            assertNull(harmless.get(i), Guard.takeRefusal());
        }
    }

    @Test
    public void whichThreadRunsDoesNotShow() throws Exception {
        assertEquals("Thread[main]", call(program("if (hashCode() > -1) return Thread.currentThread().toString();")));
        assertEquals("main 1", call(program("if (hashCode() > -1) return Thread.currentThread().getName() + \" \""
            + " + Thread.currentThread().getId();")));
    }

    @Test
    public void aRefusalThatIsCaughtIsStillKnown() throws Exception {
        UserProgram program = program("try { System.exit(3); } catch (Throwable e) { return \"caught\"; }");

        assertEquals("caught", call(program));
        assertEquals("Program.call calls System.exit (Program.java:1)" + EXIT, Guard.takeRefusal().getMessage());
        assertNull("it is told once", Guard.takeRefusal());
    }

    @Test
    public void aRefusalOnAThreadOfItsOwnIsKnownToAll() throws Exception {
        UserProgram program = program("System.exit(3);");
        Thread thread = new Thread(() -> assertThrows(Refusal.class, () -> call(program)));
        thread.start();
        thread.join();

        for (int i = 0; i < 2; i++) {
            assertEquals("Program.call (Program.java:1) runs on a thread of its own: an actor is one sequential process",
                assertThrows(RuleException.class, () -> Guard.here().refuse("a", "")).getMessage());
        }
    }

    /** No compiler writes a constant that calls, but anybody can. */
    @Test
    public void aConstantThatCallsIsRefused() throws Exception {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, "Program", null, "java/lang/Object", null);
        MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "call", "()Ljava/lang/Object;", null,
            null);
        code.visitCode();
        code.visitLdcInsn(new ConstantDynamic("x", "Ljava/lang/Object;", new Handle(Opcodes.H_INVOKESTATIC,
            "java/lang/invoke/ConstantBootstraps", "invoke", "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;"
            + "Ljava/lang/Class;Ljava/lang/invoke/MethodHandle;[Ljava/lang/Object;)Ljava/lang/Object;", false),
            new Handle(Opcodes.H_INVOKESTATIC, "java/util/prefs/Preferences", "userRoot", "()Ljava/util/prefs/Preferences;",
                false)));
        code.visitInsn(Opcodes.ARETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
        ProgramLoader loader = UserProgram.loader(ProgramClasses.of(Map.of("Program", writer.toByteArray())));
        loader.enter();

        assertThrows(Exception.class, () -> Class.forName("Program", true, loader).getMethod("call").invoke(null));
        String refusal = Guard.takeRefusal().getMessage();
        assertTrue(refusal, refusal.startsWith("Program.call calls Preferences.userRoot (unknown source): "));
    }

    @Test
    public void aMethodCalledExitOfAnotherClassIsLeftAlone() throws Exception {
        UserProgram program = new UserProgram("""
            class System { static String exit(int n) { return "own exit " + n; } }
            class Program implements java.util.concurrent.Callable<Object> {
                public Object call() { return System.exit(3); }
            }""");

        assertEquals("own exit 3", call(program));
    }

    private static void assertRefused(String statements, String message) {
        UserProgram program = program(statements);
        assertEquals(message, assertThrows(Refusal.class, () -> call(program)).getMessage());
    }

    /** A class for each of some statements, at a line of its own. */
    private static UserProgram programs(List<String> statements) {
        return new UserProgram(IntStream.range(0, statements.size()).mapToObj(i -> "class Program" + i
            + " implements java.util.concurrent.Callable<Object> { public Object call() throws Exception { " + statements.get(i)
            + " return null; } }").collect(Collectors.joining("\n")));
    }

    private static UserProgram program(String statements) {
        return new UserProgram("class Program implements java.util.concurrent.Callable<Object> {"
            + " public Object call() throws Exception { " + statements + " return null; } }");
    }

    private static Object call(UserProgram program) throws Exception {
        return ((Callable<?>) program.make("Program")).call();
    }
}
