package harrier.runtime.analysis.flow;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;

/**
 * Which branches of a method decide whether its blocks are executed: control dependence by
 * post-dominators, after Ferrante, Ottenstein and Warren.
 *
 * <p>Exceptions are no branches here. That one is thrown is always taken to be relevant, with all that it
 * depends on, so where it leads depends on nothing else.
 */
public final class Control {
    private final int[] blockOf;
    private final int[] ends;
    private final List<List<Integer>> successors = new ArrayList<>();
    private final BitSet[] deciders;
    private final BitSet branching = new BitSet();
    private final BitSet endless = new BitSet();

    Control(MethodNode method) {
        InsnList code = method.instructions;
        blockOf = new int[code.size()];
        ends = split(method);
        for (int end : ends) {
            List<Integer> next = successors(code, end);
            branching.set(successors.size(), next.size() > 1);
            successors.add(next);
        }
        deciders = dependences();
    }

    public int blocks() {
        return ends.length;
    }

    public int blockOf(int instruction) {
        return blockOf[instruction];
    }

    /** The branch instruction at the end of a block. */
    public int end(int block) {
        return ends[block];
    }

    /** The blocks whose branches decide whether a block is executed. */
    public BitSet deciders(int block) {
        return deciders[block];
    }

    /** Reports whether the branch at the end of a block decides whether it is met again. */
    public boolean loops(int block) {
        return deciders[block].get(block);
    }

    /** Reports whether a block ends with a branch instruction, and not only with a way out that an endless loop is given here. */
    public boolean branches(int block) {
        return branching.get(block);
    }

    /** Reports whether there is no way from a block to the method's end. */
    public boolean endless(int block) {
        return endless.get(block);
    }

    /** Numbers the blocks and gives the last instruction of each. */
    private int[] split(MethodNode method) {
        InsnList code = method.instructions;
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < code.size(); i++) {
            blockOf[i] = found.size();
            AbstractInsnNode next = code.get(i).getNext();
            if (next == null || next instanceof LabelNode || isEnd(code.get(i))) {
                found.add(i);
            }
        }
        int[] all = new int[found.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = found.get(i);
        }
        return all;
    }

    private static boolean isEnd(AbstractInsnNode insn) {
        int op = insn.getOpcode();
        return insn instanceof JumpInsnNode || insn instanceof TableSwitchInsnNode
            || insn instanceof LookupSwitchInsnNode || op >= Opcodes.IRETURN && op <= Opcodes.RETURN
            || op == Opcodes.ATHROW;
    }

    private List<Integer> successors(InsnList code, int end) {
        AbstractInsnNode last = code.get(end);
        List<Integer> found = new ArrayList<>();
        int op = last.getOpcode();
        if (last instanceof JumpInsnNode jump) {
            add(found, code, jump.label);
            if (op != Opcodes.GOTO) {
                found.add(blockOf[end + 1]);
            }
        } else if (last instanceof TableSwitchInsnNode s) {
            add(found, code, s.dflt);
            for (LabelNode l : s.labels) {
                add(found, code, l);
            }
        } else if (last instanceof LookupSwitchInsnNode s) {
            add(found, code, s.dflt);
            for (LabelNode l : s.labels) {
                add(found, code, l);
            }
        } else if (!isEnd(last) && end + 1 < code.size()) {
            found.add(blockOf[end + 1]);
        } else {
            found.add(ends.length); // the method's end
        }
        return found;
    }

    private void add(List<Integer> found, InsnList code, LabelNode label) {
        int block = blockOf[code.indexOf(label)];
        if (!found.contains(block)) {
            found.add(block);
        }
    }

    private BitSet[] dependences() {
        BitSet[] after = postDominators();
        BitSet[] found = new BitSet[ends.length];
        for (int b = 0; b < ends.length; b++) {
            found[b] = new BitSet();
        }
        for (int b = 0; b < ends.length; b++) {
            if (successors.get(b).size() > 1) {
                for (int s : successors.get(b)) {
                    BitSet decided = (BitSet) after[s].clone();
                    BitSet always = (BitSet) after[b].clone();
                    always.clear(b);
                    decided.andNot(always);
                    for (int d = decided.nextSetBit(0); d >= 0 && d < ends.length; d = decided.nextSetBit(d + 1)) {
                        found[d].set(b);
                    }
                }
            }
        }
        return found;
    }

    /** For each block those that every way to the end passes, itself included. */
    private BitSet[] postDominators() {
        int exit = ends.length;
        markEndless(exit);
        BitSet[] after = new BitSet[exit + 1];
        for (int b = 0; b <= exit; b++) {
            after[b] = new BitSet();
            after[b].set(b == exit ? exit : 0, exit + 1);
        }
        for (boolean changed = true; changed;) {
            changed = false;
            for (int b = exit - 1; b >= 0; b--) {
                BitSet all = new BitSet();
                all.set(0, exit + 1);
                for (int s : successors.get(b)) {
                    all.and(after[s]);
                }
                all.set(b);
                if (!all.equals(after[b])) {
                    after[b] = all;
                    changed = true;
                }
            }
        }
        return after;
    }

    /** Blocks that never get to the end are given a way there, which makes the branch to them a decision. */
    private void markEndless(int exit) {
        BitSet ending = new BitSet();
        ending.set(exit);
        for (boolean changed = true; changed;) {
            changed = false;
            for (int b = exit - 1; b >= 0; b--) {
                for (int s : successors.get(b)) {
                    if (!ending.get(b) && ending.get(s)) {
                        ending.set(b);
                        changed = true;
                    }
                }
            }
        }
        for (int b = 0; b < exit; b++) {
            if (!ending.get(b)) {
                endless.set(b);
                successors.get(b).add(exit);
            }
        }
    }
}
