package harrier.runtime.analysis;

import harrier.runtime.analysis.Def.Kind;
import harrier.runtime.analysis.Def.Val;
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
        if (!call.owner.equals(DURATION) || !call.desc.startsWith("(J)")) {
            return false;
        }
        return SHORT_FOR_ANY.contains(call.name) || call.name.equals("ofSeconds")
            || SHORT_FOR_SMALL.contains(call.name) && isSmall(operands[0])
            || SUMS.contains(call.name) && isSmall(operands[1]) && isShort(operands[0], new HashSet<>());
    }

    private boolean isShort(Val value, Set<Def> supposed) {
        return value.defs().length > 0 && value.roots().stream().allMatch(d -> !supposed.add(d) || isShort(d, supposed));
    }

    private boolean isShort(Def d, Set<Def> supposed) {
        if (d.kind == Kind.STATIC) {
            FieldInsnNode constant = (FieldInsnNode) d.code.instruction(d.at);
            return constant.owner.equals(DURATION) && constant.name.equals("ZERO");
        }
        if (d.kind == Kind.CALL && d.code.instruction(d.at) instanceof MethodInsnNode call && call.owner.equals(DURATION)
                && call.desc.startsWith("(J)")) {
            return SHORT_FOR_ANY.contains(call.name) || SHORT_FOR_SMALL.contains(call.name) && isSmall(d.operands()[0])
                || SUMS.contains(call.name) && isSmall(d.operands()[1]) && isShort(d.operands()[0], supposed);
        }
        List<Val> sources = stores.sources(d);
        return sources != null && sources.stream().allMatch(v -> isShort(v, supposed));
    }

    /** Reports whether a long is an int for certain. */
    private static boolean isSmall(Val amount) {
        return amount.defs().length > 0 && amount.roots().stream().allMatch(d -> {
            Long constant = Influences.constant(d);
            AbstractInsnNode insn = d.code == null ? null : d.code.instruction(d.at);
            return constant != null && constant.intValue() == constant || d.kind == Kind.OTHER && insn.getOpcode() == Opcodes.I2L;
        });
    }
}
