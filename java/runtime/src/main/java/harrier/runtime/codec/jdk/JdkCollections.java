package harrier.runtime.codec.jdk;

import harrier.runtime.codec.graph.Plan;
import harrier.runtime.codec.jdk.ContentPlan.Style;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.IntFunction;

/** The collections of the JDK that are written as their content, whatever brought it about. */
final class JdkCollections {
    private JdkCollections() {}

    static List<Plan> plans() {
        List<Plan> plans = new ArrayList<>(lists());
        plans.addAll(queues());
        plans.addAll(maps());
        plans.add(new BitSetPlan());
        return plans;
    }

    private static List<Plan> lists() {
        return List.of(
            list(ArrayList.class, Style.AT_ONCE, Parameter.NONE, ArrayList::new),
            list(LinkedList.class, Style.AT_ONCE, Parameter.NONE, n -> new LinkedList<>()),
            list(Vector.class, Style.AT_ONCE, Parameter.NONE, n -> new Vector<>()),
            list(Stack.class, Style.AT_ONCE, Parameter.NONE, n -> new Stack<>()),
            list(CopyOnWriteArrayList.class, Style.AT_ONCE, Parameter.NONE, n -> new CopyOnWriteArrayList<>()),
            list(CopyOnWriteArraySet.class, Style.LATER, Parameter.NONE, n -> new CopyOnWriteArraySet<>()),
            list(LinkedHashSet.class, Style.LATER, Parameter.NONE, n -> new LinkedHashSet<>()),
            list(HashSet.class, Style.HASHED, Parameter.NONE, n -> new HashSet<>()),
            list(TreeSet.class, Style.SORTED, Parameter.COMPARATOR, n -> new TreeSet<>()),
            list(ConcurrentSkipListSet.class, Style.LATER, Parameter.COMPARATOR, n -> new ConcurrentSkipListSet<>()),
            list(EnumSet.class, Style.AT_ONCE, Parameter.KEY_CLASS, null));
    }

    private static List<Plan> queues() {
        return List.of(
            list(ArrayDeque.class, Style.AT_ONCE, Parameter.NONE, ArrayDeque::new),
            list(ConcurrentLinkedQueue.class, Style.AT_ONCE, Parameter.NONE, n -> new ConcurrentLinkedQueue<>()),
            list(ConcurrentLinkedDeque.class, Style.AT_ONCE, Parameter.NONE, n -> new ConcurrentLinkedDeque<>()),
            list(LinkedTransferQueue.class, Style.AT_ONCE, Parameter.NONE, n -> new LinkedTransferQueue<>()),
            list(LinkedBlockingQueue.class, Style.AT_ONCE, Parameter.CAPACITY, LinkedBlockingQueue::new),
            list(LinkedBlockingDeque.class, Style.AT_ONCE, Parameter.CAPACITY, LinkedBlockingDeque::new),
            list(ArrayBlockingQueue.class, Style.AT_ONCE, Parameter.CAPACITY, ArrayBlockingQueue::new),
            list(PriorityQueue.class, Style.HEAP, Parameter.COMPARATOR, n -> new PriorityQueue<>()),
            list(PriorityBlockingQueue.class, Style.HEAP, Parameter.COMPARATOR, n -> new PriorityBlockingQueue<>()));
    }

    private static List<Plan> maps() {
        return List.of(
            map(HashMap.class, Style.HASHED, Parameter.NONE, n -> new HashMap<>(Math.max(16, (int) Math.ceil(n / 0.75)))),
            map(Hashtable.class, Style.HASHED, Parameter.NONE, n -> new Hashtable<>()),
            map(ConcurrentHashMap.class, Style.HASHED, Parameter.NONE, n -> new ConcurrentHashMap<>()),
            map(IdentityHashMap.class, Style.HASHED, Parameter.IDENTITY, n -> new IdentityHashMap<>()),
            map(LinkedHashMap.class, Style.LATER, Parameter.ACCESS_ORDER, n -> new LinkedHashMap<>()),
            map(TreeMap.class, Style.SORTED, Parameter.COMPARATOR, n -> new TreeMap<>()),
            map(ConcurrentSkipListMap.class, Style.LATER, Parameter.COMPARATOR, n -> new ConcurrentSkipListMap<>()),
            map(EnumMap.class, Style.AT_ONCE, Parameter.KEY_CLASS, null));
    }

    private static Plan list(Class<?> type, Style style, Parameter parameter, IntFunction<Collection<Object>> maker) {
        return new CollectionPlan(type, style, parameter, maker);
    }

    private static Plan map(Class<?> type, Style style, Parameter parameter, IntFunction<Map<Object, Object>> maker) {
        return new MapPlan(type, style, parameter, maker);
    }
}
