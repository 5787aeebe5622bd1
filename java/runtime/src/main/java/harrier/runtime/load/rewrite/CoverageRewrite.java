package harrier.runtime.load.rewrite;

import harrier.runtime.load.rewrite.CoveredMethod.Mark;
import harrier.runtime.origin.AddedNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.RecordComponentVisitor;

/**
 * Has code note in {@link Coverage} which of its lines begin, and which way its jumps and switches go. A line that fails counts as
 * executed. Left out is what no line of the source says: class initializers, methods and branches that compilers add; and what an
 * assertion does when it fails, as that is a violation.
 */
final class CoverageRewrite extends ClassVisitor {
    private static final String HOLDER = Coverage.HOLDER.replace('.', '/');
    private static final String BRANCHES = "harrier/host/Branches";
    /** How much more of the stack a mark needs. */
    private static final int ROOM = 3;
    /** What switches that cover all cases throw otherwise. */
    private static final Set<String> UNMATCHED = Set.of("java/lang/MatchException", "java/lang/IncompatibleClassChangeError");
    private static final int RETURNING_A_FIELD = 3;
    private static final String ASSERTS = "$assertionsDisabled";
    /** How many bytes a constant may have, each character taking up to three. */
    private static final int LONGEST = 65535 / 3;

    private final int number;
    private final List<CoveredMethod> methods = new ArrayList<>();
    private String type;
    private String file = "";
    private boolean isEnum;
    private final Set<String> components = new HashSet<>();
    private int marks;

    /**
     * For one class.
     *
     * @param number its number, for {@link Coverage}
     */
    CoverageRewrite(ClassVisitor next, int number) {
        super(Opcodes.ASM9, next);
        this.number = number;
    }

    /** The methods that have marks, once the class was visited. */
    List<CoveredMethod> methods() {
        return methods;
    }

    /** How many marks they have. */
    int marks() {
        return marks;
    }

    @Override
    public void visit(int version, int access, String name, String signature, String superName, String[] interfaces) {
        super.visit(version, access, name, signature, superName, interfaces);
        type = name.replace('/', '.');
        isEnum = "java/lang/Enum".equals(superName);
    }

    @Override
    public RecordComponentVisitor visitRecordComponent(String name, String descriptor, String signature) {
        components.add(name);
        return super.visitRecordComponent(name, descriptor, signature);
    }

    @Override
    public void visitSource(String source, String debug) {
        super.visitSource(source, debug);
        file = source == null ? "" : source;
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
        MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
        boolean isLambda = name.startsWith("lambda$") && !name.contains(AddedNames.METHOD_MARK);
        boolean isAdded = (access & Opcodes.ACC_SYNTHETIC) != 0 && !isLambda || name.equals("<clinit>");
        return isAdded ? next : new Code(next, name, descriptor);
    }

    private final class Code extends MethodVisitor {
        private final String name;
        private final String descriptor;
        private final List<Mark> found = new ArrayList<>();
        private final Map<Integer, Integer> byLine = new HashMap<>();
        private final Map<Label, Mark> defaults = new HashMap<>();
        private int line;
        /** Whether the line that begins has no mark yet here. */
        private boolean begins;
        private int instructions;
        private boolean asserts;
        /** Whether hash codes of strings were or are switched on: the switch of the source comes after that. */
        private boolean hashes;
        private boolean isHash;
        /** The branch of a default that begins with the next instruction; null if none does. */
        private Mark unmatched;

        Code(MethodVisitor next, String name, String descriptor) {
            super(Opcodes.ASM9, next);
            this.name = name;
            this.descriptor = descriptor;
        }

        @Override
        public void visitLineNumber(int number, Label start) {
            super.visitLineNumber(number, start);
            line = number;
            begins = true;
        }

        @Override
        public void visitLabel(Label label) {
            super.visitLabel(label);
            unmatched = defaults.getOrDefault(label, unmatched);
        }

        /** Before each instruction: behind the frame that may stand at the line. */
        private void instruction() {
            instructions++;
            unmatched = null;
            isHash = false;
            if (begins && !asserts) {
                Integer mark = byLine.get(line);
                if (mark == null) {
                    mark = add(line, false).number();
                    byLine.put(line, mark);
                }
                load();
                push(mark);
                set();
            }
            begins = false;
        }

        private Mark add(int at, boolean isBranch) {
            Mark mark = new Mark(marks++, at, isBranch);
            found.add(mark);
            return mark;
        }

        private void load() {
            mv.visitFieldInsn(Opcodes.GETSTATIC, HOLDER, Coverage.MARKS, Coverage.MARKS_TYPE);
            mv.visitInsn(Opcodes.ICONST_0);
            mv.visitInsn(Opcodes.AALOAD);
            push(number);
            mv.visitInsn(Opcodes.AALOAD);
        }

        private void push(int value) {
            if (value <= Short.MAX_VALUE) {
                mv.visitIntInsn(Opcodes.SIPUSH, value);
            } else {
                mv.visitLdcInsn(value);
            }
        }

        private void set() {
            mv.visitInsn(Opcodes.ICONST_1);
            mv.visitInsn(Opcodes.BASTORE);
        }

        /** Sets one of the marks of branches, by its index among them, which is on the stack. */
        private void setBranch(int first) {
            load();
            mv.visitInsn(Opcodes.SWAP);
            push(first);
            mv.visitInsn(Opcodes.IADD);
            set();
        }

        private boolean hasBranches() {
            return line > 0 && !asserts && !hashes;
        }

        @Override
        public void visitJumpInsn(int opcode, Label label) {
            instruction();
            String asked = compares(opcode);
            if (asked != null && hasBranches()) {
                boolean isOfTwo = opcode >= Opcodes.IF_ICMPEQ && opcode <= Opcodes.IF_ACMPNE;
                mv.visitInsn(isOfTwo ? Opcodes.DUP2 : Opcodes.DUP);
                int at = asked.indexOf('(');
                mv.visitMethodInsn(Opcodes.INVOKESTATIC, BRANCHES, asked.substring(0, at), asked.substring(at), false);
                Mark first = add(line, true);
                add(line, true);
                setBranch(first.number());
            }
            super.visitJumpInsn(opcode, label);
        }

        @Override
        public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... labels) {
            int[] keys = new int[labels.length];
            for (int i = 0; i < keys.length; i++) {
                keys[i] = min + i;
            }
            beforeSwitch(keys, labels, otherwise);
            super.visitTableSwitchInsn(min, max, otherwise, labels);
        }

        @Override
        public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
            beforeSwitch(keys, labels, otherwise);
            super.visitLookupSwitchInsn(otherwise, keys, labels);
        }

        private void beforeSwitch(int[] keys, Label[] labels, Label otherwise) {
            boolean ofHash = isHash;
            instruction();
            hashes = ofHash;
            if (!hasBranches() || (keys.length + 1) * 3 > LONGEST) {
                return;
            }
            Map<Label, Mark> branches = new HashMap<>();
            StringBuilder table = new StringBuilder();
            int first = marks;
            for (int i = 0; i < keys.length; i++) {
                if (labels[i] != otherwise) {
                    Mark branch = branches.get(labels[i]);
                    if (branch == null) {
                        branch = add(line, true);
                        branches.put(labels[i], branch);
                    }
                    table.append((char) (keys[i] >>> 16)).append((char) keys[i]).append((char) (branch.number() - first));
                }
            }
            Mark last = add(line, true);
            defaults.put(otherwise, last);
            mv.visitInsn(Opcodes.DUP);
            mv.visitLdcInsn(table.append((char) (last.number() - first)).toString());
            mv.visitMethodInsn(Opcodes.INVOKESTATIC, BRANCHES, "of", "(ILjava/lang/String;)I", false);
            setBranch(first);
        }

        @Override
        public void visitTypeInsn(int opcode, String of) {
            if (opcode != Opcodes.NEW) {
                instruction();
                super.visitTypeInsn(opcode, of);
                return;
            }
            if (unmatched != null && UNMATCHED.contains(of)) {
                found.remove(unmatched);
            }
            super.visitTypeInsn(opcode, of); // frames name it by its place, which is right behind the label
            instruction();
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String field, String of) {
            instruction();
            asserts |= opcode == Opcodes.GETSTATIC && field.equals(ASSERTS);
            super.visitFieldInsn(opcode, owner, field, of);
        }

        @Override
        public void visitInsn(int opcode) {
            instruction();
            asserts &= opcode != Opcodes.ATHROW;
            super.visitInsn(opcode);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String method, String of, boolean ofInterface) {
            instruction();
            super.visitMethodInsn(opcode, owner, method, of, ofInterface);
            isHash = method.equals("hashCode"); // of a string, or of what stands in for it
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            instruction();
            super.visitIntInsn(opcode, operand);
        }

        @Override
        public void visitVarInsn(int opcode, int variable) {
            instruction();
            super.visitVarInsn(opcode, variable);
        }

        @Override
        public void visitInvokeDynamicInsn(String method, String of, Handle bootstrap, Object... arguments) {
            instruction();
            super.visitInvokeDynamicInsn(method, of, bootstrap, arguments);
        }

        @Override
        public void visitLdcInsn(Object value) {
            instruction();
            super.visitLdcInsn(value);
        }

        @Override
        public void visitIincInsn(int variable, int increment) {
            instruction();
            super.visitIincInsn(variable, increment);
        }

        @Override
        public void visitMultiANewArrayInsn(String of, int dimensions) {
            instruction();
            super.visitMultiANewArrayInsn(of, dimensions);
        }

        @Override
        public void visitMaxs(int stack, int locals) {
            super.visitMaxs(stack + ROOM, locals);
        }

        @Override
        public void visitEnd() {
            super.visitEnd();
            if (!found.isEmpty() && !isGenerated()) {
                methods.add(new CoveredMethod(type, file, name, descriptor, List.copyOf(found)));
            }
        }

        /**
         * Reports whether it is what compilers make of the line of the class: a method of an enum, or one that returns
         * a record's component.
         */
        private boolean isGenerated() {
            return isEnum && (name.equals("values") || name.equals("valueOf")) && found.size() == 1
                || descriptor.startsWith("()") && components.contains(name) && instructions == RETURNING_A_FIELD;
        }
    }

    /** The method of the hooks, with its descriptor, that compares as a jump does; null for one that does not. */
    private static String compares(int opcode) {
        return switch (opcode) {
            case Opcodes.IFEQ, Opcodes.IFNE -> "zero(I)I";
            case Opcodes.IFLT, Opcodes.IFGE -> "negative(I)I";
            case Opcodes.IFGT, Opcodes.IFLE -> "positive(I)I";
            case Opcodes.IF_ICMPEQ, Opcodes.IF_ICMPNE -> "same(II)I";
            case Opcodes.IF_ICMPLT, Opcodes.IF_ICMPGE -> "less(II)I";
            case Opcodes.IF_ICMPGT, Opcodes.IF_ICMPLE -> "greater(II)I";
            case Opcodes.IF_ACMPEQ, Opcodes.IF_ACMPNE -> "same(Ljava/lang/Object;Ljava/lang/Object;)I";
            case Opcodes.IFNULL, Opcodes.IFNONNULL -> "none(Ljava/lang/Object;)I";
            default -> null;
        };
    }
}
