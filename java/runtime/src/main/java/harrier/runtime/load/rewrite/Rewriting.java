package harrier.runtime.load.rewrite;

import harrier.runtime.load.compile.ProgramClasses;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;

/**
 * Rewrites each class of a program before it is loaded: lambdas get classes of their own ({@link LambdaRewrite}),
 * and then a chain of rewrites, one class each, sees the class file in one pass.
 */
public final class Rewriting {
    /** The number of classes whose code is not marked. */
    private static final int NONE = -1;
    /** The names for people of the classes that take the place of the JDK's in a program with threads, by their own names. */
    public static final Map<String, String> REPLACED = ThreadClassRewrite.labels();

    private final Hierarchy hierarchy;
    /** The rewritten classes, by name: a program is loaded several times. */
    private final Map<String, LambdaRewrite.Rewritten> known = new ConcurrentHashMap<>();

    private final boolean hasLines;
    private final Coverage coverage;
    /** Which calls may wait; null if the program has no threads. */
    private WaitingCalls waiting;
    private final boolean ownMakesThreads;
    /** Whether the program has sockets: its own classes make some, and threads. */
    private final boolean hasSockets;
    private final boolean hasProcesses;
    /** The search through the program's own classes, which goes on through all classes once threads are added. */
    private final WaitingCalls.Search open;
    /** The other places where threads are interleaved; null if they are interleaved only where they wait. */
    private final Preemptions preemptions;

    /** For the classes of a program, whose threads are interleaved where they wait. */
    public Rewriting(ProgramClasses program) {
        this(program, false);
    }

    /**
     * For the classes of a program.
     *
     * @param preempts whether threads are interleaved elsewhere than where they wait, too
     */
    public Rewriting(ProgramClasses program, boolean preempts) {
        hierarchy = new Hierarchy(program);
        hasLines = false;
        coverage = new Coverage(program.ownAndExtended());
        preemptions = preempts ? new Preemptions(hierarchy) : null;
        WaitingCalls.Search search = WaitingCalls.ofOwn(program, hierarchy, preemptions);
        ownMakesThreads = search.makesThreads();
        hasSockets = search.hasThreads() && search.makesSockets();
        hasProcesses = search.makesProcesses();
        waiting = search.hasThreads() ? search.all(program, hasSockets) : null;
        open = search;
    }

    private Rewriting(Rewriting of) {
        hierarchy = of.hierarchy;
        hasLines = true;
        coverage = new Coverage(Set.of());
        preemptions = of.preemptions;
        waiting = of.waiting;
        ownMakesThreads = of.ownMakesThreads;
        hasSockets = of.hasSockets;
        hasProcesses = of.hasProcesses;
        open = of.open;
    }

    /** For the same classes, whose code calls a hook at its lines. */
    public Rewriting withLines() {
        return new Rewriting(this);
    }

    /** Has the program have threads, even if only code of libraries starts some: before a class is rewritten. */
    public void addThreads(ProgramClasses program) {
        if (waiting == null) {
            waiting = open.all(program, false);
        }
    }

    /** Reports whether the program's own code makes threads or executors, although it starts none. */
    public boolean ownMakesThreads() {
        return ownMakesThreads;
    }

    /** Reports whether the program makes threads, so that its methods may wait. */
    public boolean hasThreads() {
        return waiting != null;
    }

    /** Reports whether the program has sockets. */
    public boolean hasSockets() {
        return hasSockets;
    }

    /** Reports whether actors of the program are processes, with static fields of their own. */
    public boolean hasProcesses() {
        return hasProcesses;
    }

    /** What notes which code of the classes is executed: of none whose code calls a hook at its lines. */
    public Coverage coverage() {
        return coverage;
    }

    /** The class file to load of a stand-in that is rewritten as the program's classes are; no other thread runs within. */
    public byte[] leaving(String name) {
        byte[] file = Leaving.bytes(name.replace('.', '/'));
        return new LeaveRewrite(waiting, null).rewrite(new LambdaRewrite.Rewritten(file, Map.of())).bytes();
    }

    /** The class file to load instead of the one given, and those of its lambdas. */
    LambdaRewrite.Rewritten rewrite(byte[] classFile) {
        return rewrite(classFile, NONE).rewritten;
    }

    /** As above, for a class that is known by its name. */
    public LambdaRewrite.Rewritten rewrite(String name, byte[] classFile) {
        return known.computeIfAbsent(name, n -> named(name, classFile));
    }

    /** Where marks make a method longer than may be, the class goes without them. */
    private LambdaRewrite.Rewritten named(String name, byte[] classFile) {
        try {
            Whole whole = rewrite(classFile, coverage.number(name));
            if (whole.marked != null) {
                coverage.add(name, whole.marked.methods(), whole.marked.marks());
            }
            return whole.rewritten;
        } catch (MethodTooLargeException e) {
            return rewrite(classFile, NONE).rewritten;
        }
    }

    /**
     * A class that was rewritten.
     *
     * @param marked what marked its lines and branches; null if nothing did
     */
    private record Whole(LambdaRewrite.Rewritten rewritten, CoverageRewrite marked) {}

    private Whole rewrite(byte[] classFile, int number) {
        // First, as it turns references to methods into calls, which the others look for.
        LambdaRewrite.Rewritten named = LambdaRewrite.rewrite(classFile);
        ClassReader reader = new ClassReader(named.bytes());
        ClassWriter writer = new ClassWriter(reader, 0);
        ClassVisitor looks = new LooksRewrite(writer);
        ClassVisitor chain = new FieldReadsRewrite(hasLines ? new LineHooksRewrite(looks) : looks, hierarchy);
        CoverageRewrite marked = number == NONE ? null : new CoverageRewrite(chain, number);
        chain = new StaticsRewrite(new HandlersRewrite(marked == null ? chain : marked), hasProcesses);
        chain = new CallRewrite(chain, hierarchy, waiting != null, hasSockets);
        chain = waiting == null ? chain : new ThreadClassRewrite(chain);
        reader.accept(hasSockets ? new SocketRewrite(chain, hierarchy) : chain, 0);
        LambdaRewrite.Rewritten rewritten = new LambdaRewrite.Rewritten(writer.toByteArray(), named.lambdas());
        return new Whole(waiting == null ? rewritten : new LeaveRewrite(waiting, preemptions).rewrite(rewritten), marked);
    }
}
