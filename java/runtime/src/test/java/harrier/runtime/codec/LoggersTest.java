package harrier.runtime.codec;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import harrier.runtime.UserProgram;
import harrier.runtime.load.ProgramLoader;
import harrier.runtime.origin.Loggers;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.Test;

/** Loggers of a library come back as what its factory gives; others of their kind are objects like others. */
public class LoggersTest {
    private static final String LOGGER = "package org.slf4j; public interface Logger { String getName(); }";
    private static final String FACTORY = """
        package org.slf4j;
        import java.util.*;
        public class LoggerFactory {
            private static class Named implements Logger {
                final String name; final Thread writer = Thread.currentThread(); final Map<String, Named> all = ALL;
                Named(String name) { this.name = name; }
                public String getName() { return name; }
            }
            private static final Map<String, Named> ALL = new HashMap<>();
            public static Logger getLogger(String name) { return ALL.computeIfAbsent(name, Named::new); }
        }""";
    private static final String USER = """
        import org.slf4j.*;
        class Own implements Logger { int lines = 3; public String getName() { return "own"; } }
        class User { Logger log = LoggerFactory.getLogger("user"); Logger own = new Own(); }""";

    @Test
    public void byName() throws Exception {
        UserProgram.prepare();
        Path folder = Files.createTempDirectory("harrier-test");
        UserProgram.write(folder, "org/slf4j/Logger.java", LOGGER);
        UserProgram.write(folder, "org/slf4j/LoggerFactory.java", FACTORY);
        UserProgram.write(folder, "User.java", USER);
        ProgramLoader loader = UserProgram.loader(UserProgram.read(folder));
        Constructor<?> maker = Class.forName("User", true, loader).getDeclaredConstructor();
        maker.setAccessible(true);
        Object user = maker.newInstance();
        Codec codec = new Codec(loader, loader::defined);

        Object copy = codec.decode(codec.encode(user));

        assertSame(get(user, "log"), get(copy, "log"));
        assertNotSame(get(user, "own"), get(copy, "own"));
        assertEquals(3, get(get(copy, "own"), "lines"));
    }

    @Test
    public void packages() {
        for (String name : List.of("org.slf4j.Logger", "org.slf4j.spi.A", "org.slf4j.bridge.a.B", "org.apache.commons.logging.Log",
                "org.apache.commons.logging.impl.A", "org.apache.log4j.A", "ch.qos.logback.classic.A", "org.jboss.logmanager.A")) {
            assertTrue(name, Loggers.has(name));
        }
        for (String name : List.of("A", "java.lang.String", "org.A", "org.slf4j.other.A", "org.slf4j.spiral.A", "org.apache.kafka.A",
                "org.apache.commons.logging.other.A", "ch.qos.logback.A", "ch.qos.A", "org.jboss.log.A", "org.zoo.A", "organ.A")) {
            assertFalse(name, Loggers.has(name));
        }
    }

    private static Object get(Object holder, String name) throws ReflectiveOperationException {
        Field field = holder.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(holder);
    }
}
