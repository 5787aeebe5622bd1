package harrier.runtime.analysis.flow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.tree.analysis.Value;

/** What makes a value: an instruction, a parameter, a caught exception; or a place that holds one, such as a field. */
public final class Def implements Comparable<Def> {
    public final Kind kind;
    /** The instruction's index, or the parameter's number. */
    public final int at;
    /** The descriptor of its static type; "null" for null. */
    public final String type;
    /** The method it is in; null for fields and the like. */
    public final Code code;
    /** Whether some variable or place on the stack may hold this or another definition's value. */
    public boolean merged;
    /** The node of its value: a number, or which object it refers to. */
    public int value = -1;
    /** The node of the content of the object that it refers to, if no field of the program's stands for it. */
    public int object = -1;

    public enum Kind { PARAMETER, RESULT, CAUGHT, CONSTANT, NEW, FIELD, STATIC, CALL, LAMBDA, COPY, CAST, OTHER, PLACE }

    public Def(Kind kind, int at, String type, Code code) {
        this.kind = kind;
        this.at = at;
        this.type = type;
        this.code = code;
    }

    /** The order of the definitions in one method. */
    @Override
    public int compareTo(Def other) {
        return kind != other.kind ? kind.compareTo(other.kind) : Integer.compare(at, other.at);
    }

    /** What the instruction takes. */
    public Val[] operands() {
        return code.operands(at);
    }

    /** A place's own values, as one that was just read. */
    public Val read() {
        return new Val(new Def[] {this}, 1);
    }

    /**
     * A value on the stack or in a variable: the definitions it may come from, in one order.
     *
     * @param size 2 for long and double
     */
    public record Val(Def[] defs, int size) implements Value {
        static final Val UNKNOWN = new Val(new Def[0], 1);

        @Override
        public int getSize() {
            return size;
        }

        /** The value of either. */
        Val or(Val other) {
            if (equals(other)) {
                return this;
            }
            Set<Def> all = new LinkedHashSet<>(Arrays.asList(defs));
            all.addAll(Arrays.asList(other.defs));
            if (all.size() == defs.length) {
                return this;
            }
            for (Def d : all) {
                d.merged |= all.size() > 1;
            }
            Def[] merged = all.toArray(new Def[0]);
            Arrays.sort(merged);
            return new Val(merged, Math.min(size, other.size));
        }

        /** Where the value comes from, past copies. */
        public List<Def> roots() {
            if (defs.length == 1 && defs[0].kind != Kind.COPY) {
                return List.of(defs[0]);
            }
            Set<Def> seen = new LinkedHashSet<>();
            List<Def> found = new ArrayList<>();
            addRoots(seen, found);
            return found;
        }

        private void addRoots(Set<Def> seen, List<Def> found) {
            for (Def d : defs) {
                if (seen.add(d)) {
                    if (d.kind == Kind.COPY) {
                        d.operands()[0].addRoots(seen, found);
                    } else {
                        found.add(d);
                    }
                }
            }
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Val v && size == v.size && Arrays.equals(defs, v.defs);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(defs);
        }
    }
}
