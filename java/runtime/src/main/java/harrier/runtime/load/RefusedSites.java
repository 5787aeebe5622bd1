package harrier.runtime.load;

import harrier.runtime.load.compile.ProgramClasses;
import harrier.runtime.load.rewrite.CallRewrite;
import harrier.runtime.load.rewrite.Hierarchy;
import harrier.runtime.load.rewrite.PlacedRewrite;
import harrier.runtime.rules.refuse.RefusedCalls;
import harrier.runtime.rules.refuse.Replacements.Replacement;
import harrier.runtime.rules.statics.StaticAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Finds the instructions of a class that are refused for any receiver. Nothing is loaded. */
public final class RefusedSites extends PlacedRewrite {
    private final CallRewrite calls;
    private final List<Site> sites = new ArrayList<>();

    /**
     * Such a place.
     *
     * @param method the method, by the internal name of its class, a dot, its own name and its descriptor
     * @param what what the code does there, for people: {@code Node.on calls System.exit (Node.java:7)}
     * @param allow the flag's value that relaxes the rule, as {@code name=value}; empty without one
     * @param isWrite whether a static field is written, which a set-up may do
     */
    public record Site(String method, String what, String allow, boolean isWrite) {}

    private RefusedSites(Hierarchy hierarchy, boolean hasThreads, boolean hasSockets) {
        super(null);
        calls = new CallRewrite(null, hierarchy, hasThreads, hasSockets);
    }

    /**
     * The places in a program's own classes, class by class.
     *
     * @param hasThreads whether it has threads
     * @param hasSockets whether it has sockets
     */
    public static List<Site> of(ProgramClasses program, boolean hasThreads, boolean hasSockets) {
        Hierarchy hierarchy = new Hierarchy(program);
        List<Site> all = new ArrayList<>();
        for (String name : new TreeSet<>(program.own())) {
            RefusedSites found = new RefusedSites(hierarchy, hasThreads, hasSockets);
            new ClassReader(program.find(name)).accept(found, ClassReader.SKIP_FRAMES);
            all.addAll(found.sites);
        }
        return all;
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
        return new Calls(name, descriptor);
    }

    /** Looks at the instructions of a method. */
    private final class Calls extends Code {
        private final String name;
        private final String descriptor;

        Calls(String name, String descriptor) {
            super(null, name);
            this.name = name;
            this.descriptor = descriptor;
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String called, String calledDescriptor, boolean ofInterface) {
            call(new CallRewrite.Called(opcode, owner, called, calledDescriptor, ofInterface));
        }

        @Override
        public void visitInvokeDynamicInsn(String called, String calledDescriptor, Handle bootstrap, Object... arguments) {
            for (Object argument : arguments) {
                if (argument instanceof Handle h && h.getDesc().startsWith("(")) {
                    int opcode = h.getTag() == Opcodes.H_INVOKESTATIC ? Opcodes.INVOKESTATIC : Opcodes.INVOKEVIRTUAL;
                    call(new CallRewrite.Called(opcode, h.getOwner(), h.getName(), h.getDesc(), h.isInterface()));
                }
            }
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String field, String type) {
            if (opcode == Opcodes.PUTSTATIC && !name.equals("<clinit>")) {
                add(StaticAccess.writes(owner.replace('/', '.') + "." + field, place.toString()), StaticAccess.FROZEN, true);
            } else if (opcode == Opcodes.GETSTATIC) {
                refuse(calls.refused(new CallRewrite.Called(opcode, owner, field, type, false)));
            }
        }

        private void call(CallRewrite.Called called) {
            Replacement replacement = calls.replacement(called);
            if (replacement == null) {
                refuse(calls.refused(called));
            } else if (replacement.allow() != null) {
                add(replacement.done(called.name(), place.toString()), replacement.allow(), false);
            }
        }

        private void refuse(int number) {
            String what = number < 0 ? null : RefusedCalls.get(number).done(place.toString());
            if (what != null) {
                add(what, RefusedCalls.get(number).allow(), false);
            }
        }

        private void add(String what, String allow, boolean isWrite) {
            sites.add(new Site(type + "." + name + descriptor, what, allow, isWrite));
        }
    }
}
