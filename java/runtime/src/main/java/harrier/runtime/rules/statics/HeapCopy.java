package harrier.runtime.rules.statics;

import harrier.Actor;
import harrier.host.ThreadHooks;
import harrier.runtime.codec.jdk.LoggerPlan;
import harrier.runtime.origin.Loggers;
import harrier.runtime.origin.Origin;
import java.io.FileDescriptor;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.reflect.Proxy;
import java.security.SecureRandomSpi;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What all objects that a value reaches held at one moment, field by field. Putting it back changes the objects in
 * place, so whoever refers to one of them sees what it was, and none of them becomes another object.
 */
final class HeapCopy {
    private boolean reachesActor;
    private boolean isWhole = true;
    private final List<Object> objects = new ArrayList<>();
    private final List<Layout> layouts = new ArrayList<>();
    private final Layout.Contents contents = new Layout.Contents();

    private HeapCopy() {}

    /** Copies what a value reaches. What stands for something beyond the heap is not looked into. */
    HeapCopy(Object value) {
        Deque<Object> open = new ArrayDeque<>(List.of(value));
        Set<Object> met = identities();
        while (!open.isEmpty()) {
            Object object = open.pop();
            reachesActor |= object instanceof Actor;
            if (isFixed(object) || !met.add(object)) {
                continue;
            }
            if (isInert(object)) {
                isWhole &= LoggerPlan.areNamed(object.getClass());
                continue;
            }
            isWhole &= !(object instanceof Reference);
            add(object);
            Layout.of(object.getClass()).eachReference(object, open::push);
        }
    }

    /** Copies what the same objects hold by now. */
    HeapCopy again() {
        HeapCopy copy = new HeapCopy();
        objects.forEach(copy::add);
        return copy;
    }

    /** Copies what the objects of some copies hold by now, each once. */
    static HeapCopy union(Stream<HeapCopy> copies) {
        HeapCopy union = new HeapCopy();
        Set<Object> met = identities();
        copies.forEach(c -> c.objects.stream().filter(met::add).forEach(union::add));
        return union;
    }

    private void add(Object object) {
        Layout layout = Layout.of(object.getClass());
        objects.add(object);
        layouts.add(layout);
        layout.copy(object, contents);
    }

    static Set<Object> identities() {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }

    /** What has no content that could change. */
    private static boolean isFixed(Object object) {
        return object instanceof String || object instanceof Number && object.getClass().getPackageName().equals("java.lang")
            || object instanceof Boolean || object instanceof Character || object instanceof Enum || object instanceof Class
            || object instanceof Locale;
    }

    /**
     * What is looked after elsewhere, stands for something beyond the heap, or is of no matter: executors, loggers,
     * harrier's and the virtual machine's own.
     */
    private static boolean isInert(Object object) {
        Class<?> type = object.getClass();
        String pack = type.getPackageName();
        boolean isHarriers = Origin.isHarriers(type);
        if (Proxy.isProxyClass(type) || isHarriers && (object instanceof Random || object instanceof SecureRandomSpi)) {
            return false;
        }
        return isHarriers || ThreadHooks.isOfTheJdk(object) || object instanceof Actor || object instanceof ThreadLocal
            || object instanceof ClassLoader || object instanceof Thread
            || object instanceof ThreadGroup || object instanceof ReferenceQueue || object instanceof FileDescriptor
            || object == System.out || object == System.err
            || pack.startsWith("java.util.logging") || pack.startsWith("java.lang.invoke")
            || pack.startsWith("java.lang.reflect") || pack.startsWith("sun.") || pack.startsWith("jdk.") || Loggers.has(type.getName());
    }

    /** Reports whether there is an actor among the objects. */
    boolean reachesActor() {
        return reachesActor;
    }

    /** Reports whether all was looked into that could change what the value's encoding is. */
    boolean isWhole() {
        return isWhole;
    }

    /** Reports whether an object holds something else than was copied. */
    boolean isChanged() {
        Layout.Contents.Reader before = contents.reader();
        for (int i = 0; i < objects.size(); i++) {
            if (!layouts.get(i).isSame(objects.get(i), before)) {
                return true;
            }
        }
        return false;
    }

    /** Adds the objects that hold something else than was copied, and those that lead to such. */
    void addChanged(Set<Object> changed) {
        Map<Object, List<Object>> holders = new IdentityHashMap<>();
        Deque<Object> open = new ArrayDeque<>();
        Layout.Contents.Reader before = contents.reader();
        for (int i = 0; i < objects.size(); i++) {
            Object object = objects.get(i);
            layouts.get(i).eachReference(object, held -> holders.computeIfAbsent(held, h -> new ArrayList<>()).add(object));
            if (!layouts.get(i).isSame(object, before)) {
                open.add(object);
            }
        }
        while (!open.isEmpty()) {
            Object object = open.poll();
            if (changed.add(object)) {
                open.addAll(holders.getOrDefault(object, List.of()));
            }
        }
    }

    /** The objects. */
    Set<Object> objects() {
        Set<Object> all = identities();
        all.addAll(objects);
        return all;
    }

    /** Makes every object hold again what it held. */
    void putBack() {
        Layout.Contents.Reader before = contents.reader();
        for (int i = 0; i < objects.size(); i++) {
            layouts.get(i).putBack(objects.get(i), before);
        }
    }
}
