package harrier.runtime.load.rewrite;

import harrier.runtime.rules.refuse.Replacements;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Rewrites the methods of a class that may wait so that a thread can leave them at a call and come back
 * ({@link harrier.host.Frames}), and has monitors kept by threads instead of by the virtual machine. It comes after all
 * other rewrites, and sees the calls and methods that they added.
 */
final class LeaveRewrite {
    private final WaitingCalls waiting;
    /** Null if threads are interleaved only where they wait. */
    private final Preemptions preemptions;
    /** Methods that may wait and were added, by class, name and descriptor. */
    private final Set<String> added = new HashSet<>();

    LeaveRewrite(WaitingCalls waiting, Preemptions preemptions) {
        this.waiting = waiting;
        this.preemptions = preemptions;
    }

    /** A class and those of its lambdas, whose methods call each other. */
    LambdaRewrite.Rewritten rewrite(LambdaRewrite.Rewritten before) {
        Map<String, byte[]> files = new HashMap<>(before.lambdas());
        files.put("", before.bytes());
        Map<String, ClassNode> classes = new HashMap<>();
        files.forEach((name, file) -> classes.put(name, read(file)));
        classes.values().forEach(c -> c.methods.forEach(m -> new MonitorRewrite(c, m).rewrite()));
        classes.values().forEach(c -> c.methods.forEach(LeaveRewrite::replaceReflection));
        if (preemptions != null) {
            classes.values().forEach(c -> c.methods.forEach(m -> preemptions.addTo(c, m)));
        }
        for (boolean grows = true; grows;) {
            grows = false;
            for (ClassNode c : classes.values()) {
                for (MethodNode m : c.methods) {
                    grows |= waits(m) && added.add(c.name + "." + m.name + m.desc);
                }
            }
        }
        Map<String, byte[]> after = new HashMap<>();
        classes.forEach((name, c) -> after.put(name, rewrite(c) ? write(c) : files.get(name)));
        byte[] own = after.remove("");
        return new LambdaRewrite.Rewritten(own, after);
    }

    private static void replaceReflection(MethodNode m) {
        for (AbstractInsnNode node : m.instructions.toArray()) {
            if (node instanceof MethodInsnNode call && Replacements.isReflection(call.owner, call.name, call.desc)) {
                m.instructions.set(node, new MethodInsnNode(Opcodes.INVOKESTATIC, Replacements.REFLECTION, "invoke",
                    call.desc.replace("(", "(Ljava/lang/reflect/Method;"), false));
            }
        }
    }

    private boolean rewrite(ClassNode c) {
        boolean changes = false;
        for (MethodNode m : c.methods) {
            if (!m.name.startsWith("<") && waits(m)) {
                new LeavingMethod(c, m, this::waits).rewrite();
            }
            changes |= waits(m) || MonitorRewrite.isIn(m);
        }
        return changes;
    }

    private boolean waits(MethodNode m) {
        for (AbstractInsnNode node : m.instructions) {
            if (waits(node)) {
                return true;
            }
        }
        return false;
    }

    /** Reports whether an instruction is a call that may wait. */
    private boolean waits(AbstractInsnNode node) {
        if (!(node instanceof MethodInsnNode call) || call.name.equals("<init>")) {
            return false;
        }
        boolean isProgram = !call.owner.startsWith("harrier/host/") || Replacements.isLeaving(call.owner);
        return Replacements.isBlocking(call.owner) || call.owner.equals("harrier/host/ActorThread") && call.name.equals("run")
            || call.owner.equals(Replacements.REFLECTION)
            || isProgram && waiting.has(call.name, call.desc) || added.contains(call.owner + "." + call.name + call.desc);
    }

    private static ClassNode read(byte[] file) {
        ClassNode node = new ClassNode(Opcodes.ASM9);
        new ClassReader(file).accept(node, ClassReader.EXPAND_FRAMES);
        return node;
    }

    private static byte[] write(ClassNode c) {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        c.accept(writer);
        return writer.toByteArray();
    }
}
