package harrier.runtime.codec;

import harrier.runtime.codec.Samples.*;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

/**
 * Does the same things to all objects of a graph, in the order in which a walk meets them, and notes what they answer.
 * Two graphs that are the same answer the same and are the same afterwards. Nothing here depends on the order of hash
 * collections.
 */
final class Acting {
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<String> answers = new ArrayList<>();

    private Acting() {}

    /** The answers of all that {@code root} leads to. */
    static List<String> on(Object root) {
        Acting acting = new Acting();
        acting.walk(root);
        return acting.answers;
    }

    private void walk(Object v) {
        if (v == null || !seen.add(v)) {
            return;
        }
        Object inside = inside(v);
        for (Object next : inside instanceof Object[] all ? all : new Object[] {inside}) {
            walk(next);
        }
        try {
            answers.add((v.getClass().getName() + ": " + act(v)).replaceAll("@\\p{XDigit}+", "@"));
        } catch (UnsupportedOperationException | IllegalStateException | ArrayStoreException e) {
            answers.add(v.getClass().getName() + ": " + e.getClass());
        }
    }

    /** What an object holds in an order of its own. */
    private static Object inside(Object v) {
        if (v instanceof Pair pair) {
            return new Object[] {pair.left(), pair.right()};
        } else if (v instanceof Node node) {
            return new Object[] {node.value, node.next};
        } else if (v instanceof Item item) {
            return item.owner;
        } else if (v instanceof Group group) {
            return group.items;
        } else if (v instanceof Base base) {
            return base.held;
        } else if (v instanceof Optional<?> optional) {
            return optional.orElse(null);
        } else if (v instanceof AtomicReference<?> reference) {
            return reference.get();
        } else if (v instanceof Map.Entry<?, ?> entry) {
            return new Object[] {entry.getKey(), entry.getValue()};
        } else if (v instanceof Object[] array) {
            return array.clone();
        }
        return isOrdered(v) ? ((Collection<?>) v).toArray() : null;
    }

    private static boolean isOrdered(Object v) {
        boolean heap = v instanceof PriorityQueue || v instanceof PriorityBlockingQueue;
        return v instanceof List || v instanceof SortedSet || v instanceof LinkedHashSet || v instanceof Queue && !heap;
    }

    @SuppressWarnings("unchecked")
    private static Object act(Object v) {
        if (v instanceof Map<?, ?> map) {
            return actOnMap((Map<Object, Object>) map);
        } else if (v instanceof Queue<?> queue) {
            return actOnQueue((Queue<Object>) queue);
        } else if (v instanceof List<?> list) {
            boolean added = ((List<Object>) list).add("more");
            return added + " " + list.size() + list.indexOf("more");
        } else if (v instanceof EnumSet<?> set) {
            return ((Set<Object>) set).add(Color.BLUE) + " " + set;
        } else if (v instanceof Collection<?> set) {
            return ((Collection<Object>) set).add(7) + " " + set.contains(7) + ((Collection<Object>) set).add(7) + set.size();
        } else if (v.getClass().isArray()) {
            return Array.getLength(v);
        }
        return actOnOther(v);
    }

    private static Object actOnMap(Map<Object, Object> map) {
        int before = map.size();
        if (map instanceof IdentityHashMap) {
            return map.get(Color.RED) + " " + map.put(Color.BLUE, 3) + map.size();
        }
        map.put(77, "more");
        map.put(78, "more");
        String first = map instanceof SortedMap<?, ?> sorted ? sorted.firstKey().toString() : "";
        return before + " " + map.size() + map.get(77) + map.remove(78) + map.containsKey("s1") + first;
    }

    private static Object actOnQueue(Queue<Object> queue) {
        boolean text = queue instanceof PriorityQueue || queue instanceof PriorityBlockingQueue;
        String answer = queue.offer(text ? (Object) 99 : "more") + " " + queue.size();
        return answer + (text ? queue.poll() + "" + queue.poll() : String.valueOf(queue.poll() != null));
    }

    private static Object actOnOther(Object v) {
        if (v instanceof StringBuilder text) {
            return text.append("x").toString();
        } else if (v instanceof Random r) {
            return r.nextInt() + " " + r.nextGaussian();
        } else if (v instanceof SplittableRandom r) {
            return r.nextInt() + " " + r.split().nextInt();
        } else if (v instanceof Lock lock) {
            return lock.tryLock() + " " + lock;
        } else if (v instanceof ReadWriteLock lock) {
            boolean took = lock.readLock().tryLock() && !lock.writeLock().tryLock();
            lock.readLock().unlock();
            return took;
        } else if (v instanceof StampedLock lock) {
            return lock.tryWriteLock() + " " + lock.isReadLocked();
        } else if (v instanceof Semaphore s) {
            return s.tryAcquire() + " " + s.availablePermits();
        } else if (v instanceof CountDownLatch latch) {
            latch.countDown();
            return latch.getCount();
        } else if (v instanceof AtomicInteger n) {
            return n.getAndAdd(3);
        } else if (v instanceof AtomicLongArray n) {
            return n.addAndGet(0, 3);
        } else if (v instanceof LongAdder n) {
            n.increment();
            return n.sum();
        } else if (v instanceof ByteBuffer bytes) {
            return bytes.put((byte) 3).remaining();
        } else if (v instanceof BitSet bits) {
            bits.flip(0, 5);
            return bits;
        } else if (v instanceof Date date) {
            date.setTime(date.getTime() + 1);
            return date.getTime();
        } else if (v instanceof Indexed future) {
            return future.isDone() + " " + future.complete("late") + future.isCompletedExceptionally() + future.index;
        } else if (v instanceof Failed failed) {
            failed.addSuppressed(new RuntimeException("late"));
            return failed.code + failed.getMessage();
        }
        return "";
    }
}
