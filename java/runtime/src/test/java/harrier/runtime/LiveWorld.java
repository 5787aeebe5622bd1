package harrier.runtime;

import harrier.Actor;
import harrier.ActorName;
import harrier.Final;
import harrier.History;
import harrier.Hosting;
import harrier.InFlight;
import harrier.Invariant;
import harrier.Scenario;
import harrier.host.Declaration;
import harrier.host.Host;
import harrier.host.Stage;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * One run of a scenario with live objects: its actors, the messages that are pending, and the history of
 * operations.
 */
final class LiveWorld implements Stage<ActorName, Actor, InFlight, History> {
    private final Scenario scenario;
    private final Map<String, Actor> actors = new TreeMap<>();
    private final Map<String, Integer> children = new TreeMap<>();
    private final List<Pending> pending = new ArrayList<>();
    private final LiveHistory history;

    private record Pending(String sender, String receiver, Object content) {
        @Override
        public String toString() {
            return receiver + "<" + sender + ": " + LiveDump.of(content);
        }

        ActorName from() {
            return sender.isEmpty() ? null : Hosting.name(sender);
        }
    }

    /** Sets the scenario up. */
    LiveWorld(Scenario scenario) {
        this.scenario = scenario;
        history = new LiveHistory(scenario);
        Hosting.bind(scenario, this);
        Hosting.setUp(scenario);
    }

    /** All that tells this state from another. */
    String text() {
        StringBuilder text = new StringBuilder();
        actors.forEach((name, actor) -> text.append(name).append('#').append(children.get(name)).append('=')
            .append(LiveDump.of(actor)).append('\n'));
        pending.stream().map(Pending::toString).sorted().forEach(p -> text.append(p).append('\n'));
        return text.append(history.text()).toString();
    }

    /** The pending messages that can be delivered now; equal ones are one. */
    SortedSet<String> enabled() {
        SortedSet<String> enabled = new TreeSet<>();
        for (Pending p : pending) {
            if (LiveHandlers.accepting(actors.get(p.receiver), p.content, p.from()) != null) {
                enabled.add(p.toString());
            }
        }
        return enabled;
    }

    /** Delivers a message that is enabled. */
    void deliver(String message) {
        Pending p = pending.stream().filter(m -> m.toString().equals(message)).findFirst().orElseThrow();
        pending.remove(p);
        Actor actor = actors.get(p.receiver);
        history.step();
        Method handler = LiveHandlers.accepting(actor, p.content, p.from());
        run(actor, new LiveHost(p.receiver, p.from()), () -> LiveHandlers.call(handler, actor, p.content, p.from()));
    }

    /** Whether what must hold here does; in a terminal state final conditions too. */
    boolean isGood() {
        return all(Invariant.class) && (!enabled().isEmpty() || all(Final.class) && Hosting.expectFinal(scenario));
    }

    /** Whether all methods of the scenario with an annotation are true. */
    private boolean all(Class<? extends Annotation> annotation) {
        for (Class<?> c = scenario.getClass(); c != Scenario.class; c = c.getSuperclass()) {
            for (Method m : c.getDeclaredMethods()) {
                if (m.isAnnotationPresent(annotation) && !(boolean) LiveHandlers.invoke(m, scenario)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static void run(Actor actor, Host<ActorName, Actor> host, Runnable code) {
        Hosting.bind(actor, host);
        code.run();
        Hosting.bind(actor, null);
    }

    @Override
    public ActorName create(String role, String name, Actor actor) {
        actors.put(name, actor);
        children.put(name, 0);
        run(actor, new LiveHost(name, null), () -> Hosting.start(actor));
        return Hosting.name(name);
    }

    @Override
    public void send(ActorName to, Object message) {
        pending.add(new Pending("", to.toString(), message));
    }

    @Override
    public void declare(Declaration declaration) {
        if (declaration.budget() != 0) {
            throw unexplored("faults and channels");
        }
    }

    @Override
    public <A extends Actor> Stream<A> actors(Class<A> type) {
        return actors.values().stream().filter(type::isInstance).map(type::cast);
    }

    @Override
    public <A extends Actor> A actor(ActorName name, Class<A> type) {
        return type.cast(actors.get(name.toString()));
    }

    @Override
    public History history() {
        return history.history();
    }

    private final class LiveHost implements Host<ActorName, Actor> {
        private final String self;
        private final ActorName sender;

        LiveHost(String self, ActorName sender) {
            this.self = self;
            this.sender = sender;
        }

        @Override
        public ActorName self() {
            return Hosting.name(self);
        }

        @Override
        public ActorName sender() {
            return sender;
        }

        @Override
        public void send(ActorName to, Object message) {
            pending.add(new Pending(self, to.toString(), message));
        }

        @Override
        public ActorName create(String role, Actor child) {
            int number = children.merge(self, 1, Integer::sum);
            return LiveWorld.this.create(role, self + "/" + role + number, child);
        }

        @Override
        public void invoked(Object operation) {
            history.invoked(self, operation);
        }

        @Override
        public void returned(Object result) {
            history.returned(self, result);
        }

        @Override
        public RuntimeException refusal(String method) {
            return unexplored(method);
        }
    }

    private static UnsupportedOperationException unexplored(String what) {
        return new UnsupportedOperationException("the naive explorer does not explore " + what);
    }
}
