package harrier.runtime.rules.statics;

import harrier.runtime.codec.Codec;
import harrier.runtime.codec.graph.HeldObjects;
import harrier.runtime.codec.graph.Identities;
import harrier.runtime.failure.RuleException;
import harrier.runtime.rules.refuse.Refusals;
import harrier.runtime.rules.refuse.Stack;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The static fields of a program's classes, and the fields of its enum constants: what they hold when the program is
 * set up, or when their class is initialized, is what every execution begins with.
 *
 * <p>{@link Cells} has the fields. This class follows an execution: where it begins and ends, and initializers that
 * run meanwhile. A class that is initialized in a step is so once for all steps, so what its initializer does must not
 * depend on whose step comes first.
 */
public final class Statics {
    /** What relaxes the rule that they stay as they are. */
    public static final String ALLOW = "statics=frozen";

    public static final String MEND = "actors share nothing but messages: keep it in a field of the actor; --allow"
        + " statics=frozen puts it back after each step";

    private final Codec codec;
    private final ClassLoader loader;
    /** Whether what a step changes is put back after it: by a rule, or as each process has static fields of its own. */
    private final boolean frozen;
    private final boolean isAllowed;
    private final boolean hasProcesses;
    /** Whether the execution is that of a process. */
    private boolean isOfProcess;
    /** The names of the program's own classes. */
    private final Set<String> program;
    private final Cells cells;
    /** The name of a field that was changed; null if none was found. */
    private String found;

    /** The fields, when they are frozen, that the step had changed when the outermost initializer began. */
    private Set<Cell> touched = Set.of();
    /** Restores their values of that moment. */
    private List<Runnable> saved = List.of();
    /** How many initializers run now, one within another. */
    private int initializers;

    Statics(Codec codec, ClassLoader loader, boolean isAllowed, boolean hasProcesses, Set<String> program) {
        this.program = program;
        this.loader = loader;
        this.isAllowed = isAllowed;
        this.hasProcesses = hasProcesses;
        frozen = isAllowed || hasProcesses;
        this.codec = codec;
        cells = new Cells(codec, frozen, program);
        if (frozen) {
            codec.changedBy(cells::leadsToSame, cells::changedObjects);
        }
    }

    HeldObjects held() {
        return cells.held();
    }

    Set<String> names() {
        return cells.names().names();
    }

    /**
     * Takes classes that were loaded before the program was set up, or while it was.
     *
     * @param kept the objects that actors have
     */
    void addAll(Collection<Class<?>> loaded, List<Identities> kept) {
        // Also those that are not initialized: without an initializer they would never be met again.
        loaded.forEach(cells::add);
        cells.name(c -> true, hasProcesses ? null : kept);
        String reached = reachesActor();
        if (reached != null) {
            throw new RuleException(reached);
        }
    }

    /** A complaint about a static field that leads to an actor: it shows what the actor was at first. */
    private String reachesActor() {
        return cells.stream().filter(Cell::reachesActor).findFirst()
            .map(c -> "the static field " + c.name() + " reaches an actor, and would show what that was at first: actors"
                + " share nothing but messages: keep the actor's name (self()) instead").orElse(null);
    }

    /** Reports whether initializers run. */
    boolean isInitializing() {
        return initializers > 0;
    }

    /** Reports whether a field is of a class whose initializer has ended, and no other complaint is due. */
    boolean isInitialized(String field) {
        return found == null && cells.stream().anyMatch(c -> c.key().equals(field));
    }

    void begin() {
        if (found != null) {
            cells.putBack(); // what an execution left that was refused after it had ended
        }
        found = null;
        isOfProcess = false;
        initializers = 0; // one that failed never ended
    }

    /** Reports whether the execution is that of a process. */
    boolean isOfProcess() {
        return isOfProcess;
    }

    /** Has the fields hold what they do in a process. */
    void enter(Map<String, Object> own) {
        own.keySet().forEach(this::initialize);
        own.forEach((key, value) -> cells.find(key).put(value));
        isOfProcess = true;
    }

    /** The class of a field of a process may not be initialized here yet. */
    private void initialize(String key) {
        String name = key;
        while (cells.find(key) == null) {
            name = name.substring(0, name.lastIndexOf('.'));
            try {
                Class.forName(name, true, loader);
            } catch (ClassNotFoundException e) {
                continue; // the name of a constant of an enum
            }
        }
    }

    /** What fields hold otherwise than executions begin with. */
    Map<String, Object> own() {
        Map<String, Object> own = new TreeMap<>();
        cells.suspects(cells.changedBits()).stream().filter(c -> c.differs(codec)).forEach(c -> own.put(c.key(), c.get()));
        return own;
    }

    /** Has the fields hold again what executions begin with. */
    void leave() {
        isOfProcess = false;
        cells.putBack();
    }

    /** Reports whether an initializer runs now, and the execution had changed this field before. */
    boolean isTouched(String field) {
        if (!isOfProcess || !isInitializing()) {
            return false;
        }
        int dot = field.lastIndexOf('.');
        return touched.stream().anyMatch(c -> c.isReadAs(field.substring(0, dot), field.substring(dot + 1), loader));
    }

    /** An initializer begins. What changed before it did is not its doing. */
    void initializing() {
        if (initializers++ > 0) {
            return;
        }
        if (frozen) {
            touched = cells.stream().filter(c -> c.isChanged(codec)).collect(Collectors.toSet());
            saved = touched.stream().map(Cell::save).toList();
            cells.putBackEach(); // what it sees must not depend on whose step comes first
        } else if (found == null) {
            found = cells.findChanged();
        }
    }

    /**
     * The initializer of a class ends. What it did to other classes belongs to what executions begin with, too: it is
     * done once. Reports whether it holds values: what later steps decode may be compared with these by identity.
     */
    boolean initialized(Class<?> type) {
        cells.add(type);
        boolean hasValues = cells.name(c -> c.isOf(type), hasProcesses ? null : List.of());
        if (--initializers > 0) {
            return hasValues;
        }
        initializers = 0;
        keepInitialized(type);
        return hasValues;
    }

    /** Libraries may set up what others of their classes share; in the program's own it depends on who comes first. */
    private void keepInitialized(Class<?> type) {
        List<Cell> changed = cells.stream().filter(c -> c.isChanged(codec)).toList();
        String meddled = changed.stream().filter(c -> found == null && (c.isOf(program) || touched.contains(c)))
            .findFirst().map(Cell::name).orElse(null);
        changed.forEach(cells::keepAgain);
        saved.forEach(Runnable::run);
        String complaint = meddled == null ? reachesActor() : "the static initializer of " + type.getName()
            + ", which runs during a step, changes what the static field " + meddled + " holds" + Stack.inTime("it");
        if (complaint != null) {
            throw Refusals.note(complaint);
        }
    }

    /**
     * The name of a field that the execution, which may be over, left with something else; null if there is none, or
     * if that is allowed.
     */
    String changed() {
        if (!cells.all().isEmpty() && found == null) {
            if (isOfProcess) {
                found = cells.suspects(cells.changedBits()).stream().filter(c -> !c.isOpen() && c.differs(codec)).findFirst().map(Cell::name)
                    .orElse(null);
            } else if (!isAllowed) {
                found = cells.findChanged();
            }
        }
        return found;
    }

    /** Reports whether a field, by its name, holds something else now that it must not. */
    boolean differs(String field) {
        return !isAllowed && !isOfProcess && cells.stream().anyMatch(c -> c.name().equals(field) && c.differs(codec));
    }

    /**
     * Restores the fields that an execution changed, if it may change them. Others were looked for before, and are refused.
     *
     * @return the names of the frozen fields that it changed
     */
    List<String> end() {
        Set<Object> bits = frozen && !cells.all().isEmpty() ? cells.changedBits() : Set.of();
        boolean isChanged = bits == null || !bits.isEmpty() || frozen && !cells.holdNoted();
        List<String> changed = !isChanged || isOfProcess || !isAllowed ? List.of()
            : cells.suspects(bits).stream().filter(c -> c.differs(codec)).map(Cell::name).toList();
        if (isChanged || found != null) {
            cells.putBack();
        }
        return changed;
    }
}
