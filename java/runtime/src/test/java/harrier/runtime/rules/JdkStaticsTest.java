package harrier.runtime.rules;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.runtime.UserProgram;
import harrier.runtime.actor.Envelope;
import harrier.runtime.codec.Codec;
import harrier.runtime.failure.RuleException;
import harrier.runtime.load.compile.ProgramClasses;
import harrier.runtime.program.LoadedProgram;
import harrier.runtime.program.Options;
import harrier.runtime.recheck.Recheck;
import harrier.runtime.refusal.Loading;
import harrier.runtime.rules.allow.Rules;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * A step that changes an object of the JDK to which a static field leads is refused, whatever kind of object it is. Each line of
 * kinds.txt is a field, what a step does, and, if it is not the change that is refused but a call, which one.
 */
public class JdkStaticsTest {
    private static final List<Kind> KINDS = kinds();
    private static final String PROGRAM = """
        import java.io.*; import java.lang.invoke.*; import java.lang.ref.*; import java.lang.reflect.*; import java.nio.*;
        import java.nio.charset.*; import java.text.*; import java.util.concurrent.*; import java.util.function.*;
        import java.util.stream.*;
        class Box {
            int value;
            int value() { return value; }
            static List<Integer> list() { return new ArrayList<>(List.of(1)); }
            static <T> T get(Callable<T> code) {
                try { return code.call(); } catch (Exception e) { throw new Error(e); }
            }
        }
        class A extends Actor {
            @Handler void on(Integer kind) throws Throwable { switch (kind) { case -1 -> { } CHANGES } }
        }
        class Start extends Scenario {
            protected void setUp() { INITS create("a", new A()); }
        }
        """;

    private static ProgramClasses classes;

    private record Kind(String field, String change, String refused) {
        String name() {
            return field.replaceFirst(" *=.*", "").replaceFirst(".* ", "");
        }
    }

    private static List<Kind> kinds() {
        try (InputStream in = JdkStaticsTest.class.getResourceAsStream("/statics/kinds.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().filter(line -> line.contains(";")).map(line -> {
                String[] parts = line.split(" // ");
                return new Kind(parts[0], parts[1], parts.length > 2 ? parts[2] : "");
            }).toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeClass
    public static void compile() {
        StringBuilder fields = new StringBuilder();
        StringBuilder changes = new StringBuilder();
        StringBuilder inits = new StringBuilder();
        for (int i = 0; i < KINDS.size(); i++) {
            String type = "S" + i;
            fields.append("class %s { static final %s static void change() throws Throwable { %s } static void init() { } }%n"
                .formatted(type, KINDS.get(i).field, KINDS.get(i).change));
            changes.append("case %d -> %s.change();%n".formatted(i, type));
            inits.append(type).append(".init(); ");
        }
        classes = UserProgram.compile(PROGRAM.replace("CHANGES", changes).replace("INITS", inits) + fields);
    }

    /** Steps of one program, which sees every field. */
    private static final class Run {
        private final LoadedProgram program;
        private final byte[] local;

        Run(ProgramClasses classes) {
            program = Loading.load(classes, "here", "", Map.of(), new Options(Recheck.NONE, false, Rules.STRICT));
            local = program.initial().creates().get(0).local();
            program.loader().enter();
        }

        void step(int does) {
            byte[] message = new Codec(program.loader()).encode(does);
            assertEquals(null, UserProgram.answer(program.steps(), local, new Envelope("", "a", message)).outcomes().get(0).failure());
        }
    }

    /** After each refusal, what the field leads to holds again what it did: the step after it is not refused. */
    @Test
    public void everyChangeIsRefused() {
        assertTrue("" + KINDS.size(), KINDS.size() > 100);
        Run run = new Run(classes);
        run.step(-1);
        for (int i = 0; i < KINDS.size(); i++) {
            Kind kind = KINDS.get(i);
            int number = i;
            String message = assertThrows(kind.toString(), RuleException.class, () -> run.step(number)).getMessage();
            String expected = kind.refused.isEmpty() ? "what the static field S" + i + "." + kind.name() + " holds changes" : kind.refused;
            assertTrue(kind + ": " + message, message.contains(expected));
            run.step(-1);
        }
    }

    @Test
    public void whatOnlyLooksIsNoChange() {
        List<String> looks = List.of("encoder.charset()", "weak.get()", "soft.get()", "traced.getStackTrace()", "field.getName()",
            "method.getAnnotations()", "bound.invoke()", "thread.getName()", "pool.isShutdown()", "zone.toZoneId()");
        List<Kind> kinds = looks.stream().map(look -> KINDS.stream()
            .filter(kind -> look.startsWith(kind.name() + ".")).findFirst().orElseThrow()).toList();
        StringBuilder fields = new StringBuilder();
        kinds.forEach(kind -> fields.append("static final ").append(kind.field).append('\n'));
        ProgramClasses looking = UserProgram.compile(PROGRAM.replace("CHANGES", "case 1 -> { Object o; "
            + String.join("", looks.stream().map(look -> "o = S." + look + ";").toList()) + "}").replace("INITS", "S.pool.hashCode();")
            + "class S { " + fields + " }");
        Run run = new Run(looking);
        for (int i = 0; i < 3; i++) {
            run.step(1);
        }
    }
}
