package harrier.runtime.rules.statics;

import harrier.runtime.codec.Codec;
import harrier.runtime.codec.graph.HeldObjects;
import harrier.runtime.codec.graph.Identities;
import harrier.runtime.codec.graph.LocalState;
import harrier.runtime.codec.graph.NotCapturableException;
import harrier.runtime.failure.RuleException;
import harrier.runtime.rules.refuse.Refusals;
import harrier.runtime.rules.refuse.Stack;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import jdk.internal.misc.Unsafe;

/**
 * The static fields of a program's classes, and the fields of its enum constants: what they hold when the program is
 * set up, or when their class is initialized, is what every execution begins with.
 *
 * <p>{@link Cells} has the fields. What is here follows an execution: where it begins and ends, which actor runs, and initializers that
 * run meanwhile. A class that is initialized in a step is so once for all steps, so what its initializer does must not depend on
 * whose step comes first.
 */
public final class Statics {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    /** What relaxes the rule that they stay as they are. */
    public static final String ALLOW = "statics=frozen";

    public static final String MEND = "actors share nothing but messages: keep it in a field of the actor; --allow"
        + " statics=state gives each actor its own, statics=frozen puts it back after each step";

    private final Codec codec;
    private final boolean frozen;
    /** The names of the program's own classes. */
    private final Set<String> program;
    /** What makes the fields part of the states of actors; null if they are not. */
    private final OwnStatics own;
    private final Cells cells;
    /** The name of a field that was changed; null if none was found. */
    private String found;

    /** Whether fields hold what an actor has of its own, which is never so unless each actor has its own. */
    private boolean holdActors;
    /** The fields that there were when the outermost initializer began, where each actor has its own. */
    private Set<Cell> older = Set.of();
    /** What undoes what was done to fields while it ran. */
    private List<Runnable> saved = List.of();
    /** The fields, when they are frozen, that the step had changed then. */
    private Set<Cell> touched = Set.of();

    /** How many initializers run now, one within another. */
    private int initializers;

    Statics(Codec codec, boolean frozen, boolean own, Set<String> program) {
        this.program = program;
        this.codec = codec;
        this.frozen = frozen;
        this.own = own ? new OwnStatics(codec) : null;
        cells = new Cells(codec, frozen, own, program);
        if (frozen) {
            codec.changedBy(cells::changedObjects);
        }
    }

    HeldObjects held() {
        return cells.held();
    }

    /**
     * Takes classes that were loaded before the program was set up, or while it was.
     *
     * @param kept the objects that actors have
     */
    void addAll(Collection<Class<?>> loaded, List<Identities> kept) {
        // Without an initializer, those that are not initialized would never be met again; own fields have one.
        loaded.stream().filter(c -> own == null || !UNSAFE.shouldBeInitialized(c)).forEach(cells::add);
        cells.name(c -> true, kept);
        if (own != null) {
            own.take(cells.all());
        }
        String reached = reachesActor(c -> true);
        if (reached != null) {
            throw new RuleException(reached);
        }
    }

    /** A complaint about a static field that leads to an actor: it shows what the actor was at first. */
    private String reachesActor(Predicate<Cell> among) {
        return cells.stream().filter(among).filter(c -> c.reachesActor() && (own == null || !c.isCaptured())).findFirst()
            .map(c -> "the static field " + c.name() + " reaches an actor, and would show what that was at first: actors"
                + " share nothing but messages: keep the actor's name (self()) instead").orElse(null);
    }

    /** Reports whether initializers run. */
    boolean isInitializing() {
        return initializers > 0;
    }

    /** Reports whether a field is of a class whose initializer has ended, and no other complaint is due. */
    boolean isInitialized(String field) {
        return own == null && found == null && cells.stream().anyMatch(c -> c.key().equals(Cell.KEY + field));
    }

    /** Reports whether code other than initializers may write fields now. */
    boolean mayWrite() {
        return frozen || holdActors;
    }

    void begin() {
        holdActors = false;
        if (found != null) {
            cells.putBack(); // what an execution left that was refused after it had ended
        }
        found = null;
        initializers = 0; // one that failed never ended
        older = Set.of();
    }

    /** A step of an actor begins, whose own fields are part of its state. */
    void enter(Map<String, Object> beside, ClassLoader loader) {
        if (own == null) {
            return;
        }
        holdActors = true;
        Map<Cell, Object> values = new LinkedHashMap<>();
        beside.forEach((key, value) -> {
            if (key.startsWith(Cell.KEY)) {
                values.put(find(key, loader), value);
            }
        });
        values.forEach(Cell::put);
    }

    /** The field with the name that states give it. Its class may have been initialized elsewhere. */
    private Cell find(String key, ClassLoader loader) {
        String type = key.substring(Cell.KEY.length());
        while (own.find(key) == null && type.indexOf('.') > 0) {
            type = type.substring(0, type.lastIndexOf('.'));
            initialize(type, loader);
        }
        return Objects.requireNonNull(own.find(key), key);
    }

    private static Class<?> initialize(String type, ClassLoader loader) {
        try {
            return Class.forName(type, true, loader);
        } catch (ClassNotFoundException e) {
            return null; // the name of an enum constant ends it, or it is not the program's
        }
    }

    /** The state of the actor that runs, with its own fields. */
    LocalState in(LocalState state) {
        return holdActors ? own.in(state, cells.isUntouched()) : state;
    }

    /** Puts back what fields held at first, for a new actor. The result undoes that. */
    Runnable aside(LocalState created) {
        if (!holdActors) {
            return () -> { };
        }
        String shared = own.sharedWith(codec.identities(created));
        if (shared != null) {
            throw NotCapturableException.ofStatic("static " + shared, "the new actor " + created.name() + " reaches what it"
                + " holds; give the actor its own");
        }
        List<Runnable> parent = cells.save();
        cells.putBackEach();
        return () -> {
            cells.putBackEach(); // also those of classes that were initialized since
            parent.forEach(Runnable::run);
        };
    }

    /** The name of a field in which the set-up left what an actor reaches, too; null if there is none. */
    String sharedWith(Identities actor) {
        return own == null ? null : own.sharedWith(actor);
    }

    /** Reports whether a field that is read now is each actor's own, and no actor runs. */
    boolean isNobodys(String owner, String field, ClassLoader loader) {
        if (own == null || holdActors || initializers > 0) {
            return false;
        }
        for (Class<?> c = initialize(owner, loader); c != null; c = c.getSuperclass()) {
            if (own.find(Cell.KEY + c.getName() + "." + field) != null) {
                return true;
            }
        }
        return false;
    }

    /** Reports whether an initializer began and did not end: the class cannot be used from now on. */
    boolean isInitializerFailed() {
        return own != null && initializers > 0;
    }

    /** An initializer begins. What changed before it did is not its doing. */
    void initializing() {
        if (initializers++ > 0) {
            return;
        }
        if (own != null) {
            older = new LinkedHashSet<>(cells.all());
            saved = cells.save();
        } else if (frozen) {
            touched = cells.stream().filter(c -> c.isChanged(codec)).collect(Collectors.toSet());
            saved = touched.stream().map(Cell::save).toList();
        } else if (found == null) {
            found = cells.findChanged();
        }
        if (own != null || frozen) {
            cells.putBackEach(); // what it sees must not depend on whose step comes first
        }
    }

    /**
     * The initializer of a class ends. What it did to other classes belongs to what executions begin with, too: it is
     * done once. Reports whether it holds values: what later steps decode may be compared with these by identity.
     */
    boolean initialized(Class<?> type) {
        cells.add(type);
        boolean hasValues = cells.name(c -> c.isOf(type), List.of());
        if (--initializers > 0) {
            return hasValues;
        }
        initializers = 0;
        if (own != null) {
            initializedForAll(type);
        } else {
            initializedOnce(type);
        }
        return hasValues;
    }

    /** Libraries may set up what others of their classes share; in the program's own it depends on who comes first. */
    private void initializedOnce(Class<?> type) {
        List<Cell> changed = cells.stream().filter(c -> c.isChanged(codec)).toList();
        String meddled = changed.stream().filter(c -> found == null && (c.isOf(program) || touched.contains(c)))
            .findFirst().map(Cell::name).orElse(null);
        changed.forEach(cells::keepAgain);
        if (frozen) {
            saved.forEach(Runnable::run);
        }
        String complaint = meddled == null ? reachesActor(c -> true) : "the static initializer of " + type.getName()
            + ", which runs during a step, changes what the static field " + meddled + " holds" + Stack.inTime("it");
        if (complaint != null) {
            throw Refusals.note(complaint);
        }
    }

    /** The initializer of a class and those within it are done once for all actors, so they must not meddle with others. */
    private void initializedForAll(Class<?> type) {
        cells.keepChanged(c -> !older.contains(c));
        String changed = older.stream().filter(c -> c.isChanged(codec)).findFirst().map(Cell::name).orElse(null);
        cells.putBackEach();
        own.take(cells.all());
        String shared = own.sharing(older);
        saved.forEach(Runnable::run);
        if (changed != null || shared != null) {
            throw Refusals.note("the static initializer of " + type.getName() + ", which runs during a step, "
                + (changed != null ? "changes what the static field " + changed + " holds"
                    : "refers to what the static field " + shared + " holds") + Stack.inTime("it"));
        }
    }

    /**
     * The name of a field that the execution, which may be over, left with something else; null if there is none, or
     * if that is allowed.
     */
    String changed() {
        if (holdActors) {
            return null;
        }
        look();
        return found;
    }

    /** Reports whether a field, by its name, holds something else now that it must not. */
    boolean differs(String field) {
        return !holdActors && !frozen && cells.stream().anyMatch(c -> c.name().equals(field) && c.differs(codec));
    }

    private void look() {
        if (!cells.all().isEmpty() && !frozen && found == null) {
            found = cells.findChanged();
        }
    }

    /**
     * Puts back what an execution changed, if that is allowed. What is not was looked for before, and is refused.
     *
     * @return the names of the frozen fields that it changed
     */
    List<String> end() {
        boolean isChanged = frozen && !cells.all().isEmpty() && !(cells.isSame() && cells.stream().allMatch(Cell::holdsNoted));
        List<String> changed = !isChanged ? List.of() : cells.stream().filter(c -> c.differs(codec)).map(Cell::name).toList();
        if (isChanged || holdActors || found != null) {
            cells.putBack();
        }
        return changed;
    }
}
