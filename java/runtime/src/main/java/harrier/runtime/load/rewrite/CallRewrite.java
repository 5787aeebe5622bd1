package harrier.runtime.load.rewrite;

import harrier.runtime.origin.AddedNames;
import harrier.runtime.rules.refuse.RefusedCalls;
import harrier.runtime.rules.refuse.Replacements;
import harrier.runtime.rules.refuse.Replacements.Replacement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Has code ask {@link harrier.host.Hooks} before it calls a method of the table {@link RefusedCalls}, and call the methods of
 * {@link Replacements} instead of other methods of the JDK. That goes for method references as for calls.
 *
 * <p>Where the receiver decides which code runs, and where a method is referred to, a method is added to the class that
 * does both.
 */
public final class CallRewrite extends PlacedRewrite {
    static final String RANDOM = "java/util/Random";
    private static final String SECURE_RANDOM = "java/security/SecureRandom";
    private static final String CALENDAR = "java/util/GregorianCalendar";
    /** The classes whose new objects a hook is shown. */
    static final Map<String, String> MADE = Map.of(RANDOM, "harrier/host/RandomHooks", SECURE_RANDOM, "harrier/host/RandomHooks",
        CALENDAR, "harrier/host/TimeHooks");
    /** What constructors of calendars take that have the time of now. */
    private static final Set<String> OF_NOW = Set.of("()V", "(Ljava/util/TimeZone;)V", "(Ljava/util/Locale;)V",
        "(Ljava/util/TimeZone;Ljava/util/Locale;)V");
    /** How much more of the stack a call may need: two words of arguments for the hook, and two that it gives. */
    private static final int ROOM = 4;

    private final Hierarchy hierarchy;
    private final Map<Called, Handle> references = new HashMap<>();
    private final List<AddedCall> added = new ArrayList<>();
    /** Whether the class is one of random generators that draw as those of the JDK do. */
    private boolean drawsAsRandom;

    /** Whether the program has threads. */
    private final boolean hasThreads;
    /** Whether it has sockets, which are harrier's. */
    private final boolean hasSockets;

    /**
     * For a class of a program.
     *
     * @param hasThreads whether the program has threads, which what stands in for methods that wait sees to
     * @param hasSockets whether it has sockets
     */
    public CallRewrite(ClassVisitor next, Hierarchy hierarchy, boolean hasThreads, boolean hasSockets) {
        super(next);
        this.hasSockets = hasSockets;
        this.hierarchy = hierarchy;
        this.hasThreads = hasThreads;
    }

    /** A call, as an instruction makes it. */
    public record Called(int opcode, String owner, String name, String descriptor, boolean isInterface) {
        /** Reports whether the class of the receiver decides which code runs. */
        boolean isVirtual() {
            return opcode == Opcodes.INVOKEVIRTUAL || opcode == Opcodes.INVOKEINTERFACE;
        }
    }

    /** A method to add, which does a call that was rewritten. */
    private record AddedCall(Handle handle, Called called, String place, int line) {}

    @Override
    public void visit(int version, int access, String name, String signature, String superName, String[] interfaces) {
        super.visit(version, access, name, signature, superName, interfaces);
        drawsAsRandom = RANDOM.equals(superName);
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
            String[] exceptions) {
        drawsAsRandom &= !(name + descriptor).equals("next(I)I");
        return new Calls(super.visitMethod(access, name, descriptor, signature, exceptions), name);
    }

    @Override
    public void visitEnd() {
        if (drawsAsRandom) {
            addNext();
        }
        for (int i = 0; i < added.size(); i++) { // a call in an added method adds no others
            add(added.get(i));
        }
        super.visitEnd();
    }

    /** All that a generator draws comes from next: with one of its own it asks, also when the JDK's code draws. */
    private void addNext() {
        MethodVisitor code = super.visitMethod(Opcodes.ACC_PROTECTED | Opcodes.ACC_SYNTHETIC, "next", "(I)I", null, null);
        code.visitCode();
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitMethodInsn(Opcodes.INVOKESTATIC, "harrier/host/RandomHooks", "next", "(Ljava/util/Random;)V", false);
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitVarInsn(Opcodes.ILOAD, 1);
        code.visitMethodInsn(Opcodes.INVOKESPECIAL, RANDOM, "next", "(I)I", false);
        code.visitInsn(Opcodes.IRETURN);
        code.visitMaxs(2, 2);
        code.visitEnd();
    }

    /** The replacement of a call; null if there is none. */
    public Replacement replacement(Called called) {
        if (called.name.equals("<init>")) {
            return Replacements.find(called.owner, called.name, called.descriptor, hasThreads);
        }
        if (called.opcode == Opcodes.INVOKESPECIAL && hierarchy.isHashCodeOfObject(called)) {
            return Replacements.SUPER_HASH_CODE;
        }
        if (called.owner.startsWith("[") || called.opcode == Opcodes.INVOKESPECIAL || !Replacements.mayHave(called.name, hasThreads)
                || hierarchy.isOwn(called.owner, called.name, called.descriptor)) {
            return null;
        }
        for (String owner : hierarchy.jdkSupertypes(called.owner)) {
            Replacement found = Replacements.find(owner, called.name, called.descriptor, hasThreads);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** The number of the refused call that a call reaches; -1 if it is none. */
    public int refused(Called called) {
        if (called.owner.startsWith("[") || hasThreads && called.name.equals("<init>") && ThreadClassRewrite.replaces(called.owner)) {
            return -1;
        }
        boolean constructs = called.name.equals("<init>");
        int known = RefusedCalls.find(called.owner, called.name, called.descriptor, (owner, refused) -> constructs
            ? owner.equals(refused) && hierarchy.jdkSupertypes(owner).contains(owner) : owner.equals(refused)
                || hierarchy.jdkSupertypes(owner).contains(refused)
                    && !hierarchy.isOwn(owner, called.name, called.descriptor));
        String jdkOwner = known >= 0 ? null : hierarchy.jdkOwner(called.owner, called.name, called.descriptor);
        boolean isRewritten = cv != null && constructs; // else it is what a class calls that extends one of them
        if (jdkOwner == null) {
            return known;
        } else if (hasSockets && SocketRewrite.isSocket(jdkOwner) && !isRewritten) {
            return SocketRewrite.missing(jdkOwner, called.name, called.descriptor);
        }
        return RefusedCalls.findUnknown(jdkOwner, called.name, called.descriptor);
    }

    /**
     * A handle of an added method that does what the given one does, after asking.
     *
     * @param receiver the type of the receiver if it is captured, which is what the method has to take; otherwise null
     */
    private Handle asking(Handle handle, Type receiver, Place place) {
        int opcode = switch (handle.getTag()) {
            case Opcodes.H_INVOKESTATIC -> Opcodes.INVOKESTATIC;
            case Opcodes.H_INVOKEVIRTUAL -> Opcodes.INVOKEVIRTUAL;
            case Opcodes.H_INVOKEINTERFACE -> Opcodes.INVOKEINTERFACE;
            case Opcodes.H_NEWINVOKESPECIAL -> Opcodes.NEW;
            default -> 0;
        };
        Called called = new Called(opcode, handle.getOwner(), handle.getName(), handle.getDesc(), handle.isInterface());
        if (opcode == 0 || replacement(called) == null && refused(called) < 0) {
            return handle;
        }
        return add(called, receiver == null ? descriptor(called)
            : descriptor(called).replaceFirst("\\(L[^;]*;", "(" + Matcher.quoteReplacement(receiver.getDescriptor())), place);
    }

    private Handle add(Called called, String descriptor, Place place) {
        Called here = new Called(called.opcode, called.owner, called.name + " " + place, descriptor, called.isInterface);
        return references.computeIfAbsent(here, h -> {
            Handle handle = new Handle(Opcodes.H_INVOKESTATIC, type, AddedNames.asking(added.size()), descriptor, isInterface);
            added.add(new AddedCall(handle, called, place.toString(), place.line()));
            return handle;
        });
    }

    private static boolean takesReceiver(Handle handle) {
        return handle.getTag() == Opcodes.H_INVOKEVIRTUAL || handle.getTag() == Opcodes.H_INVOKEINTERFACE;
    }

    /** Of a static method that takes all that a call takes. */
    private static String descriptor(Called called) {
        String arguments = called.descriptor.substring(1);
        return switch (called.opcode) {
            case Opcodes.INVOKESTATIC -> called.descriptor;
            case Opcodes.NEW -> "(" + arguments.substring(0, arguments.lastIndexOf(')') + 1) + "L" + called.owner + ";";
            default -> "(L" + called.owner + ";" + arguments;
        };
    }

    private void add(AddedCall a) {
        MethodVisitor code = super.visitMethod(Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC,
            a.handle.getName(), a.handle.getDesc(), null, null);
        code.visitCode();
        Label start = new Label();
        code.visitLabel(start);
        if (a.line >= 0) {
            code.visitLineNumber(a.line, start);
        }
        new AddedCode(code, a.place).write(a.called, a.handle.getDesc(), replacement(a.called), refused(a.called));
        code.visitEnd();
    }

    /** Rewrites the calls of one method. */
    private final class Calls extends Code {
        /** How far the instructions go that make one of {@link #MADE}, of which nothing is kept before it is made. */
        private int making;
        /** How many calendars are being made, one for an argument of another. */
        private int calendars;
        private boolean makesCalendar;

        Calls(MethodVisitor next, String method) {
            super(next, method);
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            Object[] rewritten = arguments.clone();
            Type[] captured = Type.getArgumentTypes(descriptor);
            for (int i = 0; i < rewritten.length; i++) {
                rewritten[i] = asking(rewritten[i], captured.length > 0 ? captured[0] : null);
            }
            super.visitInvokeDynamicInsn(name, descriptor, CallRewrite.this.asking(bootstrap, null, place), rewritten);
        }

        @Override
        public void visitLdcInsn(Object value) {
            super.visitLdcInsn(asking(value, null));
        }

        /** A constant, with handles that ask in it; receiver is the type captured first, or null. */
        private Object asking(Object constant, Type receiver) {
            if (constant instanceof Handle h) {
                return CallRewrite.this.asking(h, takesReceiver(h) ? receiver : null, place);
            } else if (constant instanceof ConstantDynamic d) {
                Object[] arguments = new Object[d.getBootstrapMethodArgumentCount()];
                Arrays.setAll(arguments, i -> asking(d.getBootstrapMethodArgument(i), null));
                Handle bootstrap = CallRewrite.this.asking(d.getBootstrapMethod(), null, place);
                return new ConstantDynamic(d.getName(), d.getDescriptor(), bootstrap, arguments);
            }
            return constant;
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            boolean asks = opcode == Opcodes.GETFIELD ? RefusedCalls.has(name) : opcode != Opcodes.PUTFIELD;
            int refused = !asks ? -1 : refused(new Called(opcode, owner, name, descriptor, false));
            if (refused >= 0) {
                Hook.check(mv, refused, place.toString());
            }
            super.visitFieldInsn(opcode, owner, name, descriptor);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean ofInterface) {
            boolean makes = making == 2 && name.equals("<init>");
            making = 0;
            boolean isCalendar = calendars > 0 && owner.equals(CALENDAR) && name.equals("<init>");
            calendars -= isCalendar ? 1 : 0;
            if (makes && owner.equals(SECURE_RANDOM) && descriptor.equals("()V")
                    || isCalendar && OF_NOW.contains(descriptor)) {
                super.visitMethodInsn(opcode, owner, name, descriptor, ofInterface);
                Hook.made(mv, MADE.get(owner), owner, place.toString());
                return;
            }
            Called called = new Called(opcode, owner, name, descriptor, ofInterface);
            Replacement replacement = replacement(called);
            if (replacement != null) {
                Hook.call(mv, replacement, called, place.toString());
                if (makes && owner.equals(RANDOM)) {
                    Hook.made(mv, MADE.get(owner), owner, place.toString());
                }
                return;
            }
            int refused = refused(called);
            if (refused >= 0 && called.isVirtual()) {
                Handle handle = add(called, descriptor(called), place);
                super.visitMethodInsn(Opcodes.INVOKESTATIC, type, handle.getName(), handle.getDesc(), isInterface);
                return;
            }
            if (refused >= 0 && RefusedCalls.get(refused).asksReceiver()) {
                super.visitVarInsn(Opcodes.ALOAD, 0); // what calls a method of its superclass is the receiver
                Hook.checkReceiver(mv, called, refused, place.toString());
            } else if (refused >= 0) {
                Hook.check(mv, refused, place.toString());
            }
            super.visitMethodInsn(opcode, owner, name, descriptor, ofInterface);
        }

        @Override
        public void visitTypeInsn(int opcode, String ofType) {
            making = opcode == Opcodes.NEW && MADE.containsKey(ofType) ? 1 : 0;
            makesCalendar = ofType.equals(CALENDAR);
            super.visitTypeInsn(opcode, ofType);
        }

        @Override
        public void visitInsn(int opcode) {
            making = opcode == Opcodes.DUP && making == 1 ? 2 : 0;
            calendars += making == 2 && makesCalendar ? 1 : 0;
            super.visitInsn(opcode);
        }

        @Override
        public void visitMaxs(int stack, int locals) {
            super.visitMaxs(stack + ROOM, locals);
        }
    }
}
