package harrier.runtime.rules.statics;

import harrier.runtime.codec.Codec;
import harrier.runtime.codec.graph.HeldObjects;
import harrier.runtime.codec.graph.Identities;
import harrier.runtime.rules.allow.Rule;
import harrier.runtime.rules.allow.Rules;
import harrier.runtime.rules.refuse.OwnClasses;
import harrier.runtime.rules.refuse.Refusals;
import harrier.runtime.rules.refuse.Stack;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What code may do with static fields. During the set-up, that is anything; from then on ({@link #seal}) each execution begins with
 * what they held then, and {@link Statics} looks for changes.
 */
public final class StaticAccess {
    /** What relaxes the rule that steps leave static fields as they are, as {@code name=value}. */
    public static final String FROZEN = Statics.ALLOW;

    private static final HeldObjects NOTHING = HeldObjects.byStatics();

    private final Rules rules;
    private final OwnClasses own;
    /** Null before the program is set up. */
    private Statics statics;
    private Contents contents;

    public StaticAccess(Rules rules, OwnClasses own) {
        this.rules = rules;
        this.own = own;
    }

    /**
     * Ends the set-up. What static fields hold now, or when their class is initialized, is what every execution begins with.
     *
     * @param kept the objects that actors have
     * @param hasProcesses whether actors are processes, with static fields of their own
     */
    public void seal(Codec codec, ClassLoader loader, Collection<Class<?>> loaded, List<Identities> kept, boolean hasProcesses) {
        statics = new Statics(codec, loader, rules.allow(Rule.STATICS, "frozen"), hasProcesses, own.names());
        contents = new Contents(codec, own.names());
        statics.addAll(loaded, kept);
    }

    /** Has static fields hold what they do in a process, until the execution ends. */
    public void enter(Map<String, Object> own) {
        statics.enter(own);
    }

    /** What static fields hold in the process whose execution this is, where that is not what they held at the start. */
    public Map<String, Object> own() {
        return statics.own();
    }

    /** What code gives that reads the static fields of a process. */
    public <T> T with(Map<String, Object> own, Supplier<T> read) {
        statics.enter(own);
        try {
            return read.get();
        } finally {
            statics.leave();
        }
    }

    /** Refuses that an initializer reads a static field that a process has changed: it runs once, for all. */
    public void read(String field, String place) {
        if (statics != null && statics.isTouched(field)) {
            throw Refusals.note(Stack.say(place, "reads the static field " + Cell.label(field) + ", which the program has changed, in an"
                + " initializer, which runs once for all processes") + Stack.inTime());
        }
    }

    public boolean isSealed() {
        return statics != null;
    }

    /** Reports whether initializers run during an execution. */
    public boolean isInitializing() {
        return statics != null && statics.isInitializing();
    }

    /** What the static fields of a class hold, encoded; null if that cannot be captured. */
    public byte[] of(Class<?> type) {
        return contents.of(type);
    }

    /** The ways to objects that static fields of some classes lead to on several, the names of the classes first. */
    public List<List<String>> shared(Collection<Class<?>> types) {
        return contents.shared(types);
    }

    /** What static fields hold and actors must not reach; nothing before the program is set up. */
    public HeldObjects held() {
        return statics == null ? NOTHING : statics.held();
    }

    /** The names of actors that an object leads to. */
    public static Set<String> namesBehind(Object value) {
        NamesBehind names = new NamesBehind();
        names.add(value);
        return names.names();
    }

    /** The names of actors that static fields lead to, which any step may know by the field. */
    public Set<String> names() {
        return statics == null ? Set.of() : statics.names();
    }

    public void begin() {
        if (statics != null) {
            statics.begin();
        }
    }

    /** Puts back what the execution changed, if that is allowed. Returns the names of the fields. */
    public List<String> end() {
        return statics == null ? List.of() : statics.end();
    }

    /** The name of a field that the execution left with something else, against the rules; null if there is none. */
    public String changed() {
        return statics == null ? null : statics.changed();
    }

    /** Reports whether a field, by its name, holds something else now that it must not. */
    public boolean differs(String field) {
        return statics != null && statics.differs(field);
    }

    /** Refuses that code writes a static field outside of the initializer of its class, where it must not. */
    public void write(String field, String place) {
        String owner = field.substring(0, field.lastIndexOf('.'));
        if (statics == null || own.isLogger(owner)) {
            return;
        }
        if (Stack.isInitializing()) {
            if (statics.isInitialized(field) && own.has(owner)) {
                throw Refusals.note(Stack.say(place, "writes the static field " + Cell.label(field)
                    + " of another class when it is initialized during a step") + Stack.inTime());
            }
        } else if (!statics.isOfProcess() && !rules.allow(Rule.STATICS, "frozen")) {
            throw Refusals.note(writes(field, place) + ": " + Statics.MEND, Statics.ALLOW);
        }
    }

    /** The complaint of a write of a static field at a place; it is named by the binary name of its class, a dot and its own. */
    public static String writes(String field, String place) {
        return Stack.say(place, "writes the static field " + Cell.label(field));
    }

    /** The initializer of a class begins during an execution. */
    public void initializing() {
        statics.initializing();
    }

    /** It ends. Reports whether the class holds values, which programs may compare by identity. */
    public boolean initialized(Class<?> type) {
        return statics.initialized(type);
    }
}
