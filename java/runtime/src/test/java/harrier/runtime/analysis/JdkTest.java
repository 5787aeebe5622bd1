package harrier.runtime.analysis;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.Test;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/** The table of the JDK's methods says no less than their bytecode. */
public class JdkTest {
    /** A stage of a pipeline changes as the next one is made, and is no actor's state. What it does to its source is in its functions. */
    private static final Set<String> STREAMS = Set.of("java/util/stream/BaseStream", "java/util/stream/Stream",
        "java/util/stream/IntStream", "java/util/stream/LongStream", "java/util/stream/DoubleStream", "java/util/stream/Collectors");
    private static final Set<String> STREAMING = Set.of("stream()", "parallelStream()", "spliterator()");
    /** A copy is written to as it is made, and String.format prints to a text of its own: the flow does not tell these from what they get. */
    private static final Set<String> MAKING = Set.of("clone()", "format(Ljava/lang/String;[Ljava/lang/Object;)",
        "format(Ljava/util/Locale;Ljava/lang/String;[Ljava/lang/Object;)");

    /** How many lines were compared with methods. */
    private int compared;

    @Test
    public void linesSayNoLessThanBytecode() throws IOException {
        assertEquals(List.of(), wrong(FileSystems.getFileSystem(URI.create("jrt:/"))));
        assertTrue(compared + " comparisons", compared > 3000);
    }

    private List<String> wrong(FileSystem jrt) throws IOException {
        JdkBytecode jdk = new JdkBytecode(jrt.getPath("/modules"));
        List<String> wrong = new ArrayList<>();
        for (Map.Entry<String, String> lines : Jdk.lines().entrySet()) {
            String type = lines.getKey();
            ClassNode node = type.startsWith("harrier/") || STREAMS.contains(type) ? null : jdk.node(type);
            for (String key : node == null ? new String[0] : lines.getValue().replaceAll("(?m)^\\S+", "").trim().split("\\s+")) {
                if (!STREAMING.contains(key) && !MAKING.contains(key) && !key.startsWith("<init>")) {
                    compare(jdk, node, key, wrong);
                }
            }
        }
        return wrong;
    }

    /** The parameters that are arrays: of a method that changes its object, the others become part of it, and are not told from it. */
    private static long arrays(String key) {
        Type[] types = Type.getArgumentTypes(key.substring(key.indexOf('(')) + "V");
        long found = 0;
        for (int i = 0; i < types.length; i++) {
            found |= types[i].getSort() == Type.ARRAY ? 2L << i : 0;
        }
        return found;
    }

    /** The parameters that are functions: CodeEffects counts what these change. */
    private static long functions(String key, boolean isStatic) {
        Type[] types = Type.getArgumentTypes(key.substring(key.indexOf('(')) + "V");
        long found = 0;
        for (int i = 0; i < types.length; i++) {
            boolean isFunction = types[i].getSort() == Type.OBJECT && Seeing.isFunction(types[i].getInternalName());
            found |= isFunction ? (isStatic ? 1L : 2L) << i : 0;
        }
        return found;
    }

    private void compare(JdkBytecode jdk, ClassNode type, String key, List<String> wrong) {
        Jdk.Method line = Jdk.of(type.name, key.substring(0, key.indexOf('(')), key.substring(key.indexOf('(')) + "V");
        MethodNode declared = jdk.method(type.name, key);
        boolean isStatic = declared != null && (declared.access & Opcodes.ACC_STATIC) != 0;
        long allowed = line.does() != Jdk.Deed.CHANGES ? functions(key, isStatic) : line.changesItself() ? ~arrays(key) : -1;
        for (String c : isStatic ? List.of(type.name) : jdk.concrete(type.name)) {
            MethodNode m = isStatic ? declared : jdk.method(c, key);
            if (m != null) {
                compared++;
                JdkBytecode.Writes found = jdk.writes(c, m);
                if ((found.parameters() & ~allowed) != 0) {
                    wrong.add(type.name + "." + key + " of " + c + ": " + found.where());
                }
            }
        }
    }
}
