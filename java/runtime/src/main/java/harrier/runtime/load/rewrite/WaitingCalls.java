package harrier.runtime.load.rewrite;

import harrier.runtime.load.compile.LambdaNames;
import harrier.runtime.load.compile.ProgramClasses;
import harrier.runtime.load.rewrite.CallRewrite.Called;
import harrier.runtime.rules.refuse.Replacements;
import harrier.runtime.rules.refuse.Replacements.Replacement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Which calls of a program may wait: those of methods from which a blocking call may be reached. Methods are known by
 * name and descriptor alone, whichever class they are called on, so no class hierarchy is needed: a few methods more
 * than necessary can leave.
 */
public final class WaitingCalls {
    /** What {@link harrier.Scenario#process} takes and gives. */
    private static final String PROCESS = "(Ljava/lang/String;Lharrier/Program;)Lharrier/ActorName;";

    /** Methods, by name and descriptor. */
    private final Set<String> methods;
    private final Search search;

    private WaitingCalls(Set<String> methods, Search search) {
        this.methods = methods;
        this.search = search;
    }

    /** Those of a program with threads, sockets included; preempts reports whether threads are interleaved elsewhere than where they wait, too. */
    public static WaitingCalls of(ProgramClasses program, boolean preempts) {
        Hierarchy hierarchy = new Hierarchy(program);
        return ofOwn(program, hierarchy, preempts ? new Preemptions(hierarchy) : null).all(program, true);
    }

    /** Reports whether a call of a method of the program may wait. */
    public boolean has(String name, String descriptor) {
        return methods.contains(name + descriptor);
    }

    /** Reports whether a thread may leave its method at an instruction, which is as it was compiled. */
    public boolean mayLeave(AbstractInsnNode node) {
        if (!(node instanceof MethodInsnNode call)) {
            return node.getOpcode() == Opcodes.MONITORENTER || mayPreempt(node);
        }
        Called called = called(call);
        Replacement replacement = search.calls.replacement(called);
        return has(call.name, call.desc) || Search.waits(called, replacement) || search.preempts(called, replacement)
            || SocketRewrite.mayWait(called, search.hierarchy) || replacement != null && Replacements.isLeaving(replacement.owner());
    }

    /** Reports whether others may run before an instruction, which is as it was compiled. */
    public boolean mayPreempt(AbstractInsnNode node) {
        return node instanceof MethodInsnNode call ? search.preempts(called(call), search.calls.replacement(called(call)))
            : node instanceof FieldInsnNode field && search.isShared(field.owner, field.name, field.desc);
    }

    private static Called called(MethodInsnNode call) {
        return new Called(call.getOpcode(), call.owner, call.name, call.desc, call.itf);
    }

    /** Looks at a program's own classes; preemptions are the other places where threads are interleaved, null if there are none. */
    static Search ofOwn(ProgramClasses program, Hierarchy hierarchy, Preemptions preemptions) {
        Search search = new Search(hierarchy, preemptions);
        for (String name : program.own()) {
            search.look(program.find(name));
        }
        return search;
    }

    /** Looks at the code of classes: first at a program's own, and at the others if it has threads. */
    static final class Search {
        private final Hierarchy hierarchy;
        private final CallRewrite calls;
        private final Map<String, Set<String>> callers = new HashMap<>();
        private final Set<String> waiting = new HashSet<>();
        private boolean hasThreads;
        private final Preemptions preemptions;
        /** Whether threads may be preempted in the classes that are looked at. */
        private boolean isOfProgram = true;
        private boolean makesThreads;
        private boolean makesSockets;
        private boolean makesProcesses;
        private final Set<String> waitingForSockets = new HashSet<>();

        Search(Hierarchy hierarchy, Preemptions preemptions) {
            this.preemptions = preemptions;
            this.hierarchy = hierarchy;
            calls = new CallRewrite(null, hierarchy, true, true);
        }

        /** Reports whether the program's own classes start threads, or make executors. */
        boolean hasThreads() {
            return hasThreads;
        }

        /** Reports whether they make processes. */
        boolean makesProcesses() {
            return makesProcesses;
        }

        /** Reports whether they make sockets. */
        boolean makesSockets() {
            return makesSockets;
        }

        /** Reports whether they make objects of classes of threads or executors. */
        boolean makesThreads() {
            return makesThreads;
        }

        /** The calls of the program that may wait. */
        WaitingCalls all(ProgramClasses program, boolean hasSockets) {
            program.bytes().forEach((name, bytes) -> {
                if (!program.own().contains(name)) {
                    look(bytes);
                }
            });
            isOfProgram = false;
            Replacements.LEAVING_CLASSES.forEach(name -> look(Leaving.bytes(name)));
            if (hasSockets) {
                waiting.addAll(waitingForSockets);
            }
            return new WaitingCalls(reached(), this);
        }

        /** Reports whether a call waits itself, or by reflection; its replacement is null if it has none. */
        private static boolean waits(Called called, Replacement replacement) {
            return replacement != null && Replacements.mayWait(replacement)
                || Replacements.isReflection(called.owner(), called.name(), called.descriptor());
        }

        private boolean preempts(Called called, Replacement replacement) {
            return preemptions != null && preemptions.isAt(called, replacement);
        }

        private boolean isShared(String owner, String name, String descriptor) {
            return preemptions != null && preemptions.isShared(owner, name, descriptor);
        }

        private void look(byte[] classFile) {
            try {
                lookAt(new ClassReader(classFile));
            } catch (RuntimeException e) {
                return; // a damaged class is refused when it is loaded
            }
        }

        private void lookAt(ClassReader classFile) {
            classFile.accept(new ClassVisitor(Opcodes.ASM9) {
                @Override
                public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
                    if ((access & Opcodes.ACC_SYNCHRONIZED) != 0) {
                        waiting.add(name + descriptor);
                    }
                    return new Code(name + descriptor);
                }
            }, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        }

        /** The methods from which one that waits is reached. */
        private Set<String> reached() {
            Deque<String> open = new ArrayDeque<>(waiting);
            while (!open.isEmpty()) {
                for (String caller : callers.getOrDefault(open.pop(), Set.of())) {
                    if (waiting.add(caller)) {
                        open.add(caller);
                    }
                }
            }
            return waiting;
        }

        private void edge(String caller, String called) {
            callers.computeIfAbsent(called, c -> new HashSet<>()).add(caller);
        }

        /** Looks at the instructions of a method. */
        private final class Code extends MethodVisitor {
            private final String method;

            Code(String method) {
                super(Opcodes.ASM9);
                this.method = method;
            }

            @Override
            public void visitInsn(int opcode) {
                if (opcode == Opcodes.MONITORENTER) {
                    waiting.add(method);
                }
            }

            @Override
            public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
                if (isOfProgram && isShared(owner, name, descriptor)) {
                    waiting.add(method);
                }
            }

            @Override
            public void visitTypeInsn(int opcode, String type) {
                makesSockets |= opcode == Opcodes.NEW && SocketRewrite.isSocket(type);
                if (opcode == Opcodes.NEW && !makesThreads) {
                    Set<String> types = hierarchy.jdkSupertypes(type);
                    makesThreads = types.contains("java/lang/Thread") || types.contains("java/util/concurrent/Executor");
                }
            }

            @Override
            public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
                call(method, new Called(opcode, owner, name, descriptor, isInterface));
            }

            @Override
            public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
                if (LambdaNames.makesLambda(bootstrap)) {
                    Handle body = (Handle) arguments[1];
                    int opcode = body.getTag() == Opcodes.H_INVOKESTATIC ? Opcodes.INVOKESTATIC : Opcodes.INVOKEVIRTUAL;
                    Called called = new Called(opcode, body.getOwner(), body.getName(), body.getDesc(), body.isInterface());
                    for (Object argument : arguments) { // the types of the interface's method
                        if (argument instanceof Type type && type.getSort() == Type.METHOD) {
                            call(name + type.getDescriptor(), called);
                        }
                    }
                }
            }

            private void call(String caller, Called called) {
                Replacement replacement = calls.replacement(called);
                if (waits(called, replacement) || isOfProgram && preempts(called, replacement)) {
                    waiting.add(caller);
                }
                if (SocketRewrite.mayWait(called, hierarchy)) {
                    waitingForSockets.add(caller);
                }
                makesProcesses |= called.name().equals("process") && called.descriptor().equals(PROCESS);
                hasThreads |= makesProcesses || replacement != null && Replacements.startsThreads(replacement)
                    || called.name().equals("<init>") && ThreadClassRewrite.isPool(called.owner());
                if (replacement != null && Replacements.isLeaving(replacement.owner())) {
                    edge(caller, replacement.hook() + Hook.descriptor(replacement, called));
                }
                edge(caller, called.name() + called.descriptor());
            }
        }
    }
}
