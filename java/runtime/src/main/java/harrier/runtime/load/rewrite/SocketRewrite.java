package harrier.runtime.load.rewrite;

import static java.util.Map.entry;

import harrier.runtime.load.rewrite.CallRewrite.Called;
import harrier.runtime.rules.refuse.RefusedCalls;
import harrier.runtime.rules.refuse.Replacements;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Has code of a program with sockets make harrier's sockets and streams in place of those of the JDK, and call hooks instead of their
 * methods that may wait. It comes first, so that other rewrites see the hooks.
 */
final class SocketRewrite extends PlacedRewrite {
    private static final String HOST = "harrier/host/";
    private static final String DATA = HOST + "DataHooks";
    private static final String ADDRESSES = HOST + "AddressHooks";
    private static final String SOCKET = "java/net/Socket";
    private static final String OBJECTS = "java/io/ObjectInputStream";
    private static final String ADDRESS = "java/net/InetSocketAddress";
    /** Makes an address of the name of a host and a port. */
    private static final String BY_NAME = "(Ljava/lang/String;I)V";
    private static final Set<String> SOCKETS = Set.of(SOCKET, "java/net/ServerSocket", "java/net/DatagramSocket");

    private static final Map<String, String> OWN = Map.ofEntries(entry(SOCKET, HOST + "ActorSocket"),
        entry("java/net/ServerSocket", HOST + "ActorServerSocket"), entry("java/net/DatagramSocket", HOST + "ActorDatagramSocket"), entry("java/io/BufferedInputStream", HOST + "ActorBufferedInput"),
        entry("java/io/DataInputStream", HOST + "ActorDataInput"), entry("java/io/InputStreamReader", HOST + "ActorReader"),
        entry("java/io/BufferedReader", HOST + "ActorBufferedReader"),
        entry("java/io/BufferedOutputStream", HOST + "ActorBufferedOutput"), entry("java/io/DataOutputStream", HOST + "ActorDataOutput"),
        entry("java/io/OutputStreamWriter", HOST + "ActorWriter"), entry("java/io/BufferedWriter", HOST + "ActorBufferedWriter"),
        entry("java/io/PrintWriter", HOST + "ActorPrintWriter"), entry("java/io/ObjectOutputStream", HOST + "ActorObjectOutput"),
        entry(OBJECTS, HOST + "ActorObjectInput"));
    /** The constructors of a class of the JDK that open files. */
    private static final Set<String> OF_FILES = Set.of("(Ljava/lang/String;)V", "(Ljava/io/File;)V",
        "(Ljava/lang/String;Ljava/lang/String;)V", "(Ljava/io/File;Ljava/lang/String;)V");

    /** The classes of hooks, by the owners, names and descriptors of the methods for which they stand in. */
    private static final Map<String, String> HOOKS = new HashMap<>();
    /** The names of these methods: others are not looked for. */
    private static final Set<String> NAMES = new HashSet<>();

    static {
        String address = "Ljava/net/SocketAddress;";
        hooks(Replacements.SOCKETS, "java/net/ServerSocket", "accept", "()Ljava/net/Socket;");
        hooks(Replacements.SOCKETS, SOCKET, "connect", "(" + address + ")V (" + address + "I)V");
        hooks(Replacements.SOCKETS, "java/net/DatagramSocket", "receive", "(Ljava/net/DatagramPacket;)V");
        hooks(ADDRESSES, "java/net/InetAddress", "getByName", "(Ljava/lang/String;)Ljava/net/InetAddress;");
        hooks(ADDRESSES, "java/net/InetAddress", "getAllByName", "(Ljava/lang/String;)[Ljava/net/InetAddress;");
        hooks(ADDRESSES, "java/net/InetAddress", "getLocalHost", "()Ljava/net/InetAddress;");
        hooks(Replacements.STREAMS, "java/io/InputStream", "read", "()I ([B)I ([BII)I");
        hooks(Replacements.STREAMS, "java/io/InputStream", "readNBytes", "([BII)I (I)[B");
        hooks(Replacements.STREAMS, "java/io/InputStream", "readAllBytes", "()[B");
        hooks(Replacements.STREAMS, "java/io/Reader", "read", "()I ([C)I ([CII)I");
        hooks(Replacements.STREAMS, "java/io/BufferedReader", "readLine", "()Ljava/lang/String;");
        hooks(Replacements.STREAMS, "java/io/DataInput", "readFully", "([B)V ([BII)V");
        Map.of("Boolean", "Z", "Byte", "B", "UnsignedByte", "I", "Short", "S", "UnsignedShort", "I", "Char", "C", "Int", "I", "Long", "J",
            "Float", "F", "Double", "D").forEach((name, type) -> hooks(Replacements.STREAMS, "java/io/DataInput", "read" + name, "()" + type));
        hooks(Replacements.STREAMS, "java/io/DataInput", "readUTF", "()Ljava/lang/String;");
        Map.of("Boolean", "Z", "Byte", "I", "Short", "I", "Char", "I", "Int", "I", "Long", "J", "Float", "F", "Double", "D",
            "Bytes", "Ljava/lang/String;", "UTF", "Ljava/lang/String;")
            .forEach((name, type) -> hooks(DATA, "java/io/DataOutput", "write" + name, "(" + type + ")V"));
        hooks(Replacements.STREAMS, "java/io/ObjectInput", "readObject", "()Ljava/lang/Object;");
        hooks(DATA, "java/io/ObjectOutput", "writeObject", "(Ljava/lang/Object;)V");
        hooks(DATA, OBJECTS, "setObjectInputFilter", "(Ljava/io/ObjectInputFilter;)V");
        hooks(DATA, "java/io/DataOutputStream", "size", "()I");
        hooks(DATA, "java/io/DataOutput", "writeChars", "(Ljava/lang/String;)V");
    }

    /** What the classes have that come in place of those of the JDK, by the names of these. */
    private static final Map<String, Set<String>> DECLARED = new ConcurrentHashMap<>();

    private final Hierarchy hierarchy;

    SocketRewrite(ClassVisitor next, Hierarchy hierarchy) {
        super(next);
        this.hierarchy = hierarchy;
    }

    private static void hooks(String hooks, String owner, String name, String descriptors) {
        for (String descriptor : descriptors.split(" ")) {
            NAMES.add(name);
            HOOKS.put(owner + "." + name + descriptor, hooks);
        }
    }

    /** Reports whether objects of a class of the JDK are sockets. */
    static boolean isSocket(String type) {
        return SOCKETS.contains(type);
    }

    /** The number of the refused call that a call of a class with another one in its place is; -1 if that has the method or constructor. */
    static int missing(String owner, String name, String descriptor) {
        return DECLARED.computeIfAbsent(owner, SocketRewrite::declared).contains(name + descriptor) ? -1
            : RefusedCalls.findMissing(owner, name, descriptor);
    }

    /** The names and descriptors of what the class has that comes in place of one of the JDK, and of what every object has. */
    private static Set<String> declared(String owner) {
        try {
            Class<?> own = Class.forName(OWN.get(owner).replace('/', '.'), false, SocketRewrite.class.getClassLoader());
            Set<String> declared = new HashSet<>();
            Stream.of(own.getDeclaredConstructors()).forEach(c -> declared.add("<init>" + Type.getConstructorDescriptor(c)));
            Stream.concat(Stream.of(own.getDeclaredMethods()), Stream.of(Object.class.getMethods()))
                .forEach(m -> declared.add(m.getName() + Type.getMethodDescriptor(m)));
            return declared;
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The classes of the JDK in whose place others come, for people, by the names of these. */
    static void labels(Map<String, String> labels) {
        OWN.forEach((jdk, own) -> labels.put(own.replace('/', '.'), jdk.substring(jdk.lastIndexOf('/') + 1)));
    }

    /** Reports whether a call may wait for what comes from a socket. */
    static boolean mayWait(Called called, Hierarchy hierarchy) {
        if (called.name().equals("<init>")) {
            return opens(called.owner(), called.descriptor()) || called.owner().equals(OBJECTS);
        }
        Hooked hooked = hooked(called, hierarchy);
        return hooked != null && Replacements.isBlocking(hooked.hooks);
    }

    /** Reports whether a constructor opens a connection. */
    private static boolean opens(String owner, String descriptor) {
        return owner.equals(SOCKET) && descriptor.contains(";I");
    }

    /**
     * A method of the JDK for which a hook stands in.
     *
     * @param owner the class or interface whose method it is
     * @param hooks the class of the hook
     */
    private record Hooked(String owner, String hooks) {}

    private static Hooked hooked(Called called, Hierarchy hierarchy) {
        if (!NAMES.contains(called.name()) || called.opcode() == Opcodes.INVOKESPECIAL || called.owner().startsWith("[")
                || hierarchy.isOwn(called.owner(), called.name(), called.descriptor())) {
            return null;
        }
        for (String owner : hierarchy.jdkSupertypes(called.owner())) {
            String hooks = HOOKS.get(owner + "." + called.name() + called.descriptor());
            if (hooks != null) {
                return new Hooked(owner, hooks);
            }
        }
        return null;
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
        return new Calls(super.visitMethod(access, name, descriptor, signature, exceptions), name);
    }

    private final class Calls extends Code {
        /** How many objects of each class are being made: a constructor of another one is that of a superclass. */
        private final Map<String, Integer> making = new HashMap<>();

        Calls(MethodVisitor next, String method) {
            super(next, method);
        }

        @Override
        public void visitTypeInsn(int opcode, String ofType) {
            if (opcode == Opcodes.NEW && ofType.equals(ADDRESS)) {
                making.merge(ofType, 1, Integer::sum);
            }
            if (opcode == Opcodes.NEW && OWN.containsKey(ofType)) {
                making.merge(ofType, 1, Integer::sum);
                super.visitTypeInsn(opcode, OWN.get(ofType));
                return;
            }
            super.visitTypeInsn(opcode, ofType);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean ofInterface) {
            if (name.equals("<init>")) {
                constructs(owner, descriptor);
                return;
            }
            Hooked hooked = hooked(new Called(opcode, owner, name, descriptor, ofInterface), hierarchy);
            if (hooked == null) {
                super.visitMethodInsn(opcode, owner, name, descriptor, ofInterface);
                return;
            }
            super.visitLdcInsn(place.toString());
            super.visitMethodInsn(Opcodes.INVOKESTATIC, hooked.hooks, name, "(" + (opcode == Opcodes.INVOKESTATIC ? ""
                : "L" + hooked.owner + ";") + descriptor.substring(1).replace(")", "Ljava/lang/String;)"), false);
        }

        private void constructs(String owner, String descriptor) {
            if (owner.equals(ADDRESS) && descriptor.equals(BY_NAME)) {
                constructsAddress();
                return;
            }
            int made = making.getOrDefault(owner, 0);
            if (owner.equals(ADDRESS)) {
                making.put(owner, Math.max(made - 1, 0));
            }
            if (made == 0 || owner.equals(ADDRESS)) {
                super.visitMethodInsn(Opcodes.INVOKESPECIAL, owner, "<init>", descriptor, false);
                return;
            }
            making.put(owner, made - 1);
            boolean isOfFile = owner.equals("java/io/PrintWriter") && OF_FILES.contains(descriptor);
            int missing = isOfFile ? -1 : missing(owner, "<init>", descriptor);
            if (missing >= 0) {
                Hook.check(mv, missing, place.toString());
            }
            super.visitMethodInsn(Opcodes.INVOKESPECIAL, isOfFile ? owner : OWN.get(owner), "<init>", descriptor, false);
            if (opens(owner, descriptor)) {
                waitFor(Replacements.SOCKETS, "opened", owner);
            } else if (owner.equals(OBJECTS)) {
                waitFor(Replacements.STREAMS, "begun", owner);
            }
        }

        /** Takes the name of a host and a port from the stack: the address of the name, and the port, make the address. */
        private void constructsAddress() {
            super.visitInsn(Opcodes.DUP2);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, ADDRESSES, "address", "(Ljava/lang/String;I)Ljava/net/InetAddress;", false);
            super.visitInsn(Opcodes.SWAP);
            super.visitInsn(Opcodes.DUP2_X1);
            super.visitInsn(Opcodes.POP2);
            super.visitInsn(Opcodes.POP);
            super.visitMethodInsn(Opcodes.INVOKESPECIAL, ADDRESS, "<init>", "(Ljava/net/InetAddress;I)V", false);
            if (making.getOrDefault(ADDRESS, 0) > 0) {
                making.merge(ADDRESS, -1, Integer::sum);
                super.visitMethodInsn(Opcodes.INVOKESTATIC, ADDRESSES, "resolved", "(L" + ADDRESS + ";)L" + ADDRESS + ";", false);
            }
        }

        /** Calls a hook that waits for what a constructor of the JDK's waits for. */
        private void waitFor(String hooks, String hook, String made) {
            super.visitInsn(Opcodes.DUP);
            super.visitLdcInsn(place.toString());
            super.visitMethodInsn(Opcodes.INVOKESTATIC, hooks, hook, "(L" + made + ";Ljava/lang/String;)V", false);
        }

        @Override
        public void visitMaxs(int stack, int locals) {
            super.visitMaxs(stack + 3, locals);
        }
    }
}
