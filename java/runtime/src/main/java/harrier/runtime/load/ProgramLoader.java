package harrier.runtime.load;

import harrier.runtime.failure.RuleException;
import harrier.runtime.failure.UsageException;
import harrier.runtime.jdk.Order;
import harrier.runtime.load.compile.ClassFile;
import harrier.runtime.load.compile.ClassLabels;
import harrier.runtime.load.compile.ProgramClasses;
import harrier.runtime.load.rewrite.Coverage;
import harrier.runtime.load.rewrite.FieldReads;
import harrier.runtime.load.rewrite.LambdaRewrite;
import harrier.runtime.load.rewrite.Rewriting;
import harrier.runtime.origin.AddedNames;
import harrier.runtime.origin.Origin;
import harrier.runtime.rules.Guard;
import harrier.runtime.rules.LineSearch;
import harrier.runtime.rules.allow.Rules;
import harrier.runtime.rules.refuse.Refusals;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Loads the classes of a program under check. It sees the JDK and harrier's API, never harrier's
 * runtime or what that brings along. Every class is rewritten ({@link Rewriting}); one that cannot be
 * rewritten is not loaded.
 */
public final class ProgramLoader extends ClassLoader {
    /** What people call the classes that take the place of those of the JDK in a program that has threads, by their own names. */
    public static final Map<String, String> REPLACED = Rewriting.REPLACED;

    private final ProgramClasses classes;
    private final Rewriting rewriting;
    private Guard guard;
    private final ClassLabels labels;
    private final ClassLoader api = ProgramLoader.class.getClassLoader();
    private final Map<String, Boolean> loaded = new ConcurrentHashMap<>();
    private final List<Class<?>> defined = new CopyOnWriteArrayList<>();
    /** The class files of lambdas of classes that were loaded, by name. */
    private final Map<String, byte[]> lambdas = new ConcurrentHashMap<>();
    private final Coverage.Copy covered;

    /** A loader of a program with the guard of its classes, whose threads are interleaved where they wait. */
    public ProgramLoader(ProgramClasses classes, Guard guard) {
        this(classes, guard, false);
    }

    /** A loader of a program with the guard of its classes. */
    public ProgramLoader(ProgramClasses classes, Guard guard, boolean preempts) {
        this(classes, guard, new Rewriting(classes, preempts));
    }

    private ProgramLoader(ProgramClasses classes, Guard guard, Rewriting rewriting) {
        super(Origin.LOADER, ClassLoader.getPlatformClassLoader());
        this.classes = classes;
        this.guard = guard;
        this.rewriting = rewriting;
        labels = classes.labels();
        setDefaultAssertionStatus(true);
        if (guard.rules().haveThreads()) {
            rewriting.addThreads(classes);
        }
        covered = rewriting.coverage().new Copy((byte[][][]) held(Coverage.HOLDER, Coverage.MARKS));
    }

    /** Another loader of the same program, with the same rules. */
    public ProgramLoader again() {
        return new ProgramLoader(classes, guard.again(), rewriting);
    }

    /** One more loader of the same program, whose code calls a hook at its lines. */
    public ProgramLoader withLines(LineSearch search) {
        return new ProgramLoader(classes, guard.withLines(search), rewriting.withLines());
    }

    /** Who decides what the code of the program may do. */
    public Guard guard() {
        return guard;
    }

    /** Makes this the thread that runs the program. */
    public void enter() {
        guard.bind(this);
    }

    /** Takes what a scenario says of rules and of failures, before it is loaded: how classes are rewritten depends on them. */
    public void relax(String scenario) {
        List<String> allowed = ClassFile.allowed(classes.find(scenario));
        Set<String> fails = Set.copyOf(ClassFile.fails(classes.find(scenario)));
        if (!allowed.isEmpty() || !fails.isEmpty()) {
            String simple = scenario.substring(Math.max(scenario.lastIndexOf('.'), scenario.lastIndexOf('$')) + 1);
            String where = "@Allow on " + simple + ":";
            guard = guard.of(Rules.parse(where, allowed).granted(where, guard.rules()), fails);
            if (guard.rules().haveThreads()) {
                rewriting.addThreads(classes);
            }
            enter();
        }
    }

    /** The classes that this loader loads. */
    public ProgramClasses classes() {
        return classes;
    }

    /** What people call the classes of the program that a class is of. */
    public static ClassLabels labels(Class<?> type) {
        return type.getClassLoader() instanceof ProgramLoader loader ? loader.labels : ClassLabels.NONE;
    }

    /** Reports whether something was refused that may be done if the program is loaded with threads, which it is not. */
    public boolean wantsThreads() {
        return !hasThreads() && (guard.notes().wantsThreads() || guard.notes().keepsThreads() && !rewriting.ownMakesThreads());
    }

    /** Reports whether the program makes threads. */
    public boolean hasThreads() {
        return rewriting.hasThreads();
    }

    /** Reports whether the program makes sockets. */
    public boolean hasSockets() {
        return rewriting.hasSockets();
    }

    /** Reports whether the program makes processes. */
    public boolean hasProcesses() {
        return rewriting.hasProcesses();
    }

    /** Reports whether the program of a class makes threads. */
    public static boolean hasThreads(Class<?> type) {
        return type.getClassLoader() instanceof ProgramLoader loader && loader.hasThreads();
    }

    /** The class files, as they were given, of the classes that were loaded so far. */
    public Map<String, byte[]> loaded() {
        return classes.subset(new TreeSet<>(loaded.keySet()));
    }

    /** The files beside its classes that the program read, by name. */
    public Map<String, byte[]> resources() {
        return classes.classPath().resources().read();
    }

    /** All that the program asked for of that, by name; there may be none of a name. */
    public Map<String, List<byte[]>> resourcesAsked() {
        return classes.classPath().resources().asked();
    }

    @Override
    protected URL findResource(String name) {
        List<URL> found = classes.classPath().resources().find(name);
        return found.isEmpty() ? null : found.get(0);
    }

    @Override
    protected Enumeration<URL> findResources(String name) {
        return Collections.enumeration(classes.classPath().resources().find(name));
    }

    /** The classes that were loaded so far. */
    public List<Class<?>> defined() {
        return defined;
    }

    /**
     * Makes sure that the program's own classes can be read, loaded and linked. That takes some time: it is for when
     * something went wrong.
     *
     * @throws UsageException if one cannot
     */
    public void refuseDamaged() {
        for (String name : new TreeSet<>(classes.own())) {
            ClassFile.checkAll(classes.find(name), "the class file of " + name);
            try {
                loadClass(name).getDeclaredMethods(); // which links it, and loads the classes of their parameters
            } catch (ClassNotFoundException | LinkageError | RuleException e) {
                throw NeededClass.unloadable("the class " + name, e);
            }
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (name.equals(FieldReads.HOLDER) || name.equals(Coverage.HOLDER)) {
            byte[] holder = name.equals(Coverage.HOLDER) ? Coverage.holder() : FieldReads.holder();
            return defineClass(name, holder, 0, holder.length);
        }
        if (Origin.isApi(name)) {
            return api.loadClass(name);
        }
        if (Origin.isLeaving(name) && hasThreads()) {
            byte[] leaving = Order.plain(() -> rewriting.leaving(name));
            return defineClass(name, leaving, 0, leaving.length);
        }
        byte[] bytes = find(name);
        if (bytes == null) {
            return findLambda(name);
        }
        LambdaRewrite.Rewritten rewritten;
        String internal;
        try {
            internal = ClassFile.internal(bytes, name);
            rewritten = Order.plain(() -> rewriting.rewrite(name, bytes));
        } catch (RuntimeException e) {
            throw refuse("class " + name + " cannot be instrumented: " + e + ": compile it again");
        }
        if (internal != null) {
            throw refuse("class " + name + " refers to " + internal + ", which is harrier's own: programs use the package"
                + " harrier only");
        }
        lambdas.putAll(rewritten.lambdas());
        loaded.put(name, true);
        Class<?> made = defineClass(name, rewritten.bytes(), 0, rewritten.bytes().length);
        defined.add(made);
        return made;
    }

    /** The marks of {@link FieldReads} for the classes of this loader: not 0 at the numbers of fields that were read. */
    public byte[] fieldReads() {
        return (byte[]) held(FieldReads.HOLDER, FieldReads.MARKS);
    }

    /** What steps of all copies of the program executed so far of its own classes. */
    public Coverage coverage() {
        return rewriting.coverage();
    }

    /** Says when the code of this loader's classes counts as executed by steps. */
    public Coverage.Copy covered() {
        return covered;
    }

    private Object held(String holder, String field) {
        try {
            return loadClass(holder).getField(field).get(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Refuses a class for good, even if the program that needs it goes on. */
    private static RuleException refuse(String message) {
        Refusals.note(message);
        return new RuleException(message);
    }

    /** A class file that cannot be used is one that is missing: the program may catch what it gets then. */
    private byte[] find(String name) {
        try {
            return classes.find(name);
        } catch (UsageException e) {
            throw new NoClassDefFoundError(e.getMessage());
        }
    }

    /** The class of a lambda, which exists once the class that makes the lambda was loaded. */
    private Class<?> findLambda(String name) throws ClassNotFoundException {
        String host = AddedNames.hostOf(name);
        if (host != null) {
            loadClass(host);
        }
        byte[] bytes = lambdas.get(name);
        if (bytes == null) {
            throw new ClassNotFoundException(name);
        }
        return defineClass(name, bytes, 0, bytes.length);
    }
}
