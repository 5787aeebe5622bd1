package harrier.runtime.analysis.slice;

import harrier.runtime.analysis.flow.Def;
import harrier.runtime.analysis.flow.Def.Kind;
import harrier.runtime.analysis.flow.Def.Val;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Which calls that compute a duration cannot overflow. A duration holds 2^63 seconds. Short are those of up to 2^63 milliseconds,
 * and sums of them with small amounts: no run makes so many additions that a sum overflows.
 */
final class Durations {
    private static final String DURATION = "java/time/Duration";
    private static final Set<String> SHORT_FOR_ANY = Set.of("ofNanos", "ofMillis");
    private static final Set<String> SHORT_FOR_SMALL = Set.of("ofSeconds", "ofMinutes", "ofHours", "ofDays");
    private static final Set<String> SUMS = Set.of("plusNanos", "plusMillis", "plusSeconds", "plusMinutes", "plusHours", "plusDays",
        "minusNanos", "minusMillis", "minusSeconds", "minusMinutes", "minusHours", "minusDays");

    private final Stores stores;

    Durations(Stores stores) {
        this.stores = stores;
    }

    /** Reports whether a call computes a duration and throws nothing, if the one that it is called on is not null. */
    boolean isTotal(MethodInsnNode call, Val[] operands) {
        return takesLong(call) && (call.name.equals("ofSeconds") || isShort(call, operands, new HashSet<>()));
    }

    /** Reports whether a call is one of a method of Duration that takes a long first. */
    private static boolean takesLong(MethodInsnNode call) {
        return call.owner.equals(DURATION) && call.desc.startsWith("(J)");
    }

    private boolean isShort(MethodInsnNode call, Val[] operands, Set<Def> supposed) {
        return SHORT_FOR_ANY.contains(call.name) || SHORT_FOR_SMALL.contains(call.name) && isSmall(operands[0])
            || SUMS.contains(call.name) && isSmall(operands[1]) && isShort(operands[0], supposed);
    }

    private boolean isShort(Val value, Set<Def> supposed) {
        return value.defs().length > 0 && value.roots().stream().allMatch(d -> !supposed.add(d) || isShort(d, supposed));
    }

    private boolean isShort(Def d, Set<Def> supposed) {
        if (d.kind == Kind.STATIC) {
            FieldInsnNode constant = (FieldInsnNode) d.code.instruction(d.at);
            return constant.owner.equals(DURATION) && constant.name.equals("ZERO");
        }
        if (d.kind == Kind.CALL && d.code.instruction(d.at) instanceof MethodInsnNode call && takesLong(call)) {
            return isShort(call, d.operands(), supposed);
        }
        List<Val> sources = stores.sources(d);
        return sources != null && sources.stream().allMatch(v -> isShort(v, supposed));
    }

    /** Reports whether a long is an int for certain. */
    private static boolean isSmall(Val amount) {
        return amount.defs().length > 0 && amount.roots().stream().allMatch(d -> {
            Long constant = Edges.constant(d);
            AbstractInsnNode insn = d.code == null ? null : d.code.instruction(d.at);
            return constant != null && constant.intValue() == constant || d.kind == Kind.OTHER && insn.getOpcode() == Opcodes.I2L;
        });
    }
}
