package harrier.runtime.load.rewrite;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import harrier.runtime.UserProgram;
import harrier.runtime.load.ProgramLoader;
import harrier.runtime.load.rewrite.CoveredMethod.Mark;
import java.lang.reflect.Constructor;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.junit.Test;

/** The executed code of a class, by the lines of its source. */
public class CoverageTest {
    private static final String SOURCE = """
        import java.util.function.*;
        class Covers implements java.util.concurrent.Callable<Object> {
            static int made = Integer.getInteger("none") == null ? 1 : 2;
            interface Shape { default int area(boolean b) {
                return b ? 1 : 2; } }
            enum Colour { RED, GREEN }
            record Square(int side) implements Shape {
                Square { if (side < 0) throw new IllegalArgumentException(); }
                @Override public int side() {
                    return side + 0; } }
            static class Base {
                final int n;
                Base(int n) { this.n = n > 3
                    ? n
                    : 3; } }
            static class Sub extends Base { Sub(Integer n) {
                super(n == null
                    ? 0 : n); } }
            public Object call() {
                int sum = 0;
                for (int i = 0; i < 3; i++) {
                    sum += i;
                }
                for (int i = 0; i < 0; i++) {
                    sum += 100;
                }
                long wide = 1;
                assert sum > 0
                    && wide == 1 : "sum "
                    + sum;
                switch (sum) {
                    case 3: sum++;
                    case 4: sum++; break;
                    case 1000: sum = 0; break;
                    default: sum = -1;
                }
                sum += switch (Colour.valueOf("RED")) { case RED -> 1; case GREEN -> 2; };
                sum += switch ("x" + sum) {
                    case "x6", "x7" -> 1;
                    case "none" -> 2;
                    default -> 3; };
                java.util.function.Supplier<Integer> run = () -> {
                    return 1; };
                Supplier<Integer> not = () -> {
                    return 2; };
                sum += run.get() + (not == null ? 1 : 0);
                try {
                    Object o = wide == 1 ? "text" : null;
                    ((Integer) o).toString();
                    sum = 0;
                } catch (ClassCastException e) {
                    sum++;
                } finally {
                    wide++;
                }
                return sum + new Sub(5).n + new Square(2).side() + new Square(1).area(sum > 0);
            }
        }
        """;

    /** Of each line with code how many of its branches were executed, of how many; "not" before that of one that was not. */
    private static Map<Integer, String> lines(Coverage coverage) {
        Map<Integer, int[]> counts = new TreeMap<>();
        for (CoveredMethod m : coverage.methods()) {
            for (Mark mark : m.marks()) {
                int[] of = counts.computeIfAbsent(mark.line(), l -> new int[3]);
                int executed = coverage.isExecuted(m, mark) ? 1 : 0;
                of[0] += mark.isBranch() ? 0 : executed;
                of[1] += mark.isBranch() ? executed : 0;
                of[2] += mark.isBranch() ? 1 : 0;
            }
        }
        return counts.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey,
            e -> (e.getValue()[0] == 0 ? "not " : "") + e.getValue()[1] + "/" + e.getValue()[2], (a, b) -> a, TreeMap::new));
    }

    @Test
    public void executedLinesAndBranchesAreMarked() throws Exception {
        ProgramLoader loader = UserProgram.loader(UserProgram.compile(SOURCE));
        loader.enter();
        Constructor<?> make = loader.loadClass("Covers").getDeclaredConstructor();
        make.setAccessible(true);
        Callable<?> covers = (Callable<?>) make.newInstance();
        covers.call();
        assertTrue(lines(loader.coverage()).values().stream().allMatch(l -> l.startsWith("not 0/")));

        byte[][] before = loader.covered().begin();
        covers.call();
        loader.covered().end(before);

        assertEquals("{2=not 0/0, 5=1/2, 6=not 0/0, 7=not 0/0, 8=1/2, 10=0/0, 13=1/2, 14=0/0, 15=not 0/0, 17=1/2, 18=0/0, 20=0/0, 21=2/2, "
            + "22=0/0, 24=1/2, 25=not 0/0, 27=0/0, 28=0/0, 31=1/4, 32=0/0, 33=0/0, 34=not 0/0, 35=not 0/0, 37=1/2, 38=1/3, 39=0/0, "
            + "40=not 0/0, 41=not 0/0, 42=0/0, 43=0/0, 44=0/0, 45=not 0/0, 46=1/2, 48=1/2, 49=0/0, 50=not 0/0, 51=0/0, 52=0/0, 54=0/0, "
            + "55=0/0, 56=1/2}", lines(loader.coverage()).toString());
    }
}
