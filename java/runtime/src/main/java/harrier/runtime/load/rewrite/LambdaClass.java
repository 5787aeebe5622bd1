package harrier.runtime.load.rewrite;

import harrier.runtime.origin.AddedNames;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** The class of one lambda, and the method of its host that it calls. {@link LambdaRewrite} says how they meet. */
final class LambdaClass {
    /** The static method that makes a lambda out of the captured values. */
    static final String FACTORY = "of";
    /** The static field that holds a lambda that captures nothing: the virtual machine makes but one, too. */
    private static final String ONLY = "ONLY";
    private static final String SERIALIZABLE = "java/io/Serializable";
    private static final int FLAG_SERIALIZABLE = 1;
    private static final int FLAG_MARKERS = 2;
    private static final int FLAG_BRIDGES = 4;

    private final String host;
    private final boolean hostIsInterface;
    private final String name;
    private final String body;
    private final String method;
    private final String factoryType;
    private final Type[] captured;
    private final Handle implementation;
    /** The type of the functional interface's method, once its type parameters are known. */
    private final Type instantiated;
    private final List<String> interfaces = new ArrayList<>(List.of("harrier/host/Lambda"));
    /** The erased types that the interface's method is called with. */
    private final List<Type> erased = new ArrayList<>();

    /**
     * A lambda.
     *
     * @param host the class in which it is made
     * @param name the name of its own class
     * @param body the name of the host's method that does what the lambda does
     * @param method the method of the functional interface
     * @param factoryType the types of the captured values, and the functional interface
     * @param arguments those of LambdaMetafactory's metafactory or altMetafactory
     */
    LambdaClass(String host, boolean hostIsInterface, String name, String body, String method, String factoryType,
            Object[] arguments) {
        this.host = host;
        this.hostIsInterface = hostIsInterface;
        this.name = name;
        this.body = body;
        this.method = method;
        this.factoryType = factoryType;
        captured = Type.getArgumentTypes(factoryType);
        interfaces.add(Type.getReturnType(factoryType).getInternalName());
        erased.add((Type) arguments[0]);
        implementation = (Handle) arguments[1];
        instantiated = (Type) arguments[2];
        if (arguments.length > 3) {
            takeExtras(arguments);
        }
    }

    /** The arguments that only altMetafactory has. */
    private void takeExtras(Object[] arguments) {
        int flags = (Integer) arguments[3];
        int at = 4;
        if ((flags & FLAG_SERIALIZABLE) != 0) {
            addInterface(SERIALIZABLE);
        }
        if ((flags & FLAG_MARKERS) != 0) {
            for (int n = (Integer) arguments[at++]; n > 0; n--) {
                addInterface(((Type) arguments[at++]).getInternalName());
            }
        }
        if ((flags & FLAG_BRIDGES) != 0) {
            for (int n = (Integer) arguments[at++]; n > 0; n--) {
                erased.add((Type) arguments[at++]);
            }
        }
    }

    private void addInterface(String type) {
        if (!interfaces.contains(type)) {
            interfaces.add(type);
        }
    }

    /** The internal name of the class. */
    String name() {
        return name;
    }

    /** The class file. */
    byte[] bytes(int version) {
        ClassWriter out = new ClassWriter(0);
        out.visit(version, Opcodes.ACC_FINAL | Opcodes.ACC_SUPER | Opcodes.ACC_SYNTHETIC, name, null,
            "java/lang/Object", interfaces.toArray(new String[0]));
        for (int i = 0; i < captured.length; i++) {
            out.visitField(Opcodes.ACC_PRIVATE | Opcodes.ACC_FINAL, field(i), captured[i].getDescriptor(), null, null)
                .visitEnd();
        }
        writeConstructor(out);
        writeFactory(out);
        for (Type type : erased) {
            writeMethod(out, type);
        }
        out.visitEnd();
        return out.toByteArray();
    }

    private static String field(int i) {
        return AddedNames.CAPTURED + (i + 1);
    }

    private void writeConstructor(ClassVisitor out) {
        MethodVisitor m = out.visitMethod(Opcodes.ACC_PRIVATE, "<init>",
            Type.getMethodDescriptor(Type.VOID_TYPE, captured), null, null);
        m.visitCode();
        m.visitVarInsn(Opcodes.ALOAD, 0);
        m.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        int at = 1;
        for (int i = 0; i < captured.length; i++) {
            m.visitVarInsn(Opcodes.ALOAD, 0);
            m.visitVarInsn(captured[i].getOpcode(Opcodes.ILOAD), at);
            m.visitFieldInsn(Opcodes.PUTFIELD, name, field(i), captured[i].getDescriptor());
            at += captured[i].getSize();
        }
        m.visitInsn(Opcodes.RETURN);
        m.visitMaxs(3, at);
        m.visitEnd();
    }

    private void writeFactory(ClassVisitor out) {
        String self = "L" + name + ";";
        if (captured.length == 0) {
            out.visitField(Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL, ONLY, self, null, null)
                .visitEnd();
            MethodVisitor m = out.visitMethod(Opcodes.ACC_STATIC, "<clinit>", "()V", null, null);
            m.visitCode();
            writeNew(m);
            m.visitFieldInsn(Opcodes.PUTSTATIC, name, ONLY, self);
            m.visitInsn(Opcodes.RETURN);
            m.visitMaxs(2, 0);
            m.visitEnd();
        }
        MethodVisitor m = out.visitMethod(Opcodes.ACC_STATIC, FACTORY, factoryType, null, null);
        m.visitCode();
        if (captured.length == 0) {
            m.visitFieldInsn(Opcodes.GETSTATIC, name, ONLY, self);
        } else {
            writeNew(m);
        }
        m.visitInsn(Opcodes.ARETURN);
        m.visitMaxs(2 + size(captured), size(captured));
        m.visitEnd();
    }

    /** Leaves a new lambda on the stack, made out of the parameters of a static method. */
    private void writeNew(MethodVisitor m) {
        m.visitTypeInsn(Opcodes.NEW, name);
        m.visitInsn(Opcodes.DUP);
        int at = 0;
        for (Type type : captured) {
            m.visitVarInsn(type.getOpcode(Opcodes.ILOAD), at);
            at += type.getSize();
        }
        m.visitMethodInsn(Opcodes.INVOKESPECIAL, name, "<init>", Type.getMethodDescriptor(Type.VOID_TYPE, captured),
            false);
    }

    /** The interface's method, which hands all to the host's. */
    private void writeMethod(ClassVisitor out, Type type) {
        MethodVisitor m = out.visitMethod(Opcodes.ACC_PUBLIC, method, type.getDescriptor(), null, null);
        m.visitCode();
        for (int i = 0; i < captured.length; i++) {
            m.visitVarInsn(Opcodes.ALOAD, 0);
            m.visitFieldInsn(Opcodes.GETFIELD, name, field(i), captured[i].getDescriptor());
        }
        Type[] given = type.getArgumentTypes();
        Type[] wanted = instantiated.getArgumentTypes();
        int at = 1;
        for (int i = 0; i < given.length; i++) {
            m.visitVarInsn(given[i].getOpcode(Opcodes.ILOAD), at);
            Conversions.write(m, given[i], wanted[i]);
            at += given[i].getSize();
        }
        m.visitMethodInsn(Opcodes.INVOKESTATIC, host, body, bodyType(), hostIsInterface);
        Conversions.write(m, instantiated.getReturnType(), type.getReturnType());
        m.visitInsn(type.getReturnType().getOpcode(Opcodes.IRETURN));
        m.visitMaxs(size(captured) + size(wanted) + 2, at);
        m.visitEnd();
    }

    private String bodyType() {
        return Type.getMethodDescriptor(instantiated.getReturnType(), parameters());
    }

    private Type[] parameters() {
        List<Type> all = new ArrayList<>(List.of(captured));
        all.addAll(List.of(instantiated.getArgumentTypes()));
        return all.toArray(new Type[0]);
    }

    /**
     * Adds to the host the method that does what the lambda does. Its line is that of the lambda where it refers to a
     * method; the body of a lambda has lines of its own.
     */
    void writeBody(ClassVisitor out, int line) {
        int access = hostIsInterface ? Opcodes.ACC_PUBLIC : 0;
        MethodVisitor m = out.visitMethod(access | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC, body, bodyType(), null,
            null);
        m.visitCode();
        if (line >= 0 && !isBodyOfLambda()) {
            Label start = new Label();
            m.visitLabel(start);
            m.visitLineNumber(line, start);
        }
        boolean makes = implementation.getTag() == Opcodes.H_NEWINVOKESPECIAL;
        if (makes) {
            m.visitTypeInsn(Opcodes.NEW, implementation.getOwner());
            m.visitInsn(Opcodes.DUP);
        }
        Type[] given = parameters();
        Type[] wanted = wanted();
        int at = 0;
        for (int i = 0; i < given.length; i++) {
            m.visitVarInsn(given[i].getOpcode(Opcodes.ILOAD), at);
            if (i >= captured.length) { // captured values have the right types
                Conversions.write(m, given[i], wanted[i]);
            }
            at += given[i].getSize();
        }
        m.visitMethodInsn(opcode(), implementation.getOwner(), implementation.getName(), implementation.getDesc(),
            implementation.isInterface());
        Type result = makes ? Type.getObjectType(implementation.getOwner())
            : Type.getReturnType(implementation.getDesc());
        Conversions.write(m, result, instantiated.getReturnType());
        m.visitInsn(instantiated.getReturnType().getOpcode(Opcodes.IRETURN));
        m.visitMaxs(size(wanted) + size(given) + 4, at);
        m.visitEnd();
    }

    private boolean isBodyOfLambda() {
        return implementation.getOwner().equals(host) && implementation.getName().startsWith("lambda$");
    }

    /** The types that the implementation takes, with what it is called on first. */
    private Type[] wanted() {
        List<Type> all = new ArrayList<>();
        if (opcode() != Opcodes.INVOKESTATIC && implementation.getTag() != Opcodes.H_NEWINVOKESPECIAL) {
            all.add(Type.getObjectType(implementation.getOwner()));
        }
        all.addAll(List.of(Type.getArgumentTypes(implementation.getDesc())));
        return all.toArray(new Type[0]);
    }

    private int opcode() {
        return switch (implementation.getTag()) {
            case Opcodes.H_INVOKESTATIC -> Opcodes.INVOKESTATIC;
            case Opcodes.H_INVOKEVIRTUAL -> Opcodes.INVOKEVIRTUAL;
            case Opcodes.H_INVOKEINTERFACE -> Opcodes.INVOKEINTERFACE;
            case Opcodes.H_INVOKESPECIAL, Opcodes.H_NEWINVOKESPECIAL -> Opcodes.INVOKESPECIAL;
            default -> throw new IllegalStateException("a lambda that is no method: " + implementation);
        };
    }

    private static int size(Type[] types) {
        int size = 0;
        for (Type type : types) {
            size += type.getSize();
        }
        return size;
    }
}
