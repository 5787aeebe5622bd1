package harrier.runtime.jdk;

import java.util.Set;
import org.objectweb.asm.Handle;

/** What a method outside of the program may do with the objects that it is given. */
public enum ExternalEffect {
    /** It holds or gives them, and calls functions that it is given. */
    NOTHING,
    /** It compares, sorts or prints them. */
    OBJECTS,
    /** It may call whatever functions it gets hold of. */
    FUNCTIONS,
    /** It may read their fields. */
    ALL;

    /** The methods that comparing, sorting and printing calls. */
    public static final Set<String> CALLED = Set.of("equals", "hashCode", "toString", "compareTo");

    /** What an instruction may do that calls code which it makes first: text, or the methods of a record. */
    public static ExternalEffect of(Handle maker) {
        return Set.of("java/lang/invoke/StringConcatFactory", "java/lang/runtime/ObjectMethods",
            "java/lang/runtime/SwitchBootstraps").contains(maker.getOwner()) ? OBJECTS : ALL;
    }

    /** Reports whether a method reads timers, tasks or the time. */
    public static boolean ofAgenda(String owner, String name) {
        return owner.equals("harrier/Actor") && !name.equals("self") && !CALLED.contains(name) && !name.equals("getClass")
            || owner.equals("harrier/Scenario") && name.equals("in") || owner.equals("harrier/EventLoop") || owner.equals("harrier/LogicalClock");
    }

    /** Reports whether a method reads the time without being given a clock. */
    public static boolean tellsTime(String owner, String name) {
        return owner.startsWith("java/time/") && name.equals("now") || owner.equals("java/util/Date")
            || name.equals("currentTimeMillis") || name.equals("nanoTime");
    }

    /** Reports whether the values of a class are functions that only those call who are given one as such. */
    public static boolean isFunction(String name) {
        return name.startsWith("java/util/function/") || name.equals("java/lang/Runnable")
            || name.equals("java/util/concurrent/Callable");
    }
}
