package harrier.runtime.load.rewrite;

import harrier.runtime.load.rewrite.CallRewrite.Called;
import harrier.runtime.rules.refuse.Replacements;
import harrier.runtime.rules.refuse.Replacements.Replacement;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Where a thread may be preempted, beside where it waits, if threads are interleaved at locks: before it enters a
 * monitor, acquires or releases a lock, calls a method of {@code java.util.concurrent}, or uses a volatile field. A call
 * of an interface of {@code java.util} is such a place if the receiver is made for several threads.
 */
final class Preemptions {
    /** The hooks before which other threads need not run: their methods always wait, or their monitor was entered just before. */
    private static final Set<String> NOT_BEFORE = Set.of("wait", "sleep", "yields", "preempt");
    /** The hooks of methods that do not wait, and by which threads find out about each other. */
    private static final Set<String> BEFORE = Set.of("unlock", "tryLock", "isLocked", "interrupt", "interrupted", "isAlive", "unpark",
        "tryTransfer", "hasWaitingConsumer", "getWaitingConsumerCount");
    /** Methods of threads and timers for which nothing stands in, and by which threads find out about each other or end what others do. */
    private static final Map<String, Set<String>> OF_THREADS = Map.of("java/lang/Thread", Set.of("isInterrupted", "getState"),
        "java/util/TimerTask", Set.of("cancel"), "java/util/Timer", Set.of("cancel", "purge", "schedule", "scheduleAtFixedRate"));
    /** Types of {@code java.util.concurrent} that are not shared, or whose methods are code of the program. */
    private static final Set<String> OTHERS = Set.of("TimeUnit", "Executors", "ThreadLocalRandom", "Callable", "ThreadFactory",
        "RejectedExecutionHandler");
    /** Methods whose result never depends on what other threads do. */
    private static final Set<String> GIVES = Set.of("readLock", "writeLock", "newCondition", "asReadLock", "asWriteLock", "asReadWriteLock");
    private static final Set<String> COLLECTIONS = Set.of("Map", "Collection", "List", "Set", "Queue", "Deque", "SortedMap", "NavigableMap",
        "SortedSet", "NavigableSet", "Iterator", "Vector", "Hashtable");

    private final Hierarchy hierarchy;

    Preemptions(Hierarchy hierarchy) {
        this.hierarchy = hierarchy;
    }

    /** Reports whether others may run before a field is used. */
    boolean isShared(String owner, String name, String descriptor) {
        return hierarchy.isVolatile(owner, name + descriptor);
    }

    /** Reports whether others may run before a call, for which something may stand in. */
    boolean isAt(Called called, Replacement replacement) {
        if (replacement != null) {
            return isAt(replacement.owner(), replacement.hook());
        }
        return isOfConcurrent(called.owner(), called.name(), called.descriptor()) || isOfCollection(called.opcode(), called.owner())
            || isOfThreads(called.owner(), called.name(), called.descriptor());
    }

    private static boolean isAt(String hooks, String hook) {
        return Replacements.isBlocking(hooks) && !NOT_BEFORE.contains(hook) || hooks.equals(Replacements.STAND_INS) && BEFORE.contains(hook)
            || hooks.equals(Replacements.FORKS) || Replacements.isLeaving(hooks);
    }

    private boolean isOfThreads(String owner, String name, String descriptor) {
        return OF_THREADS.values().stream().anyMatch(names -> names.contains(name)) && !owner.startsWith("[")
            && !hierarchy.isOwn(owner, name, descriptor)
            && hierarchy.jdkSupertypes(owner).stream().anyMatch(t -> OF_THREADS.getOrDefault(t, Set.of()).contains(name));
    }

    private boolean isOfConcurrent(String owner, String name, String descriptor) {
        if (name.equals("<init>") || GIVES.contains(name) || owner.startsWith("[") || hierarchy.isOwn(owner, name, descriptor)) {
            return false;
        }
        return hierarchy.jdkSupertypes(owner).stream().anyMatch(t -> t.equals("java/lang/invoke/VarHandle")
            || t.startsWith("java/util/concurrent/") && !t.endsWith("Exception") && !OTHERS.contains(t.substring(t.lastIndexOf('/') + 1)));
    }

    private static boolean isOfCollection(int opcode, String owner) {
        return opcode != Opcodes.INVOKESTATIC && owner.startsWith("java/util/") && COLLECTIONS.contains(owner.substring("java/util/".length()));
    }

    /** Has a method ask, before each such instruction, whether others run. */
    void addTo(ClassNode type, MethodNode method) {
        Place place = new Place(type.name, method.name, type.sourceFile);
        int free = method.maxLocals;
        for (AbstractInsnNode node : method.instructions.toArray()) {
            if (node instanceof LineNumberNode number) {
                place.line(number.line);
            } else if (node instanceof FieldInsnNode field && isShared(field.owner, field.name, field.desc)) {
                method.instructions.insertBefore(node, preempt("", place));
            } else if (node instanceof MethodInsnNode call && call.owner.equals(Replacements.BLOCKING) && call.name.equals("wait")) {
                method.instructions.insertBefore(node, new MethodInsnNode(Opcodes.INVOKESTATIC, Replacements.STAND_INS, "preempts", "()V", false));
            } else if (node instanceof MethodInsnNode call && isHook(call)) {
                AbstractInsnNode first = call.getPrevious() instanceof LdcInsnNode ? call.getPrevious() : call; // its place
                boolean isLeaving = Replacements.isLeaving(call.owner);
                Type[] takes = Type.getArgumentTypes(call.desc);
                Type[] arguments = isLeaving ? Arrays.copyOfRange(takes, 1, takes.length - 1) : new Type[0];
                method.instructions.insertBefore(first, isLeaving ? withReceiver(arguments, free, place) : preempt("", place));
                method.maxLocals = Math.max(method.maxLocals, free + arguments.length);
            } else if (node instanceof MethodInsnNode call && (isOfConcurrent(call.owner, call.name, call.desc)
                    || isOfThreads(call.owner, call.name, call.desc))) {
                method.instructions.insertBefore(node, preempt("", place));
            } else if (node instanceof MethodInsnNode call && isOfCollection(call.getOpcode(), call.owner)) {
                method.instructions.insertBefore(node, withReceiver(Type.getArgumentTypes(call.desc), free, place));
                method.maxLocals = Math.max(method.maxLocals, free + (Type.getArgumentsAndReturnSizes(call.desc) >> 2));
            }
        }
    }

    private static boolean isHook(MethodInsnNode call) {
        return isAt(call.owner, call.name);
    }

    private static InsnList preempt(String takes, Place place) {
        InsnList code = new InsnList();
        code.add(new LdcInsnNode(place.toString()));
        code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, Replacements.BLOCKING, "preempt", "(" + takes + "Ljava/lang/String;)V", false));
        return code;
    }

    /** Shows the receiver of a call, which is below the arguments. */
    private static InsnList withReceiver(Type[] arguments, int free, Place place) {
        InsnList code = new InsnList();
        InsnList back = new InsnList();
        int at = free;
        for (int i = arguments.length - 1; i >= 0; i--) {
            code.add(new VarInsnNode(arguments[i].getOpcode(Opcodes.ISTORE), at));
            back.insert(new VarInsnNode(arguments[i].getOpcode(Opcodes.ILOAD), at));
            at += arguments[i].getSize();
        }
        code.add(new InsnNode(Opcodes.DUP));
        code.add(preempt("Ljava/lang/Object;", place));
        code.add(back);
        return code;
    }
}
