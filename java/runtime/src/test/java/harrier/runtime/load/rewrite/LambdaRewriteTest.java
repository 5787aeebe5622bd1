package harrier.runtime.load.rewrite;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.runtime.UserProgram;
import harrier.runtime.failure.Failure;
import harrier.runtime.load.ProgramLoader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.WrongMethodTypeException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.util.CheckClassAdapter;

/** Lambdas do what the virtual machine's own would, whatever they are made of, and have classes with names. */
public class LambdaRewriteTest {
    /** Calls every kind of lambda and method reference that javac makes, and lists what they give. */
    private static final String KINDS = """
        import java.util.function.*;
        import java.util.concurrent.Callable;
        class Kinds implements Callable<Object> {
            interface Three<A, B, C, R> { R apply(A a, B b, C c); }
            interface Text extends Function<String, String> { String apply(String s); }
            interface Marked extends java.io.Serializable, IntSupplier {}
            interface Maker {
                int base();
                default Supplier<Integer> plus(int n) { return () -> base() + n; }
                static IntUnaryOperator times(int n) { return x -> x * n; }
                default IntSupplier reference() { return this::base; }
            }
            static class Base {
                protected String hello(String name) { return "hello " + name; }
                private int secret = 7;
            }
            static class Derived extends Base {
                protected String hello(String name) { return "no"; }
                Function<String, String> upper() { return super::hello; }
            }
            class Inner { final int n; Inner(int n) { this.n = n; } int sum() { return n + field; } }
            private int field = 5;
            private int own(int n) { return n + field; }
            private static long stat(long a, Integer b) { return a - b; }
            private Kinds() {}
            static int varargs(int... all) { return all.length; }
            static IntUnaryOperator $sum$of(int n) { return x -> x + n; }

            public Object call() {
                List<Object> out = new ArrayList<>();
                int captured = 40; long wide = 1L << 40; double real = 0.5; boolean yes = true; char c = 'c';
                out.add(((Supplier<Object>) () -> captured + wide + real + (yes ? c : 0)).get());
                out.add(((IntSupplier) () -> field).getAsInt());
                out.add(((IntUnaryOperator) this::own).applyAsInt(2));
                out.add(((Function<Integer, Integer>) this::own).apply(3));
                out.add(((ToLongBiFunction<Integer, Integer>) Kinds::stat).applyAsLong(9, 2));
                out.add(((BiFunction<Long, Integer, Long>) Kinds::stat).apply(9L, 2));
                out.add(((Function<String, Integer>) String::length).apply("four"));
                out.add(((ToDoubleFunction<String>) String::length).applyAsDouble("four"));
                out.add(((Supplier<Integer>) "bound"::length).get());
                out.add(((Function<Integer, Inner>) Inner::new).apply(1).sum());
                out.add(((IntFunction<Inner>) Inner::new).apply(2).sum());
                out.add(((IntFunction<int[][]>) int[][]::new).apply(2).length);
                out.add(((Function<int[], int[]>) int[]::clone).apply(new int[] {1}).length);
                out.add(((Supplier<List<String>>) ArrayList::new).get());
                out.add(new Derived().upper().apply("up"));
                out.add(((Function<Object, String>) Object::toString).apply("text"));
                out.add(((ToIntFunction<Inner>) Inner::sum).applyAsInt(new Inner(4)));
                out.add($sum$of(3).applyAsInt(4));
                Maker maker = () -> 11;
                out.add(maker.plus(2).get());
                out.add(Maker.times(3).applyAsInt(5));
                out.add(maker.reference().getAsInt());
                out.add(((Three<Integer, Long, String, String>) (a, b, s) -> a + b + s).apply(1, 2L, "x"));
                Text text = s -> s + s;
                out.add(((Function<String, String>) text).apply("ab"));
                out.add(((Marked & Comparable<String>) null) == null);
                Marked marked = () -> 8;
                out.add(marked.getAsInt() + " " + (marked instanceof java.io.Serializable));
                Runnable both = (Runnable & java.io.Serializable) () -> out.add("ran");
                both.run();
                Supplier<Supplier<Integer>> nested = () -> () -> captured + field;
                out.add(nested.get().get());
                out.add(((IntFunction<Integer>) Integer::valueOf).apply(3));
                out.add(((Function<Integer, Number>) n -> n).apply(3));
                out.add(((IntToLongFunction) n -> n).applyAsLong(3));
                out.add(((Supplier<Integer>) Kinds::varargs).get());
                Consumer<String> ignored = String::length;
                ignored.accept("x");
                List.of("b", "a").stream().sorted(Comparator.comparing(String::length).thenComparing(s -> s)).forEach(out::add);
                out.add(new Base().secret);
                Predicate<String> p = String::isEmpty;
                out.add(p.negate().or(s -> s.length() > 3).test(""));
                DoubleUnaryOperator sq = Math::sqrt;
                out.add(sq.applyAsDouble(16));
                BooleanSupplier t = () -> true;
                out.add(t.getAsBoolean());
                Function<Character, Integer> widened = Character::getNumericValue;
                out.add(widened.apply('7'));
                return out.toString();
            }
        }""";

    private static final String EXPECTED = "[1.0995116279155E12, 5, 7, 8, 7, 7, 4, 4.0, 5, 6, 7, 2, 1, [], hello up, text, "
        + "9, 7, 13, 15, 11, 3x, abab, true, 8 true, ran, 45, 3, 3, 3, 0, a, b, 7, false, 4.0, true, 7]";

    @Test
    public void allKindsDoWhatTheyDid() throws Exception {
        UserProgram program = new UserProgram(KINDS);

        assertEquals(EXPECTED, ((Callable<?>) program.make("Kinds")).call());
    }

    @Test
    public void rewrittenClassesAndTheirLambdasAreValid() {
        UserProgram program = new UserProgram(KINDS);
        for (byte[] bytes : program.loader().classes().bytes().values()) {
            LambdaRewrite.Rewritten rewritten = LambdaRewrite.rewrite(bytes);
            verify(program, rewritten.bytes());
            rewritten.lambdas().values().forEach(lambda -> verify(program, lambda));
        }
    }

    /** Arguments and results, each of a primitive type or its wrapper, become every type that Java lets them become. */
    @Test
    public void valuesAreConvertedToEveryTypeThatJavaAllows() throws Exception {
        List<Class<?>> order = List.of(byte.class, short.class, char.class, int.class, long.class, float.class,
            double.class, boolean.class);
        StringBuilder code = new StringBuilder();
        StringBuilder calls = new StringBuilder();
        int pairs = 0;
        for (Class<?> from : order) {
            for (Class<?> to : order) {
                String wrapper = MethodType.methodType(from).wrap().returnType().getSimpleName();
                List<String> allowed = new ArrayList<>(); // source and target
                if (from == to) {
                    allowed.addAll(List.of(from + " " + to, wrapper + " " + to, from + " " + wrapper, wrapper + " " + wrapper,
                        from + " Object", wrapper + " Object"));
                } else if (widens(from, to)) {
                    allowed.addAll(List.of(from + " " + to, wrapper + " " + to));
                }
                for (String pair : allowed) {
                    String a = pair.split(" ")[0];
                    String b = pair.split(" ")[1];
                    String value = from == boolean.class ? "true" : "(" + from + ") 65";
                    code.append("interface I%d { %s of(%s x); }%n".formatted(pairs, b, a))
                        .append("static %s takes%d(%s x) { return x; }%n".formatted(b, pairs, b))
                        .append("static %s gives%d(%s x) { return x; }%n".formatted(a, pairs, a));
                    for (String method : List.of("takes", "gives")) {
                        calls.append("{ %s x = %s; %s y = x; I%d f = C::%s%d; Object z = y; if (!z.equals(f.of(x)))"
                            .formatted(a, value, b, pairs, method, pairs))
                            .append(" throw new AssertionError(\"%s %s\"); }%n".formatted(method, pair));
                    }
                    pairs++;
                }
            }
        }
        UserProgram program = new UserProgram("class C implements java.util.concurrent.Callable<Object> {\n" + code
            + "public Object call() {\n" + calls + "return \"all\"; } }");

        assertEquals("all", ((Callable<?>) program.make("C")).call());
        assertEquals(8 * 6 + 19 * 2, pairs);
    }

    /** Whether a primitive type is one that Java widens to another without a cast. */
    private static boolean widens(Class<?> from, Class<?> to) {
        try {
            MethodHandles.identity(to).asType(MethodType.methodType(to, from));
            return true;
        } catch (WrongMethodTypeException e) {
            return false;
        }
    }

    private static void verify(UserProgram program, byte[] bytes) {
        StringWriter problems = new StringWriter();
        CheckClassAdapter.verify(new ClassReader(bytes), program.loader(), false, new PrintWriter(problems));
        assertEquals("", problems.toString());
    }

    @Test
    public void aClassHasANameThatAnotherLoaderFinds() throws Exception {
        UserProgram program = new UserProgram("""
            class Maker { Object make(int n) { Runnable r = () -> { if (n > 3) throw new IllegalStateException(); }; return r; } }
            class Call implements java.util.function.Supplier<Object> { public Object get() { return new Maker().make(4); } }""");
        Object lambda = ((Supplier<?>) program.make("Call")).get();
        assertEquals("Maker$make_lambda0", lambda.getClass().getName());

        ProgramLoader other = UserProgram.loader(program.loader().classes());
        Class<?> again = Class.forName("Maker$make_lambda0", true, other);
        assertNotSame(lambda.getClass(), again);
        assertSame(other, again.getClassLoader());
        assertThrows(ClassNotFoundException.class, () -> other.loadClass("Maker$make_lambda1"));
        assertThrows(ClassNotFoundException.class, () -> other.loadClass("Nobody$make_lambda1"));
        assertThrows(ClassNotFoundException.class, () -> other.loadClass("_lambda"));
    }

    @Test
    public void oneThatCapturesNothingIsMadeOnce() throws Exception {
        UserProgram program = new UserProgram("""
            class Twice implements java.util.concurrent.Callable<Object> {
                static Runnable none() { return () -> { }; }
                static Runnable some(int n) { return () -> { int m = n; }; }
                public Object call() { return (none() == none()) + " " + (some(1) == some(1)); }
            }""");
        assertEquals("true false", ((Callable<?>) program.make("Twice")).call());
    }

    @Test
    public void failuresShowWhatTheAuthorWrote() {
        UserProgram program = new UserProgram("""
            class Fails implements Runnable {
                int n;
                public void run() {
                    Runnable r = () -> { n = 1 / n; };
                    r.run();
                }
            }
            class Refers implements Runnable {
                public void run() {
                    java.util.function.Function<String, Integer> f = Integer::parseInt;
                    f.apply("x");
                }
            }""");
        assertEquals(List.of("Fails.lambda$run$0(Program.java:4)", "Fails.run(Program.java:5)"),
            stack(program, "Fails").subList(0, 2));
        List<String> stack = stack(program, "Refers");
        assertTrue(stack.toString(), stack.contains("Refers.lambda$run$ref0(Program.java:10)"));
        assertFalse(stack.toString(), stack.toString().contains("_lambda"));
    }

    private static List<String> stack(UserProgram program, String type) {
        Runnable runs = (Runnable) program.make(type);
        return Failure.of(assertThrows(RuntimeException.class, runs::run)).stack();
    }
}
