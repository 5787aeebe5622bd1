package harrier.runtime.codec.graph;

import harrier.Actor;
import harrier.Role;
import harrier.runtime.jdk.JdkFields;
import harrier.runtime.origin.Origin;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The fields of the objects of a class, with the names that encodings have for them. */
public final class Slots {
    private Slots() {}

    /** The fields that an encoding shows: those of superclasses first, without caches of the JDK's. */
    public static List<Slot> shown(Class<?> type) {
        return slots(type, null, true);
    }

    /** The fields that an encoding shows of those that a class adds to a superclass. */
    public static List<Slot> shown(Class<?> type, Class<?> superclass) {
        return slots(type, superclass, true);
    }

    /** The fields that an encoding shows of those that a class adds to its direct superclass. */
    public static List<Slot> own(Class<?> type) {
        return slots(type, type.getSuperclass(), true);
    }

    /** All fields of an object. */
    public static List<Slot> all(Class<?> type) {
        return slots(type, null, false);
    }

    /**
     * Names a field alone if no class above has one of its name, and else with its class. The program's own classes
     * come first in that, so that its fields have names that do not depend on what the JDK's superclasses hold.
     */
    private static List<Slot> slots(Class<?> type, Class<?> superclass, boolean shown) {
        List<Class<?>> chain = new ArrayList<>();
        for (Class<?> c = type; c != superclass && c != Actor.class; c = c.getSuperclass()) {
            chain.add(0, c);
        }
        Map<String, Class<?>> plain = new HashMap<>();
        for (boolean jdk : new boolean[] {false, true}) {
            chain.stream().filter(c -> Origin.isJdks(c) == jdk)
                .forEach(c -> fields(c, type, shown).forEach(f -> plain.putIfAbsent(f.getName(), c)));
        }
        List<Slot> slots = new ArrayList<>();
        for (Class<?> c : chain) {
            fields(c, type, shown).forEach(f -> slots.add(new Slot(f, plain.get(f.getName()) == c ? f.getName()
                : c.getName() + "." + f.getName())));
        }
        return slots;
    }

    /** The instance fields that a class in the hierarchy of a type declares; those that are shown, or all. */
    private static Stream<Field> fields(Class<?> c, Class<?> type, boolean shown) {
        // What a program's own list makes of modCount is its own; a harrier.Role makes nothing of it.
        boolean counts = c == AbstractList.class && !Origin.isJdks(type) && type != Role.class;
        return Arrays.stream(c.getDeclaredFields()).filter(f -> !Modifier.isStatic(f.getModifiers())
            && !(shown && !counts && JdkFields.isLeftOut(c, f.getName())));
    }
}
