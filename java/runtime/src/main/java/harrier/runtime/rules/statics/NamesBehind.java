package harrier.runtime.rules.statics;

import harrier.ActorName;
import harrier.Hosting;
import harrier.runtime.origin.Origin;
import java.lang.ref.Reference;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.TreeSet;

/** The names of actors that some values lead to, such as those that static fields hold. */
final class NamesBehind {
    private final Set<String> names = new TreeSet<>();
    private final Set<Object> met = HeapCopy.identities();

    /** Adds what a value leads to. What harrier and the virtual machine have for themselves is not looked into. */
    void add(Object value) {
        Deque<Object> open = new ArrayDeque<>();
        if (value != null) {
            open.add(value);
        }
        while (!open.isEmpty()) {
            Object object = open.pop();
            if (object instanceof ActorName name) {
                names.add(Hosting.text(name));
            } else if (!isApart(object) && met.add(object)) {
                Layout.of(object.getClass()).eachReference(object, open::push);
            }
        }
    }

    private static boolean isApart(Object object) {
        return object instanceof String || object instanceof Number && Origin.isJdks(object.getClass()) || object instanceof Class
            || object instanceof ClassLoader || object instanceof Thread || object instanceof ThreadGroup || object instanceof Module
            || object instanceof Reference || Origin.isHarriers(object.getClass());
    }

    /** The names, in order. */
    Set<String> names() {
        return names;
    }
}
