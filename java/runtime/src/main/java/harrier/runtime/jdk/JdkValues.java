package harrier.runtime.jdk;

import java.util.Set;

/** The classes of the JDK and the API whose values the analysis need not look into; internal names. */
public final class JdkValues {
    /** Those whose objects never change and hold nothing that does. */
    private static final Set<String> VALUES = Set.of("java/lang/String", "java/lang/Boolean", "java/lang/Byte",
        "java/lang/Short", "java/lang/Character", "java/lang/Integer", "java/lang/Long", "java/lang/Float",
        "java/lang/Double", "java/lang/Class", "java/math/BigInteger", "java/math/BigDecimal", "java/util/UUID",
        "java/time/Duration", "java/time/Instant", "java/time/LocalDate", "java/time/LocalTime",
        "java/time/LocalDateTime", "harrier/ActorName");
    /** Those of them whose objects have a natural order. */
    private static final Set<String> ORDERED = Set.of("java/lang/String", "java/lang/Boolean", "java/lang/Byte",
        "java/lang/Short", "java/lang/Character", "java/lang/Integer", "java/lang/Long", "java/lang/Float",
        "java/lang/Double", "java/math/BigInteger", "java/util/UUID", "java/time/Duration", "java/time/Instant");

    private JdkValues() {}

    /** Reports whether the objects of a class never change, and hold nothing that does. */
    public static boolean is(String name) {
        return VALUES.contains(name);
    }

    /** Reports whether the objects of a class are such, and have a natural order. */
    public static boolean isOrdered(String name) {
        return ORDERED.contains(name);
    }
}
