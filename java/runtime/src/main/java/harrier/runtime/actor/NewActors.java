package harrier.runtime.actor;

import harrier.Actor;
import harrier.Durable;
import harrier.DurableStore;
import harrier.runtime.codec.Codec;
import harrier.runtime.codec.graph.Identities;
import harrier.runtime.codec.graph.LocalState;
import harrier.runtime.codec.graph.NotCapturableException;
import harrier.runtime.failure.RuleException;
import harrier.runtime.failure.UsageException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The actors of a scenario as their constructors left them. After a crash an actor is like that again, but for
 * durable values.
 */
public final class NewActors {
    private final Codec codec;
    private final Declared declared;
    private final Map<String, byte[]> states = new HashMap<>();
    /** The objects that they had then, until the set-up ends. */
    private final Map<String, Identities> had = new HashMap<>();
    private final Map<String, NotCapturableException> refused = new HashMap<>();

    /** Classes of actors whose constructors read the clock. */
    private final Set<Class<?>> readTime = new HashSet<>();

    NewActors(Codec codec, Declared declared) {
        this.codec = codec;
        this.declared = declared;
    }

    /** Keeps an actor that was not started yet. */
    public void add(String name, Actor actor) {
        try {
            LocalState state = Pending.local(codec, declared, name, 0, actor);
            states.put(name, codec.encode(state));
            had.put(name, codec.identities(state));
        } catch (NotCapturableException e) {
            refused.put(name, e); // of no interest unless the actor crashes
        }
    }

    /** Notes that the constructor of a class of actors reads the clock, which would show another time after a crash. */
    public void readsTime(Class<?> type) {
        readTime.add(type);
    }

    /** The objects that they had then; nothing once the set-up has ended. */
    public Collection<Identities> had() {
        return had.values();
    }

    /** The set-up ends, from when on objects behind static fields have names. */
    public void captureAgain() {
        had.forEach((name, objects) -> states.compute(name, (n, bytes) -> codec.named(bytes, objects)));
        had.clear();
    }

    /** The local state of an actor as its constructor left it, encoded; null if the scenario did not create it or it cannot be captured. */
    public byte[] of(String name) {
        return states.get(name);
    }

    /**
     * The local state from which an actor starts again after a crash, encoded.
     *
     * <p>What a final field holds takes the place of what the constructor left there, wherever else that is referred
     * to: a store that was handed on to a part of the actor remains one store. A field that may be set again tells
     * nothing of other fields: the object that it holds now need not be the one that the constructor handed on.
     */
    public byte[] after(LocalState crashed) {
        String name = crashed.name();
        if (refused.containsKey(name)) {
            throw new RuleException(name + ", as its constructor leaves it: " + refused.get(name).getMessage());
        }
        for (Class<?> type : readTime) {
            if (type.isInstance(crashed.actor())) {
                throw new RuleException(name + " may crash, and the constructor of " + type.getSimpleName() + " reads the clock, which shows"
                    + " another time then: do so in start() and onRestart()");
            }
        }
        LocalState birth = birth(name);
        IdentityHashMap<Object, Object> instead = new IdentityHashMap<>();
        instead.put(crashed.actor(), birth.actor());
        survive(crashed.actor(), birth.actor(), birth(name).actor(), instead);
        return codec.encode(new LocalState(name, crashed.children(), birth.actor(),
            Pending.afterCrash(declared, birth.beside(), crashed.actor())), o -> instead.getOrDefault(o, o));
    }

    private LocalState birth(String name) {
        return Decoding.of("the state of " + name,
            () -> codec.decodeLocalState(states.get(name)));
    }

    /**
     * Puts the durable values into the fields of a new actor, and notes which objects stand for which elsewhere.
     *
     * @param again an actor decoded from the same bytes as the new one: objects that are the same in both, such as empty
     *     lists of the JDK, are in many places for no reason
     */
    private static void survive(Actor crashed, Actor born, Actor again, Map<Object, Object> instead) {
        try {
            for (Field field : durable(crashed.getClass())) {
                Object replaced = field.get(born);
                Object kept = field.get(crashed);
                if (isOneObject(field) && kept != null && replaced != field.get(again)) {
                    instead.put(replaced, kept);
                }
                field.set(born, kept);
            }
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reports whether what the field holds is the same object as long as the actor lives, and so on disk. */
    private static boolean isOneObject(Field field) {
        return Modifier.isFinal(field.getModifiers()) || field.getType() == DurableStore.class;
    }

    /** The fields of a class that survive. */
    public static List<Field> durable(Class<?> type) {
        List<Field> found = new ArrayList<>();
        for (Class<?> c = type; c != Actor.class; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                boolean isStatic = Modifier.isStatic(field.getModifiers());
                if (isStatic && field.isAnnotationPresent(Durable.class)) {
                    throw new UsageException(c.getSimpleName() + "." + field.getName()
                        + " cannot be @Durable: it is static, and belongs to no actor: remove static");
                }
                if (!isStatic && (field.isAnnotationPresent(Durable.class) || field.getType() == DurableStore.class)) {
                    field.setAccessible(true);
                    found.add(field);
                }
            }
        }
        return found;
    }
}
