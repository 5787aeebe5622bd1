package harrier.runtime.codec;

import harrier.Actor;
import harrier.ActorName;
import harrier.Role;
import harrier.Scenario;
import harrier.host.Lambda;
import harrier.runtime.jdk.JdkFields;
import harrier.runtime.origin.Origin;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The plans of all classes, by class and by name. Safe for use by several threads. */
final class Plans {
    private static final int NAMES = 1024;

    final Constants constants;
    /** Whether actors may share with static final fields what could change: no step may change that. */
    final boolean areConstantsShared;
    /** How collections without order were sorted, by how many elements they have. Threads may overwrite each other's. */
    final Unordered.Sorting[] sortings = new Unordered.Sorting[64];
    final Text text = new Text();
    private final ClassLoader users;
    private final ClassValue<Plan> plans = new ClassValue<>() {
        @Override
        protected Plan computeValue(Class<?> type) {
            return plan(type);
        }
    };
    /** The values that a class of the JDK keeps in static final fields, such as {@code Duration.ZERO}, by their bytes. */
    private final ClassValue<Map<Merging.Key, Object>> ofJdk = new ClassValue<>() {
        @Override
        protected Map<Merging.Key, Object> computeValue(Class<?> type) {
            Map<Merging.Key, Object> values = new HashMap<>();
            for (Field field : type.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) && Modifier.isFinal(field.getModifiers()) && field.getType() == type) {
                    Object value = Constants.get(field);
                    byte[] bytes = value == null ? null : bytes(value);
                    if (bytes != null) {
                        values.put(new Merging.Key(bytes), value);
                    }
                }
            }
            return values;
        }
    };
    /** Recently met names of classes by a hash of their bytes. Threads may overwrite each other's. */
    private final Name[] names = new Name[NAMES];
    private final Map<String, Class<?>> classes = new ConcurrentHashMap<>();

    Plans(ClassLoader users, Constants constants, boolean areConstantsShared) {
        this.users = users;
        this.constants = constants;
        this.areConstantsShared = areConstantsShared;
        for (Class<?> primitive : List.of(void.class, boolean.class, byte.class, short.class, int.class, long.class,
                char.class, float.class, double.class)) {
            classes.put(primitive.getName(), primitive);
        }
    }

    Plan of(Class<?> type) {
        return plans.get(type);
    }

    /** The values that a class keeps in static final fields, by their bytes, if it is the JDK's. */
    Map<Merging.Key, Object> constantsOfJdk(Class<?> type) {
        return Origin.isJdks(type) ? ofJdk.get(type) : Map.of();
    }

    /** The bytes of a value; null if there are none, or something in it has an identity. */
    byte[] bytes(Object value) {
        try {
            return new Encoder(this, Tag.DEEPEST).encodeValue(value);
        } catch (NotCapturableException | StackOverflowError e) {
            return null;
        }
    }

    /** The bytes of all that a value holds; null if there are none. */
    byte[] content(Object value) {
        try {
            return new Encoder(this, Tag.DEEPEST).encodeContent(value);
        } catch (NotCapturableException | StackOverflowError e) {
            return null;
        }
    }

    /** The plan of the class with the given name, if the name was met lately. */
    Plan named(byte[] bytes, int start, int end) {
        Name name = names[place(bytes, start, end)];
        return name != null && Arrays.equals(name.bytes, 0, name.bytes.length, bytes, start, end) ? name.plan : null;
    }

    /** The plan of the class with the given name, which {@link #named} finds from now on. */
    Plan learn(String className, byte[] bytes, int start, int end, Input in) {
        Plan plan = of(resolve(className, in));
        names[place(bytes, start, end)] = new Name(Arrays.copyOfRange(bytes, start, end), plan);
        return plan;
    }

    /** The plan of the arrays with this type of component. */
    Plan arrayOf(String component, Input in) {
        return of(resolve(component, in).arrayType());
    }

    /** The class with this name. */
    Class<?> resolve(String name, Input in) {
        try {
            return resolve(name);
        } catch (ClassNotFoundException | LinkageError e) {
            throw in.bad("no class " + name);
        }
    }

    private Class<?> resolve(String name) throws ClassNotFoundException {
        Class<?> known = classes.get(name);
        if (known == null) {
            known = JdkLambdas.find(name);
        }
        if (known == null) {
            known = Class.forName(name, false, users);
            classes.put(name, known);
        }
        return known;
    }

    private String nameOf(Class<?> type) {
        if (ProxyPlan.isNameless(type)) {
            throw new IllegalStateException(ProxyPlan.NAMELESS);
        }
        if (!finds(type)) {
            throw new IllegalStateException("it is no class of the program under check, but " + type.getName());
        }
        return type.getName();
    }

    private Class<?> byName(String name) {
        try {
            return resolve(name);
        } catch (ClassNotFoundException | LinkageError e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Names end differently more often than they begin differently. */
    private static int place(byte[] bytes, int start, int end) {
        int h = end - start;
        for (int i = Math.max(start, end - 12); i < end; i++) {
            h = h * 31 + bytes[i];
        }
        return (h ^ h >>> 10) & NAMES - 1;
    }

    /** The bytes of a class's name, and its plan. */
    private record Name(byte[] bytes, Plan plan) {}

    private Plan plan(Class<?> type) {
        if (type.isHidden()) {
            return JdkLambdas.has(type) ? JdkLambdas.plan(type)
                : new Plan.Refused(type, "it has no name; use a class with a name");
        }
        if (type == Class.class) {
            return new PartsPlan<>(Class.class, Tag.RECORD, List.of("name"), c -> new Object[] {nameOf(c)},
                name -> byName((String) name[0]));
        }
        if (type == Proxy.class || Proxy.isProxyClass(type)) {
            return ProxyPlan.of(type, users);
        }
        if (ProxyPlan.isNameless(type)) {
            return new Plan.Refused(Proxy[].class, ProxyPlan.NAMELESS);
        }
        if (type.isArray()) {
            return type == byte[].class ? new BytesPlan() : new ArrayPlan(type);
        }
        if (Enum.class.isAssignableFrom(type) && type != Enum.class) {
            return type.isEnum() && type.getSuperclass() == Enum.class ? new EnumPlan(type) : of(type.getSuperclass());
        }
        if (Origin.isJdks(type)) {
            Plan plan = Jdk.plan(type);
            Plan logger = plan != null ? plan : LoggerPlan.of(type, null);
            return logger != null ? logger : new Plan.Refused(type, Jdk.mend(type));
        }
        Plan plan = usersPlan(type);
        Plan logger = LoggerPlan.of(type, Loggers.has(type.getName()) ? null : plan);
        return logger != null ? logger : plan;
    }

    private Plan usersPlan(Class<?> type) {
        if (Scenario.class.isAssignableFrom(type)) {
            return new Plan.RefusedScenario(type);
        }
        if (type == ActorName.class || !finds(type)) {
            return new Plan.Refused(type, "it is not a class of the program under check; keep it out of the actor's state");
        }
        Class<?> collection = Jdk.collectionBelow(type);
        if (collection != null) {
            return new InheritedPlan(type, collection, slots(type, collection));
        }
        for (Class<?> s = type.getSuperclass(); s != null; s = s.getSuperclass()) {
            if (Origin.isJdks(s) && !Jdk.isOpen(s)) {
                return new Plan.Refused(type, "it extends " + s.getName() + "; keep it out of the actor's state");
            }
        }
        if (Lambda.class.isAssignableFrom(type)) {
            return lambda(type);
        }
        if (Actor.class.isAssignableFrom(type)) {
            return new FieldsPlan(type, Tag.ACTOR, slots(type));
        }
        // A role cannot change either.
        boolean isValue = type.isRecord() || type == Role.class;
        return new FieldsPlan(type, isValue ? Tag.RECORD : Tag.OBJECT, slots(type));
    }

    /** The plan of a lambda of the program: there is one of it if it captures nothing, and else one each time that it is made. */
    private static Plan lambda(Class<?> type) {
        List<Slot> captured = slots(type);
        if (captured.isEmpty()) {
            Slot.UNSAFE.ensureClassInitialized(type);
            return PartsPlan.only(type, Constants.get(type.getDeclaredFields()[0]));
        }
        return new FieldsPlan(type, Tag.OBJECT, captured);
    }

    /** Whether the program finds a class by its name. */
    boolean finds(Class<?> type) {
        try {
            return resolve(type.getName()) == type;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    /** The fields that an encoding shows: those of superclasses first, without caches of the JDK's. */
    static List<Slot> slots(Class<?> type) {
        return slots(type, null, true);
    }

    /** The fields that an encoding shows of those that a class adds to a superclass. */
    static List<Slot> slots(Class<?> type, Class<?> superclass) {
        return slots(type, superclass, true);
    }

    /** The fields that an encoding shows of those that a class adds to its direct superclass. */
    static List<Slot> ownSlots(Class<?> type) {
        return slots(type, type.getSuperclass(), true);
    }

    /** All fields of an object. */
    static List<Slot> allSlots(Class<?> type) {
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
