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

    private WaitingCalls(Set<String> methods) {
        this.methods = methods;
    }

    /** Reports whether a call of a method of the program may wait. */
    boolean has(String name, String descriptor) {
        return methods.contains(name + descriptor);
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
            return new WaitingCalls(reached());
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
                if (isOfProgram && preemptions != null && preemptions.isShared(owner, name, descriptor)) {
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
                if (replacement != null && Replacements.mayWait(replacement) || isOfProgram && preemptions != null && preemptions.isAt(called, replacement)
                        || Replacements.isReflection(called.owner(), called.name(), called.descriptor())) {
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
