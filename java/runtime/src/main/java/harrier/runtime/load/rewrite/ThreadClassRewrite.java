package harrier.runtime.load.rewrite;

import static java.util.Map.entry;

import harrier.runtime.rules.refuse.Replacements;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Puts classes of harrier's in the place of those of the JDK's threads, pools and tasks where a class extends one or makes one. */
final class ThreadClassRewrite extends ClassVisitor {
    private static final String POOL = "harrier/host/Pool";
    private static final String FORK_POOL = "harrier/host/ForkPool";
    private static final String LOCK = "harrier.host.ActorReadWriteLock";
    private static final String TIMER = "harrier/host/ActorTimer";
    private static final Map<String, String> OWN = Map.ofEntries(entry("java/lang/Thread", "harrier/host/ActorThread"),
        entry("java/lang/ThreadGroup", "harrier/host/ActorThreadGroup"),
        entry("java/util/concurrent/FutureTask", "harrier/host/PoolFuture"), entry("java/util/concurrent/ThreadPoolExecutor", POOL),
        entry("java/util/concurrent/ScheduledThreadPoolExecutor", POOL), entry("java/util/concurrent/ForkJoinPool", FORK_POOL),
        entry("java/util/concurrent/RecursiveTask", "harrier/host/Forked$Task"),
        entry("java/util/concurrent/RecursiveAction", "harrier/host/Forked$Action"),
        entry("java/util/Timer", TIMER), entry("java/util/TimerTask", "harrier/host/ActorTimerTask"),
        entry("java/util/concurrent/CyclicBarrier", "harrier/host/ActorBarrier"),
        entry("java/util/concurrent/Exchanger", "harrier/host/ActorExchanger"),
        entry("java/util/concurrent/SynchronousQueue", "harrier/host/Handoff"),
        entry("java/util/concurrent/locks/ReentrantReadWriteLock", LOCK.replace('.', '/')));

    private boolean extendsTimer;

    ThreadClassRewrite(ClassVisitor next) {
        super(Opcodes.ASM9, next);
    }

    /** Reports whether objects of a class of the JDK have threads: pools and timers. */
    static boolean isPool(String type) {
        String own = OWN.get(type);
        return POOL.equals(own) || FORK_POOL.equals(own) || TIMER.equals(own);
    }

    /** The names for people of the classes that take the place of others, by their own. */
    static Map<String, String> labels() {
        Map<String, String> labels = new HashMap<>();
        OWN.forEach((jdk, own) -> labels.merge(own.replace('/', '.'), jdk.substring(jdk.lastIndexOf('/') + 1),
            (a, b) -> a.length() < b.length() ? a : b));
        SocketRewrite.labels(labels);
        labels.put(LOCK + "$Reader", "ReadLock");
        labels.put(LOCK + "$Writer", "WriteLock");
        return labels;
    }

    /** Reports whether a class of harrier's takes the place of one of the JDK's. */
    static boolean replaces(String type) {
        return OWN.containsKey(type);
    }

    private static String own(String type) {
        return OWN.getOrDefault(type, type);
    }

    @Override
    public void visit(int version, int access, String name, String signature, String superName, String[] interfaces) {
        extendsTimer = TIMER.equals(own(superName == null ? "" : superName));
        super.visit(version, access, name, signature, superName == null ? null : own(superName), interfaces);
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
        return new MethodVisitor(Opcodes.ASM9, super.visitMethod(access, name, descriptor, signature, exceptions)) {
            /** Labels at instructions that would make a Timer, whose constructor must not run: null is pushed instead. */
            private final Set<Label> begun = new HashSet<>();
            private final List<Label> here = new ArrayList<>();

            @Override
            public void visitLabel(Label label) {
                here.add(label);
                super.visitLabel(label);
            }

            @Override
            public void visitFrame(int type, int numLocal, Object[] local, int numStack, Object[] stack) {
                super.visitFrame(type, numLocal, without(local), numStack, without(stack));
            }

            private Object[] without(Object[] types) {
                return types == null ? null : Arrays.stream(types).map(t -> begun.contains(t) ? Opcodes.NULL : t).toArray();
            }

            @Override
            public void visitTypeInsn(int opcode, String type) {
                if (opcode == Opcodes.NEW && TIMER.equals(own(type))) {
                    begun.addAll(here);
                    here.clear();
                    super.visitInsn(Opcodes.ACONST_NULL);
                    return;
                }
                here.clear();
                if (opcode == Opcodes.CHECKCAST && type.startsWith(Replacements.BUILDER)) {
                    return; // ThreadBuilder, which takes its place, does not implement it
                }
                super.visitTypeInsn(opcode, opcode == Opcodes.NEW ? own(type) : type);
            }

            @Override
            public void visitMethodInsn(int opcode, String owner, String called, String calledDescriptor, boolean isInterface) {
                here.clear();
                if (called.equals("<init>") && TIMER.equals(own(owner)) && !extendsTimer) {
                    super.visitMethodInsn(Opcodes.INVOKESTATIC, TIMER, "made", calledDescriptor.replace("(", "(Ljava/lang/Object;")
                        .replace(")V", ")Ljava/util/Timer;"), false);
                    super.visitInsn(Opcodes.SWAP);
                    super.visitInsn(Opcodes.POP);
                    return;
                }
                super.visitMethodInsn(opcode, opcode == Opcodes.INVOKESPECIAL ? own(owner) : owner, called, calledDescriptor, isInterface);
            }
        };
    }
}
