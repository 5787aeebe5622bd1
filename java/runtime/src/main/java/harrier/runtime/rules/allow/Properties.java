package harrier.runtime.rules.allow;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** What kinds of system properties there are. */
public final class Properties {
    /** What has all of it answered as if nothing was set. */
    public static final String ALLOW = "environment=fixed";

    public static final String MEND = "hand the actor what it needs to know of the machine, as a @Parameter of the scenario for"
        + " instance; --allow environment=fixed answers as if nothing was set, on one processor";

    /** The same wherever a program runs, for one Java. */
    private static final Set<String> CONSTANT = Set.of("line.separator", "file.separator", "path.separator",
        "file.encoding", "native.encoding", "sun.jnu.encoding", "user.timezone", "user.language", "user.country",
        "user.variant", "user.script");
    private static final Set<String> VARYING = Set.of("java.vm.info", "java.vm.compressedOopsMode", "java.home", "java.io.tmpdir", "java.class.path",
        "java.library.path", "java.ext.dirs", "jdk.module.path", "java.command", "java.pid");

    /** What programs that may ask are told of properties that each Java has: the same on all machines. */
    private static final Map<String, String> FIXED = Map.of("os.name", "Linux", "os.arch", "amd64", "os.version", "1",
        "user.name", "user", "user.home", "/home/user", "user.dir", "/", "java.home", "/java", "java.io.tmpdir", "/tmp",
        "java.class.path", "", "java.library.path", "");

    /** How a property depends on the machine. */
    public enum Kind {
        /** It is what it is. */
        CONSTANT,
        /** It says where the program runs. */
        VARIES,
        /** It is a setting that nobody makes for a check. */
        UNSET
    }

    private Properties() {}

    /** Those that are constant here and may be others on another machine with the same Java. */
    public static List<String> constants() {
        return CONSTANT.stream().sorted().map(name -> name + "=" + System.getProperty(name)).toList();
    }

    /** What a property that varies is said to be; null if it is said not to be set. */
    public static String fixed(String name) {
        return FIXED.get(name);
    }

    /** All that are set: those that each Java has, and those that rules set. */
    public static java.util.Properties all(Rules rules) {
        java.util.Properties all = new java.util.Properties();
        System.getProperties().stringPropertyNames().stream().filter(name -> kind(name) == Kind.CONSTANT)
            .forEach(name -> all.setProperty(name, System.getProperty(name)));
        all.putAll(FIXED);
        all.putAll(rules.properties());
        return all;
    }

    public static Kind kind(String name) {
        if (VARYING.contains(name) || name.startsWith("os.") || name.startsWith("user.") && !CONSTANT.contains(name)
                || name.startsWith("sun.") || name.startsWith("harrier.")) {
            return Kind.VARIES;
        }
        return CONSTANT.contains(name) || name.startsWith("java.") ? Kind.CONSTANT : Kind.UNSET;
    }
}
