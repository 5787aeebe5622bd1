package harrier.runtime.load.rewrite;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import harrier.runtime.UserProgram;
import harrier.runtime.load.ProgramLoader;
import harrier.runtime.load.compile.ProgramClasses;
import harrier.runtime.rules.Guard;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.After;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.util.CheckClassAdapter;
import org.objectweb.asm.util.Textifier;
import org.objectweb.asm.util.TraceClassVisitor;

/** Class files that compilers of several versions made of one source, which is beside them, are rewritten and run. */
public class RewritingTest {
    private static final List<Integer> VERSIONS = List.of(17, 21, 25);

    @After
    public void forget() {
        Guard.takeRefusal();
    }

    @Test
    public void rewrittenClassesAreValid() {
        for (int version : VERSIONS) {
            ProgramClasses sample = sample(version);
            ProgramLoader loader = UserProgram.loader(sample);
            ClassLoader types = version <= Runtime.version().feature() ? loader : null;
            for (Rewriting rewriting : List.of(new Rewriting(sample), new Rewriting(sample).withLines(), new Rewriting(sample, true))) {
                sample.bytes().forEach((name, bytes) -> {
                    StringWriter problems = new StringWriter();
                    LambdaRewrite.Rewritten rewritten = rewriting.rewrite(name, bytes); // which adds notes of the executed code
                    CheckClassAdapter.verify(new ClassReader(rewritten.bytes()), types, false, new PrintWriter(problems));
                    rewritten.lambdas().values().forEach(l ->
                        CheckClassAdapter.verify(new ClassReader(l), types, false, new PrintWriter(problems)));
                    assertEquals(version + " " + name, "", types == null ? "" : problems.toString());
                });
            }
        }
    }

    /** The virtual machine verifies what it loads, and each call does what it is to do. */
    @Test
    public void rewrittenClassesRun() throws Exception {
        for (int version : VERSIONS) {
            if (version <= Runtime.version().feature()) {
                ProgramLoader loader = UserProgram.loader(sample(version));
                loader.enter();
                for (String name : loader.classes().bytes().keySet()) {
                    Class.forName(name, true, loader);
                }
                Callable<?> sample = (Callable<?>) loader.loadClass("Sample").getDeclaredConstructor().newInstance();
                assertEquals(EXPECTED, sample.call());
            }
        }
    }

    private static final String EXPECTED = """
        time 0 0 0 1970-01-01
        made 0
        own 0
        Sample.call starts a thread where no actor runs (Sample.java:51): do so in the actor's constructor or start()
        Sample.call waits for a result (Sample.java:52): only steps of actors may wait
        donedone
        done
        Sample.call starts a thread where no actor runs (Sample.java:58): do so in the actor's constructor or start()
        here
        went
        done
        Sample.call starts a thread where no actor runs (Sample.java:63): do so in the actor's constructor or start()
        Sample.call calls Random.nextInt of a generator without a seed (Sample.java:65): draw from a java.util.Random with a \
        seed of your own, or take what is decided from choose(n); randomness=seed:N gives it a seed that is always the \
        same, unique:N one of each actor and draw, and choice:V1,V2 explores some in handlers (--allow)
        seeded 62
        Sample.call waits for time to pass (Sample.java:67): only steps of actors may wait
        Sample.call calls Collection.parallelStream (Sample.java:68): an actor is one sequential process: leave the \
        stream as it is; --allow threads=sequential-streams does
        kept 6 area 2.0 {a=1}
        end""";

    @Test
    public void nothingButCallsAndWritesIsChanged() {
        ProgramClasses plain = UserProgram.compile("""
            class Plain<T extends Comparable<T>> {
                static final int SIZE = 3;
                int sum(List<Integer> l) {
                    try { int sum = 0; for (int i : l) { sum += i; } return sum; } finally { l.clear(); }
                }
                T get(Map<String, T> m) { return m.get("key"); }
            }""");
        byte[] bytes = plain.bytes().get("Plain");

        assertEquals(code(bytes), code(new Rewriting(plain).rewrite(bytes).bytes()));
    }

    /** Before Java 5 there was no constant for a class. */
    @Test
    public void classesOfOldVersionsAreInitialized() throws Exception {
        ClassWriter old = new ClassWriter(0);
        old.visit(Opcodes.V1_4, Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER, "Old", null, "java/lang/Object", null);
        old.visitField(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "n", "I", null, null).visitEnd();
        MethodVisitor code = old.visitMethod(Opcodes.ACC_STATIC, "<clinit>", "()V", null, null);
        code.visitCode();
        code.visitInsn(Opcodes.ICONST_3);
        code.visitFieldInsn(Opcodes.PUTSTATIC, "Old", "n", "I");
        code.visitInsn(Opcodes.RETURN);
        code.visitMaxs(1, 0);
        code.visitEnd();
        old.visitEnd();
        ProgramLoader loader = UserProgram.loader(ProgramClasses.of(Map.of("Old", old.toByteArray())));
        loader.enter();
        assertEquals(3, Class.forName("Old", true, loader).getField("n").get(null));
    }

    @Test
    public void aClassWithAMissingSuperclassIsRewritten() {
        ProgramClasses classes = UserProgram.compile("class Base { void get() {} } class Sub extends Base {"
            + " void f() { get(); new Sub().get(); } }");
        classes = ProgramClasses.of(Map.of("Sub", classes.bytes().get("Sub")));

        assertTrue(new Rewriting(classes).rewrite(classes.bytes().get("Sub")).bytes().length > 0);
    }

    /** The sample as javac compiles it for a version of Java, which may be later than the one that runs. */
    private static ProgramClasses sample(int version) {
        Map<String, byte[]> classes = new HashMap<>();
        try (ZipInputStream jar = new ZipInputStream(
                RewritingTest.class.getResourceAsStream("/rewriting/sample-" + version + ".jar"))) {
            for (ZipEntry e = jar.getNextEntry(); e != null; e = jar.getNextEntry()) {
                if (e.getName().endsWith(".class")) {
                    byte[] bytes = jar.readAllBytes();
                    classes.put(new ClassReader(bytes).getClassName().replace('/', '.'), bytes);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ProgramClasses.of(classes);
    }

    /** The class as text, but for how much of the stack its methods may use. */
    private static List<String> code(byte[] bytes) {
        StringWriter text = new StringWriter();
        new ClassReader(bytes).accept(new TraceClassVisitor(null, new Textifier(), new PrintWriter(text)), 0);
        return text.toString().lines().filter(l -> !l.contains("MAXSTACK")).toList();
    }
}
