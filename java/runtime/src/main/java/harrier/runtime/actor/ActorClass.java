package harrier.runtime.actor;

import harrier.Actor;
import harrier.Handler;
import harrier.Internal;
import harrier.runtime.failure.RuleException;
import harrier.runtime.failure.UsageException;
import harrier.runtime.load.ProgramLoader;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The handlers of an actor class, found once by annotation and parameter type.
 *
 * @param type the actor class
 * @param handlers all its handlers of messages, inherited ones included, by label
 * @param internals its internal handlers, likewise
 * @param byMessage memory of {@link #handlersFor}
 */
public record ActorClass(Class<?> type, List<HandlerMethod> handlers, List<HandlerMethod> internals,
        Map<Class<?>, List<HandlerMethod>> byMessage) {

    /**
     * One handler.
     *
     * @param label what people call it: {@code Acceptor.on(Prepare)}
     * @param message the type of message it takes; null if it is an internal one
     * @param body (Actor, Object message, Object sender) to void; a quorum handler takes a collection of messages, and
     *     the set of their senders
     * @param guard (Actor, Object message, Object sender) to boolean, or null
     * @param quorum how it takes several messages at once; null if it takes one
     */
    public record HandlerMethod(Method method, String label, Class<?> message, MethodHandle body, MethodHandle guard,
            QuorumParameter quorum) {
        /** Reports whether it takes several messages at once. */
        public boolean isQuorum() {
            return quorum != null;
        }
    }

    /**
     * How a quorum handler takes its messages.
     *
     * @param collection as what: Set, List, Collection or Map
     * @param size how many
     */
    public record QuorumParameter(Class<?> collection, QuorumSize size) {}

    /** Finds the handlers of a class; a wrong declaration is a {@link UsageException}. */
    public static ActorClass of(Class<?> type) {
        List<HandlerMethod> handlers = AnnotatedMethods.of(type, Actor.class, Handler.class).stream()
            .map(m -> Handlers.ofMessages(type, m)).sorted(Comparator.comparing(HandlerMethod::label)).toList();
        List<HandlerMethod> internals = AnnotatedMethods.of(type, Actor.class, Internal.class).stream()
            .map(m -> Handlers.internal(type, m)).sorted(Comparator.comparing(HandlerMethod::label)).toList();
        ActorClass made = new ActorClass(type, handlers, internals, new ConcurrentHashMap<>());
        made.refuseAmbiguity();
        NewActors.durable(type); // finds wrong declarations now
        return made;
    }

    /** What people call the way an actor of the class starts again after a crash. */
    public String restartLabel() {
        return ProgramLoader.labels(type).of(type) + ".onRestart()";
    }

    /** The handlers that may take a timer that fires: it does so alone. */
    public List<HandlerMethod> handlersForTimer(Class<?> timer) {
        return handlersFor(timer).stream().filter(h -> !h.isQuorum()).toList();
    }

    /** The handlers that may take a message: those with the most specific matching type. */
    public List<HandlerMethod> handlersFor(Class<?> message) {
        return byMessage.computeIfAbsent(message, m -> {
            List<HandlerMethod> matching = handlers.stream().filter(h -> h.message.isAssignableFrom(m)).toList();
            List<HandlerMethod> best = matching.stream().filter(h -> matching.stream().noneMatch(
                o -> o.message != h.message && h.message.isAssignableFrom(o.message))).toList();
            if (best.size() > 1 && best.stream().anyMatch(h -> h.guard == null)) {
                throw new RuleException(type.getSimpleName() + " has several handlers that fit " + m.getSimpleName()
                    + " equally well, " + String.join(" and ", best.stream().map(HandlerMethod::label).toList())
                    + ": add one for " + m.getSimpleName() + ", or give all of them guards");
            }
            return best;
        });
    }

    private void refuseAmbiguity() {
        for (HandlerMethod a : handlers) {
            for (HandlerMethod b : handlers) {
                if (a != b && a.message == b.message && (a.guard == null || b.guard == null)) {
                    throw new UsageException(type.getName() + " has two handlers for " + a.message.getSimpleName()
                        + ", " + a.label + " and " + b.label + ": keep one, or give both a guard");
                }
            }
        }
    }
}
