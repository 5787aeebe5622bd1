package harrier.runtime.load.rewrite;

import java.util.Map;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Puts classes of harrier's in the place of those of the JDK's threads, pools and tasks where a class extends one or makes one. */
final class ThreadClassRewrite extends ClassVisitor {
    private static final String POOL = "harrier/host/Pool";
    private static final Map<String, String> OWN = Map.of("java/lang/Thread", "harrier/host/ActorThread", "java/util/concurrent/FutureTask",
        "harrier/host/PoolFuture", "java/util/concurrent/ThreadPoolExecutor", POOL, "java/util/concurrent/ScheduledThreadPoolExecutor", POOL);

    ThreadClassRewrite(ClassVisitor next) {
        super(Opcodes.ASM9, next);
    }

    /** Reports whether a class of the JDK is one of pools of threads. */
    static boolean isPool(String type) {
        return POOL.equals(OWN.get(type));
    }

    private static String own(String type) {
        return OWN.getOrDefault(type, type);
    }

    @Override
    public void visit(int version, int access, String name, String signature, String superName, String[] interfaces) {
        super.visit(version, access, name, signature, superName == null ? null : own(superName), interfaces);
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
        return new MethodVisitor(Opcodes.ASM9, super.visitMethod(access, name, descriptor, signature, exceptions)) {
            @Override
            public void visitTypeInsn(int opcode, String type) {
                super.visitTypeInsn(opcode, opcode == Opcodes.NEW ? own(type) : type);
            }

            @Override
            public void visitMethodInsn(int opcode, String owner, String called, String calledDescriptor, boolean isInterface) {
                super.visitMethodInsn(opcode, opcode == Opcodes.INVOKESPECIAL ? own(owner) : owner, called, calledDescriptor, isInterface);
            }
        };
    }
}
