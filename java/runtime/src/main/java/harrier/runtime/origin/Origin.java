package harrier.runtime.origin;

import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Whose a class is. Where it is loaded, its loader and its module tell; names tell of frames of a stack and of classes that are not
 * loaded. Which of a program's classes are its own, and not a library's, {@code ProgramClasses.own} says.
 */
public final class Origin {
    private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();
    private static final ClassLoader HARRIERS = Origin.class.getClassLoader();
    private static final Pattern JDKS = Pattern.compile("^(java|sun|jdk)\\.");

    /** The name of the class loader of a program. */
    public static final String LOADER = "program";

    /** The protocol of the addresses of what a program finds beside classes on its class path. */
    public static final String RESOURCES = "resource";

    private Origin() {}

    /**
     * Reports whether a class is of the JDK's modules, or was made for them at run time, as proxies are for annotations
     * of its classes.
     */
    public static boolean isJdks(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null || loader == PLATFORM || type.getModule().getLayer() == ModuleLayer.boot();
    }

    /** Reports whether a class is loaded as harrier's API and runtime are. */
    public static boolean isHarriers(Class<?> type) {
        return type.getClassLoader() == HARRIERS;
    }

    /** Reports whether a class is of the program under check, or of a library that it uses. */
    public static boolean isPrograms(Class<?> type) {
        return !isJdks(type) && !isHarriers(type);
    }

    /** Reports whether a frame of a stack is of the JDK's code, by the name of its class. */
    public static boolean isJdks(String name) {
        return JDKS.matcher(name).find();
    }

    /** Reports whether a class has the name of one of harrier's. */
    public static boolean isHarriers(String name) {
        return name.startsWith("harrier.");
    }

    /** Reports whether a class is looked up in harrier's API, with the hooks that rewritten code calls, and nowhere else. */
    public static boolean isApi(String name) {
        String pack = packageOf(name);
        return pack.equals("harrier") || pack.equals("harrier.host");
    }

    /** Reports whether a class is a stand-in that each program with threads loads for itself, rewritten as its own are. */
    public static boolean isLeaving(String name) {
        return name.startsWith("harrier.host.leaving.");
    }

    /** Reports whether a class is of harrier's own, which programs never call by name: hooks, runtime, and the API's classes for it. */
    public static boolean isInternal(String name) {
        return name.startsWith("harrier.host.") || name.equals("harrier.Hosting") || name.equals("harrier.PropertyAnnotation")
            || isRuntime(name);
    }

    /** Reports whether a class is of harrier's runtime. */
    public static boolean isRuntime(String name) {
        return name.startsWith("harrier.runtime.");
    }

    /** The class of the JDK with a binary name, which this does not initialize; null if programs find none. */
    public static Class<?> jdkClass(String name) {
        try {
            return Class.forName(name, false, PLATFORM);
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }

    /** Reports whether programs find a class of the JDK by this binary name, which this does not load. */
    public static boolean hasJdkClass(String name) {
        return PLATFORM.getResource(name.replace('.', '/') + ".class") != null;
    }

    /** The packages of the JDK that runs. */
    public static Stream<String> jdkPackages() {
        return ModuleLayer.boot().modules().stream().flatMap(m -> m.getPackages().stream());
    }

    /** The package in the binary name of a class; empty if it is in none. */
    public static String packageOf(String name) {
        return name.substring(0, Math.max(0, name.lastIndexOf('.')));
    }
}
