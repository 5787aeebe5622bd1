package harrier.runtime.analysis.flow;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.StringTokenizer;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Methods of the JDK and the API that are known to be <em>total</em>: they end, they throw nothing for
 * any state of their object, and they change at most their object. What else they need of their
 * arguments is noted with each. All other methods may do anything to their arguments.
 *
 * <p>In the tables {@code O} stands for Object, {@code S} for String, {@code F} for a functional
 * interface. After the parameters: {@code +} the object changes; {@code n} the first argument must not
 * be null; {@code h} its equals and hashCode are called; {@code k} it is compared with the keys;
 * {@code m} what {@code merge} needs; {@code f} a function makes a missing value.
 */
public final class Library {
    private static final String LIST = """
        add(O)+ size() isEmpty() clear()+ contains(O)h indexOf(O)h lastIndexOf(O)h remove(O)+h iterator()
        """;
    private static final String DEQUE = """
        add(O)+n addFirst(O)+n addLast(O)+n offer(O)+n offerFirst(O)+n offerLast(O)+n push(O)+n poll()+
        pollFirst()+ pollLast()+ peek() peekFirst() peekLast() size() isEmpty() clear()+ contains(O)h
        remove(O)+h iterator()
        """;
    private static final String SET = "add(O)+h contains(O)h remove(O)+h size() isEmpty() clear()+ iterator()";
    private static final String MAP = """
        put(OO)+h putIfAbsent(OO)+h get(O)h getOrDefault(OO)h containsKey(O)h remove(O)+h merge(OOF)+hm
        computeIfAbsent(OF)+hf size() isEmpty() clear()+ keySet() values() entrySet()
        """;
    private static final String NUMBER = """
        get() set(N)+ lazySet(N)+ getAndSet(N)+ incrementAndGet()+ getAndIncrement()+ decrementAndGet()+
        getAndDecrement()+ addAndGet(N)+ getAndAdd(N)+ compareAndSet(NN)+ intValue() longValue() toString()
        """;
    /** The methods of classes whose objects change. They hold only where the class is known exactly. */
    private static final Map<String, Map<String, String>> CONTAINERS = Map.ofEntries(
        entry("java/util/ArrayList", LIST),
        entry("java/util/LinkedList", LIST + DEQUE.replace("+n", "+")),
        entry("java/util/ArrayDeque", DEQUE),
        entry("java/util/HashSet", SET),
        entry("java/util/LinkedHashSet", SET),
        entry("java/util/TreeSet", SET.replace(")+h", ")+k").replace(")h", ")k") + " pollFirst()+ pollLast()+"),
        entry("java/util/HashMap", MAP),
        entry("java/util/LinkedHashMap", MAP),
        entry("java/util/TreeMap", MAP.replace(")+h", ")+k").replace(")h", ")k")
            + " firstEntry() lastEntry() pollFirstEntry()+ pollLastEntry()+"),
        entry("java/util/concurrent/atomic/AtomicInteger", NUMBER.replace('N', 'I')),
        entry("java/util/concurrent/atomic/AtomicLong", NUMBER.replace('N', 'J')),
        entry("java/util/concurrent/atomic/AtomicBoolean", "get() set(Z)+ getAndSet(Z)+ compareAndSet(ZZ)+"),
        entry("java/util/concurrent/atomic/AtomicReference", "get() set(O)+"),
        entry("java/lang/StringBuilder", """
            append(S)+ append(I)+ append(J)+ append(C)+ append(Z)+ append(D)+ append(F)+ append(O)+ length()
            isEmpty() toString()
            """));
    /** Lists that take whatever another collection holds. */
    private static final Set<String> COPYING = Set.of("java/util/ArrayList", "java/util/LinkedList");
    /** Their constructors that cannot fail. */
    private static final Set<String> CONSTRUCTORS = Set.of("()V", "(I)V", "(J)V", "(Z)V");

    /** The methods of classes whose objects do not change. */
    private static final Map<String, Map<String, String>> VALUES = Map.of(
        "java/lang/String", table("""
            length() isEmpty() isBlank() hashCode() equals(O) toString() trim() strip() toLowerCase() toUpperCase()
            concat(S)n startsWith(S)n endsWith(S)n indexOf(S)n compareTo(S)n equalsIgnoreCase(S) indexOf(I)
            """),
        "java/time/Duration", table("""
            isZero() isNegative() getSeconds() getNano() toSeconds() toMinutes() toHours() toDays() equals(O) hashCode() toString()
            compareTo(Ljava/time/Duration;)n
            """),
        "java/lang/Class", table("getName() getSimpleName() hashCode() equals(O)"),
        "harrier/ActorName", table("equals(O) hashCode() toString()"));
    private static final Map<String, String> BOXED = table("""
        intValue() longValue() shortValue() byteValue() charValue() booleanValue() floatValue() doubleValue()
        equals(O) hashCode() toString()
        """);
    private static final Map<String, String> ENUM = table("ordinal() name() toString() hashCode() equals(O)");
    private static final Set<String> BOXES = Set.of("java/lang/Boolean", "java/lang/Byte", "java/lang/Short",
        "java/lang/Character", "java/lang/Integer", "java/lang/Long", "java/lang/Float", "java/lang/Double");
    private static final Set<String> OF_BOXES = Set.of("sum", "max", "min", "compare", "toString", "hashCode", "abs",
        "signum", "bitCount", "valueOf");
    private static final Set<String> OF_OBJECT = Set.of("toString", "getClass");
    private static final Set<String> COLLECTIONS = Set.of("java/lang/Iterable", "java/util/Collection", "java/util/List",
        "java/util/Set", "java/util/SortedSet", "java/util/NavigableSet", "java/util/Queue", "java/util/Deque", "java/util/Map",
        "java/util/SortedMap", "java/util/NavigableMap");
    private static final Set<String> NUMBERS = Set.of("max", "min", "abs", "floor", "ceil", "sqrt", "round", "signum");

    private Library() {}

    private static Map.Entry<String, Map<String, String>> entry(String type, String methods) {
        return Map.entry(type, table(methods));
    }

    private static Map<String, String> table(String methods) {
        Map<String, String> found = new HashMap<>();
        for (StringTokenizer words = new StringTokenizer(methods); words.hasMoreTokens();) {
            String method = words.nextToken();
            int end = method.indexOf(')') + 1;
            found.put(method.substring(0, end), method.substring(end));
        }
        return found;
    }

    /** The method as the tables name it. */
    private static String signature(String name, String descriptor) {
        String parameters = descriptor.substring(1, descriptor.indexOf(')'));
        String shorter = parameters.replace("Ljava/lang/Object;", "O").replace("Ljava/lang/String;", "S");
        int function = shorter.indexOf("Ljava/util/function/");
        return name + "(" + (function < 0 ? shorter
            : shorter.substring(0, function) + "F" + shorter.substring(shorter.indexOf(';', function) + 1)) + ")";
    }

    /** What a method of a class of collections or the like needs; null if it is not known to be total. */
    public static String ofContainer(String type, String name, String descriptor) {
        Map<String, String> methods = CONTAINERS.get(type);
        return methods == null ? null : methods.get(signature(name, descriptor));
    }

    public static boolean isContainer(String type) {
        return CONTAINERS.containsKey(type);
    }

    /** Reports whether a constructor is total, if an int that it takes is not negative. */
    public static boolean constructs(MethodInsnNode call) {
        return CONTAINERS.containsKey(call.owner) && CONSTRUCTORS.contains(call.desc);
    }

    /** Reports whether a constructor copies what another object holds, without asking that for anything else. */
    public static boolean copies(MethodInsnNode call) {
        return COPYING.contains(call.owner) && call.desc.equals("(Ljava/util/Collection;)V")
            || call.owner.equals("java/lang/StringBuilder") && call.desc.equals("(Ljava/lang/String;)V");
    }

    /** What a method of a class of values needs, on an object that is not null; null if it is not total. */
    public static String ofValue(String owner, boolean isEnum, MethodInsnNode call) {
        Map<String, String> methods = isEnum || owner.equals("java/lang/Enum") ? ENUM
            : BOXES.contains(owner) ? BOXED : VALUES.getOrDefault(owner, Map.of());
        return methods.get(signature(call.name, call.desc));
    }

    /** Reports whether a static method is total for all arguments. */
    public static boolean isStatic(String owner, String name, String descriptor) {
        String parameters = descriptor.substring(1, descriptor.indexOf(')'));
        boolean primitives = parameters.indexOf(';') < 0 && parameters.indexOf('[') < 0;
        return primitives && (BOXES.contains(owner) && OF_BOXES.contains(name)
            || owner.equals("java/lang/Math") && NUMBERS.contains(name)
            || owner.equals("java/lang/String") && name.equals("valueOf"));
    }

    /** Reports whether a reference to a method outside of the program is one to a constructor of an empty container. */
    public static boolean makesContainer(Lambda lambda) {
        return lambda.implementation().getTag() == Opcodes.H_NEWINVOKESPECIAL
            && CONTAINERS.containsKey(lambda.implementation().getOwner())
            && lambda.implementation().getDesc().equals("()V");
    }

    /** Reports whether an instruction joins strings with {@code +}. */
    public static boolean isConcatenation(InvokeDynamicInsnNode insn) {
        return insn.bsm.getOwner().equals("java/lang/invoke/StringConcatFactory");
    }

    /** Which operand's text a call takes: an argument of type Object; -1 if it is no such call. */
    public static int printed(MethodInsnNode call) {
        boolean one = call.desc.startsWith("(Ljava/lang/Object;)");
        if (one && call.owner.equals("java/lang/String") && call.name.equals("valueOf")) {
            return 0;
        }
        return one && (call.owner.equals("java/lang/StringBuilder") && call.name.equals("append") || prints(call))
            ? 1 : -1;
    }

    /** Reports whether a call prints one value; on System.out and System.err that does nothing that is observed. */
    public static boolean prints(MethodInsnNode call) {
        return call.owner.equals("java/io/PrintStream") && (call.name.equals("println") || call.name.equals("print"))
            && !call.desc.equals("([C)V");
    }

    /** Reports whether a class is a collection, or a supertype of collections. */
    public static boolean isCollection(String type) {
        return COLLECTIONS.contains(type) || isContainer(type);
    }

    /**
     * Reports whether what a method returns is never null.
     *
     * @param owner the class outside of the program that has it
     */
    public static boolean returnsObject(String owner, MethodInsnNode call) {
        String name = call.name;
        return switch (owner) {
            case "java/lang/Object" -> OF_OBJECT.contains(name);
            case "java/lang/Enum" -> OF_OBJECT.contains(name) || Set.of("name", "getDeclaringClass", "valueOf").contains(name);
            case "java/lang/Class" -> OF_OBJECT.contains(name) || name.equals("getName") || name.equals("getSimpleName");
            case "java/lang/String" -> OF_OBJECT.contains(name)
                || Set.of("valueOf", "trim", "strip", "toLowerCase", "toUpperCase", "concat").contains(name);
            case "java/time/Duration" -> OF_OBJECT.contains(name) || call.desc.endsWith(")Ljava/time/Duration;");
            case Classes.ACTOR -> name.equals("self");
            default -> BOXES.contains(owner) && (OF_OBJECT.contains(name) || name.equals("valueOf"))
                || isContainer(owner) && (OF_OBJECT.contains(name) || name.equals("append"))
                || isCollection(owner) && Set.of("iterator", "keySet", "values", "entrySet").contains(name);
        };
    }
}
