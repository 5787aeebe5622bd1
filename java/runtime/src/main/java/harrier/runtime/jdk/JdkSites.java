package harrier.runtime.jdk;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** The methods of the JDK whose results depend on the order of hash collections, or on the hash codes of enum constants. */
final class JdkSites {
    static final String IMMUTABLE = "java/util/ImmutableCollections";

    private static final String ITERATOR = "()Ljava/util/Iterator;";
    private static final String SPLITERATOR = "()Ljava/util/Spliterator;";
    private static final String TO_ARRAY = "()[Ljava/lang/Object;";
    private static final String TO_ARRAY_OF = "([Ljava/lang/Object;)[Ljava/lang/Object;";
    private static final String CONSUMER = "(Ljava/util/function/Consumer;)V";
    private static final String BI_CONSUMER = "(Ljava/util/function/BiConsumer;)V";
    private static final String BI_FUNCTION = "(Ljava/util/function/BiFunction;)V";
    private static final String PREDICATE = "(Ljava/util/function/Predicate;)Z";
    private static final String ENUMERATION = "()Ljava/util/Enumeration;";

    static final List<Site> ALL = sites();

    private JdkSites() {}

    /** What a hook is given, before the arguments of the method. */
    enum Receiver {
        /** The object itself. */
        THIS {
            @Override
            void push(MethodVisitor m, Site site) {
                m.visitVarInsn(Opcodes.ALOAD, 0);
            }
        },
        /** A view of the map itself, which has the site's name for it. */
        VIEW {
            @Override
            void push(MethodVisitor m, Site site) {
                newView(m, site.type, site.view, "");
            }
        },
        /** A view of the map itself, and the map. */
        VIEW_AND_MAP {
            @Override
            void push(MethodVisitor m, Site site) {
                newView(m, site.type, site.view, "");
                m.visitVarInsn(Opcodes.ALOAD, 0);
            }
        },
        /** The set of keys of the map whose view the object is, and that map. */
        KEYS_AND_MAP {
            @Override
            void push(MethodVisitor m, Site site) {
                String map = site.type.substring(0, site.type.indexOf('$'));
                newView(m, map, site.view, site.type);
                loadMap(m, map, site.type);
            }
        };

        abstract void push(MethodVisitor m, Site site);

        private static void newView(MethodVisitor m, String map, String view, String from) {
            boolean hasValue = view.equals("KeySetView");
            m.visitTypeInsn(Opcodes.NEW, map + "$" + view);
            m.visitInsn(Opcodes.DUP);
            loadMap(m, map, from);
            if (hasValue) {
                m.visitInsn(Opcodes.ACONST_NULL);
            }
            m.visitMethodInsn(Opcodes.INVOKESPECIAL, map + "$" + view, "<init>",
                "(L" + map + ";" + (hasValue ? "Ljava/lang/Object;" : "") + ")V", false);
        }

        private static void loadMap(MethodVisitor m, String map, String from) {
            m.visitVarInsn(Opcodes.ALOAD, 0);
            if (from.endsWith("View")) {
                m.visitFieldInsn(Opcodes.GETFIELD, from, "map", "L" + map + ";");
            } else if (!from.isEmpty()) {
                m.visitFieldInsn(Opcodes.GETFIELD, from, "this$0", "L" + map + ";");
            }
        }
    }

    /**
     * A method that is rewritten.
     *
     * @param type the internal name of its class
     * @param hook the method that is called in its place
     * @param view the simple name of the class of a view that the receiver needs
     * @param isOptional whether some supported JDK does not have it, and what it inherits there is rewritten
     */
    record Site(String type, String method, String descriptor, String hook, Receiver receiver, String view,
            boolean isOptional) {
        String key() {
            return method + descriptor;
        }

        String hookDescriptor() {
            String map = receiver == Receiver.VIEW_AND_MAP || receiver == Receiver.KEYS_AND_MAP ? "Ljava/util/Map;" : "";
            String view = type.equals("java/lang/Enum") ? "L" + type + ";" : "Ljava/util/Collection;";
            return "(" + view + map + descriptor.substring(1);
        }
    }

    private static List<Site> sites() {
        Sites sites = new Sites();
        for (String view : List.of("KeySet", "Values", "EntrySet")) {
            sites.of("java/util/HashMap$" + view).add("iterator", ITERATOR).add("spliterator", SPLITERATOR)
                .add("forEach", CONSUMER);
        }
        sites.of("java/util/HashMap$KeySet").add("toArray", TO_ARRAY).add("toArray", TO_ARRAY_OF);
        sites.of("java/util/HashMap$Values").add("toArray", TO_ARRAY).add("toArray", TO_ARRAY_OF);
        sites.of("java/util/HashSet").add("spliterator", SPLITERATOR).add("toArray", TO_ARRAY).add("toArray", TO_ARRAY_OF);
        for (String map : List.of("HashMap", "Hashtable", "WeakHashMap", "IdentityHashMap")) {
            sites.of("java/util/" + map).view("forEach", BI_CONSUMER, "EntrySet").view("replaceAll", BI_FUNCTION, "EntrySet");
        }
        for (String view : List.of("KeySet", "ValueCollection", "EntrySet")) {
            sites.of("java/util/Hashtable$" + view).add("iterator", ITERATOR);
        }
        sites.of("java/util/Hashtable").enumeration("keys", "KeySet").enumeration("elements", "ValueCollection");
        for (String map : List.of("WeakHashMap", "IdentityHashMap")) {
            sites.views("java/util/" + map, "KeySet", List.of("KeySet", "Values", "EntrySet"), "spliterator");
        }
        for (String view : List.of("KeySet", "Values", "EntrySet")) {
            sites.of("java/util/IdentityHashMap$" + view).add("toArray", TO_ARRAY).add("toArray", TO_ARRAY_OF);
        }
        String concurrent = "java/util/concurrent/ConcurrentHashMap";
        List<String> views = List.of("KeySetView", "ValuesView", "EntrySetView");
        sites.views(concurrent, "KeySetView", views, "concurrentSpliterator");
        views.forEach(view -> sites.of(concurrent + "$" + view).add("forEach", CONSUMER));
        sites.of(concurrent + "$ValuesView").add("removeIf", PREDICATE);
        sites.of(concurrent + "$EntrySetView").add("removeIf", PREDICATE);
        sites.of(concurrent).view("forEach", BI_CONSUMER, "EntrySetView").view("replaceAll", BI_FUNCTION, "EntrySetView")
            .enumeration("keys", "KeySetView").enumeration("elements", "ValuesView")
            .add("toString", "()Ljava/lang/String;", "toString", Receiver.VIEW_AND_MAP, "EntrySetView", false);
        sites.of(IMMUTABLE + "$Set12").add("iterator", ITERATOR).add("toArray", TO_ARRAY).add("toArray", TO_ARRAY_OF)
            .add("forEach", CONSUMER, "forEach", Receiver.THIS, "", true);
        sites.of(IMMUTABLE + "$SetN").add("iterator", ITERATOR);
        sites.of(IMMUTABLE + "$MapN$1").add("iterator", ITERATOR);
        sites.of("java/lang/Enum").add("hashCode", "()I");
        return sites.list;
    }

    /** Collects sites. */
    private static final class Sites {
        private final List<Site> list = new ArrayList<>();
        private String type;

        Sites of(String newType) {
            type = newType;
            return this;
        }

        Sites add(String method, String descriptor, String hook, Receiver receiver, String view, boolean isOptional) {
            list.add(new Site(type, method, descriptor, hook, receiver, view, isOptional));
            return this;
        }

        Sites add(String method, String descriptor) {
            return add(method, descriptor, method, Receiver.THIS, "", false);
        }

        Sites view(String method, String descriptor, String view) {
            return add(method, descriptor, method, Receiver.VIEW, view, false);
        }

        Sites enumeration(String method, String view) {
            return add(method, ENUMERATION, "enumeration", Receiver.VIEW, view, false);
        }

        /** The views of a map that is iterated by its keys: of keys, of values and of entries. */
        void views(String map, String keys, List<String> views, String spliterator) {
            List<String> hooks = List.of("keys", "values", "entries");
            for (int i = 0; i < hooks.size(); i++) {
                of(map + "$" + views.get(i)).add("iterator", ITERATOR, hooks.get(i), Receiver.KEYS_AND_MAP, keys, false)
                    .add("spliterator", SPLITERATOR, spliterator, Receiver.THIS, "", false);
            }
        }
    }
}
