package harrier.pekko;

import java.lang.reflect.Field;
import java.util.HashMap;
import org.apache.pekko.actor.Actor;
import org.apache.pekko.actor.FSM;
import org.apache.pekko.actor.StashSupport;
import org.apache.pekko.actor.TimerSchedulerImpl;
import org.apache.pekko.actor.Timers;
import scala.Product;
import scala.collection.Iterator;
import scala.collection.mutable.Map;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Keeps the states of an actor few whose class is an FSM or has timers. The library numbers timers, and messages of an FSM, to tell
 * those apart that were in the mailbox when they were cancelled; here they can only be there if other messages wait as well.
 */
final class Machines {
    private static final String TIMEOUT = ".FSM$TimeoutMarker";
    private static final Field GENERATION = generation();

    private Machines() {}

    private static Field generation() {
        try {
            Field field = TimerSchedulerImpl.class.getDeclaredField("timerGen");
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The timeout of a state. */
    static boolean isTimeout(Object message) {
        return message.getClass().getName().endsWith(TIMEOUT);
    }

    /** An object has been made: maps by states keep no hash codes, which differ for enum constants from run to run. */
    static void made(Actor actor) {
        if (actor instanceof FSM<?, ?> fsm) {
            withoutHashCodes(fsm);
        }
    }

    private static <S, D> void withoutHashCodes(FSM<S, D> fsm) {
        fsm.org$apache$pekko$actor$FSM$_setter_$org$apache$pekko$actor$FSM$$stateFunctions_$eq(copy(fsm.org$apache$pekko$actor$FSM$$stateFunctions()));
        fsm.org$apache$pekko$actor$FSM$_setter_$org$apache$pekko$actor$FSM$$stateTimeouts_$eq(copy(fsm.org$apache$pekko$actor$FSM$$stateTimeouts()));
    }

    private static <K, V> Map<K, V> copy(Map<K, V> map) {
        return CollectionConverters.asScala(new HashMap<>(CollectionConverters.asJava(map)));
    }

    /** The time of a message to itself has come. A state's timeout that still comes is that of the present state, so the FSM's generation is its number. */
    static void rings(Actor actor, Object message) {
        if (actor instanceof FSM<?, ?> fsm && isTimeout(message)) {
            fsm.org$apache$pekko$actor$FSM$$generation_$eq((Long) ((Product) message).productElement(0));
        }
    }

    /** The actor has done a step, and no messages wait that have numbers: generations of timeouts and timers begin anew, for fewer states. */
    static void rests(Actor actor) {
        if (actor instanceof StashSupport stash && stash.org$apache$pekko$actor$StashSupport$$theStash().nonEmpty()) {
            return;
        }
        if (actor instanceof FSM<?, ?> fsm) {
            fsm.org$apache$pekko$actor$FSM$$generation_$eq(0);
            fsm.org$apache$pekko$actor$FSM$_setter_$org$apache$pekko$actor$FSM$$timerGen_$eq(Iterator.from(0));
        }
        if (actor instanceof Timers timers) {
            try {
                GENERATION.setInt(timers.org$apache$pekko$actor$Timers$$_timers(), 0);
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
