package harrier.runtime.load.rewrite;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import harrier.runtime.UserProgram;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;

/** Records are equal, and have the hash codes, as the virtual machine would have it. */
public class RecordRewriteTest {
    private static final String RECORDS = """
        record None() {}
        record All(boolean z, byte b, char c, short s, int i, long l, float f, double d, Object o, String t, int[] a, All next) {}
        record Own(int i) { public int hashCode() { return 7; } }
        record Pair<T>(T one, T two) {
            record Inner(Pair<String> pair) {}
        }
        class Compare implements java.util.concurrent.Callable<Object> {
            public Object call() {
                int[] array = null;
                All all = new All(true, (byte) 1, 'c', (short) 2, 3, 4L << 40, 0.5f, 0.25, "o", "t", array, null);
                List<Object> values = List.of(new None(), new None(), all,
                    new All(true, (byte) 1, 'c', (short) 2, 3, 4L << 40, 0.5f, 0.25, "o", "t", array, null),
                    new All(false, (byte) 1, 'c', (short) 2, 3, 4L << 40, 0.5f, 0.25, "o", "t", array, null),
                    new All(true, (byte) -1, 'c', (short) 2, 3, 4L << 40, 0.5f, 0.25, "o", "t", array, null),
                    new All(true, (byte) 1, 'd', (short) 2, 3, 4L << 40, 0.5f, 0.25, "o", "t", array, null),
                    new All(true, (byte) 1, 'c', (short) -2, 3, 4L << 40, 0.5f, 0.25, "o", "t", array, null),
                    new All(true, (byte) 1, 'c', (short) 2, -3, 4L << 40, 0.5f, 0.25, "o", "t", array, null),
                    new All(true, (byte) 1, 'c', (short) 2, 3, 4L, 0.5f, 0.25, "o", "t", array, null),
                    new All(true, (byte) 1, 'c', (short) 2, 3, 4L << 40, 0.0f, 0.25, "o", "t", array, null),
                    new All(true, (byte) 1, 'c', (short) 2, 3, 4L << 40, -0.0f, 0.25, "o", "t", array, null),
                    new All(true, (byte) 1, 'c', (short) 2, 3, 4L << 40, 0.5f, Double.NaN, "o", "t", array, null),
                    new All(true, (byte) 1, 'c', (short) 2, 3, 4L << 40, 0.5f, Double.NaN, "o", "t", array, null),
                    new All(true, (byte) 1, 'c', (short) 2, 3, 4L << 40, 0.5f, 0.25, null, "t", array, null),
                    new All(true, (byte) 1, 'c', (short) 2, 3, 4L << 40, 0.5f, 0.25, "o", null, array, null),
                    new All(true, (byte) 1, 'c', (short) 2, 3, 4L << 40, 0.5f, 0.25, "o", "t", array, all),
                    new Own(1), new Own(1), new Own(2), new Pair<>(1, null), new Pair<>(1, null), new Pair<>(null, 1),
                    new Pair.Inner(new Pair<>("a", "b")), new Pair.Inner(new Pair<>("a", new String("b"))), "another");
                StringBuilder out = new StringBuilder();
                for (Object one : values) {
                    out.append(one.hashCode()).append(' ').append(one).append(' ').append(one.equals(null));
                    values.forEach(other -> out.append(one.equals(other) ? '=' : '-'));
                    out.append(System.lineSeparator());
                }
                return out.toString();
            }
        }""";

    @Test
    public void recordsAreEqualAsBefore() throws Exception {
        UserProgram program = new UserProgram(RECORDS);
        Map<String, byte[]> files = program.loader().classes().bytes();
        Constructor<?> plain = new ClassLoader(getClass().getClassLoader()) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                byte[] file = files.get(name);
                if (file == null) {
                    throw new ClassNotFoundException(name);
                }
                return defineClass(name, file, 0, file.length);
            }
        }.loadClass("Compare").getDeclaredConstructor();
        plain.setAccessible(true);

        assertEquals(((Callable<?>) plain.newInstance()).call(), ((Callable<?>) program.make("Compare")).call());
        assertTrue(isComposed(files.get("All")));
        assertFalse(isComposed(new Rewriting(program.loader().classes()).rewrite(files.get("All")).bytes()));
    }

    /** Whether the virtual machine is left to compose equals or hashCode. */
    private static boolean isComposed(byte[] file) {
        ClassNode node = new ClassNode();
        new ClassReader(file).accept(node, 0);
        return node.methods.stream().filter(m -> !m.name.equals("toString")).flatMap(m -> Arrays.stream(m.instructions.toArray()))
            .anyMatch(InvokeDynamicInsnNode.class::isInstance);
    }
}
