package promises;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.AbstractActorWithTimers;
import org.apache.pekko.actor.AbstractFSM;
import org.apache.pekko.actor.ActorIdentity;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.Identify;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.ReceiveTimeout;

/** How classic actors talk, wait and change. */
final class Interaction {
    private static final Duration SOON = Duration.ofMillis(20);
    private static final Duration LATE = Duration.ofMinutes(1);

    static final List<Promise> PROMISES = List.of(
        Promise.of("become and unbecome are a stack", (b, w) -> {
            b.tell(b.child(Body.of(c -> c.receiveBuilder().matchEquals("push", m -> c.getContext().become(behavior(c, w, "b"), false))
                .matchAny(m -> c.tell(w, "a" + m)).build()), "child"), "1", "push", "2", "pop", "3");
            return b.nothing();
        }, "a1 b2 a3"),
        Promise.of("become replaces the behavior unless it is pushed", (b, w) -> {
            b.tell(b.child(Body.of(c -> c.receiveBuilder().matchEquals("push", m -> {
                c.getContext().become(behavior(c, w, "b"), false);
                c.getContext().become(behavior(c, w, "c"));
            }).matchAny(m -> c.tell(w, "a" + m)).build()), "child"), "push", "1", "pop", "2");
            return b.nothing();
        }, "c1 a2"),
        Promise.of("unstashed messages come in their order, before others", (b, w) -> {
            b.tell(b.child(Body.of(c -> c.receiveBuilder().matchEquals("open", m -> {
                c.unstashAll();
                c.getContext().become(c.echoes(w));
            }).matchAny(m -> c.stash()).build()), "child"), "1", "2", "open", "3");
            return b.nothing();
        }, "1 2 3"),
        Promise.of("a message is stashed once", (b, w) -> {
            b.tell(b.child(Body.of(c -> c.receiveBuilder().matchAny(m -> {
                c.stash();
                try {
                    c.stash();
                } catch (IllegalStateException e) {
                    c.tell(w, "refused");
                }
            }).build()), "child"), "1");
            return b.nothing();
        }, "refused"),
        Promise.of("what is stashed comes after a restart, before others", (b, w) -> {
            b.tell(b.child(Body.of(c -> c.receiveBuilder().matchEquals("stash", m -> {
                c.tell(w, "stash");
                c.getContext().become(c.receiveBuilder().matchEquals("fail", f -> {
                    throw new IllegalStateException("failed");
                }).matchAny(a -> c.stash()).build());
            }).matchAny(m -> c.tell(w, m)).build()), "child"), "stash", "1", "2", "fail", "3");
            return b.nothing();
        }, "stash 1 2 3"),
        Promise.of("forward keeps the sender", (b, w) -> {
            ActorRef last = b.child(Body.of(c -> c.receiveBuilder().matchAny(m -> c.tell(w, c.getSender().path().name())).build()), "last");
            ActorRef middle = b.child(Body.of(c -> c.receiveBuilder().matchAny(m -> last.forward(m, c.getContext())).build()), "middle");
            b.tell(middle, "message");
            return b.nothing();
        }, "first"),
        Promise.of("a message without a sender seems to be from dead letters", (b, w) -> {
            b.child(Body.of(c -> c.receiveBuilder().matchAny(m ->
                c.tell(w, "" + c.getSender().equals(c.getContext().getSystem().deadLetters()))).build()), "child").tell("1", ActorRef.noSender());
            return b.nothing();
        }, "true"),
        Promise.of("a message that is not handled changes nothing", (b, w) -> {
            b.tell(b.child(Body.of(c -> c.receiveBuilder().match(String.class, m -> c.tell(w, m)).build()), "child"), 1, "2");
            return b.nothing();
        }, "2"),
        Promise.of("a message that is scheduled comes", (b, w) -> {
            b.getContext().getSystem().scheduler().scheduleOnce(SOON, b.getSelf(), "1", b.getContext().getDispatcher(), b.getSelf());
            return b.receiveBuilder().matchAny(m -> b.tell(w, m)).build();
        }, "1"),
        Promise.of("a message to nobody may be scheduled", (b, w) -> {
            b.getContext().getSystem().scheduler().scheduleOnce(SOON, b.getContext().getSystem().deadLetters(), "1", b.getContext().getDispatcher(), null);
            b.tell(b.getSelf(), "2");
            return b.receiveBuilder().matchAny(m -> b.tell(w, m)).build();
        }, "2"),
        Promise.of("a scheduled message that is cancelled does not come, unless it was in the mailbox", (b, w) -> {
            Cancellable later = b.getContext().getSystem().scheduler().scheduleOnce(SOON, b.getSelf(), "later", b.getContext().getDispatcher(), null);
            b.tell(b.getSelf(), "cancel");
            return b.receiveBuilder().matchEquals("cancel", m -> {
                b.tell(w, "cancel");
                later.cancel();
            }).matchAny(m -> b.tell(w, m)).build();
        }, "cancel", "later cancel", "cancel later"),
        Promise.of("the receive timeout comes when no message does, until it is turned off", (b, w) -> {
            b.tell(b.child(Body.of(c -> {
                c.getContext().setReceiveTimeout(SOON);
                return c.receiveBuilder().match(ReceiveTimeout.class, t -> {
                    c.tell(w, "timeout");
                    c.getContext().cancelReceiveTimeout();
                }).matchAny(m -> c.tell(w, m)).build();
            }), "child"), "1");
            return b.nothing();
        }, "1 timeout", "timeout 1", "1 timeout timeout", "timeout 1 timeout"),
        Promise.of("a receive timeout that is turned off may still be in the mailbox", (b, w) -> {
            b.tell(b.child(Body.of(c -> {
                c.getContext().setReceiveTimeout(SOON);
                return c.receiveBuilder().match(ReceiveTimeout.class, t -> {
                    if (c.count == 0) {
                        c.count = 1;
                        c.tell(w, "timeout");
                    }
                }).matchAny(m -> {
                    c.tell(w, m);
                    c.getContext().cancelReceiveTimeout();
                }).build();
            }), "child"), "1");
            return b.nothing();
        }, "1", "1 timeout", "timeout 1"),
        Promise.of("a timer replaces that with the same key", (b, w) -> {
            b.getContext().actorOf(Props.create(Timing.class, w, "replace"), "child");
            return b.nothing();
        }, "new"),
        Promise.of("a timer that is cancelled does not fire, even if its message is in the mailbox", (b, w) -> {
            b.getContext().actorOf(Props.create(Timing.class, w, "cancel"), "child").tell("cancel", b.getSelf());
            return b.nothing();
        }, "cancelled", "old cancelled"),
        Promise.of("timers are cancelled by a restart", (b, w) -> {
            b.getContext().actorOf(Props.create(Timing.class, w, "none"), "child").tell("fail", b.getSelf());
            return b.nothing();
        }, "restarted"),
        Promise.of("a state of an FSM times out", (b, w) -> {
            b.getContext().actorOf(Props.create(Machine.class, w), "child").tell("wait", b.getSelf());
            return b.nothing();
        }, "IDLE->IDLE IDLE->WAITING timeout WAITING->IDLE"),
        Promise.of("a message cancels the timeout of a state", (b, w) -> {
            b.tell(b.getContext().actorOf(Props.create(Machine.class, w), "child"), "wait", "go");
            return b.nothing();
        }, "IDLE->IDLE IDLE->WAITING go,1 WAITING->BUSY", "IDLE->IDLE IDLE->WAITING timeout WAITING->IDLE unhandled"),
        Promise.of("a selection by path finds an actor", (b, w) -> {
            b.child(Body.echo(w), "a");
            b.child(Body.of(c -> {
                c.getContext().actorSelection("../a").tell("1", c.getSelf());
                return c.nothing();
            }), "b");
            b.getContext().actorSelection("a").tell("2", b.getSelf());
            return b.nothing();
        }, "1 | 2"),
        Promise.of("who is selected and is there says so", (b, w) -> {
            b.child(Body.echo(w), "a");
            b.getContext().actorSelection("a").tell(new Identify(1), b.getSelf());
            return identified(b, w);
        }, "1,a"),
        Promise.of("of who is selected and is not there it is said so, and messages are lost", (b, w) -> {
            b.getContext().actorSelection("a").tell("1", b.getSelf());
            b.getContext().actorSelection("a").tell(new Identify(1), b.getSelf());
            return identified(b, w);
        }, "1,none"));

    private Interaction() {}

    private static AbstractActor.Receive identified(Body b, ActorRef witness) {
        return b.receiveBuilder().match(ActorIdentity.class, i ->
            b.tell(witness, i.correlationId() + "," + i.getActorRef().map(r -> r.path().name()).orElse("none"))).build();
    }

    /** Tells messages with a mark; {@code pop} has it be what it was before. */
    private static AbstractActor.Receive behavior(Body c, ActorRef witness, String mark) {
        return c.receiveBuilder().matchEquals("pop", m -> c.getContext().unbecome()).matchAny(m -> c.tell(witness, mark + m)).build();
    }

    /** Has timers. */
    static final class Timing extends AbstractActorWithTimers {
        private final ActorRef witness;

        Timing(ActorRef witness, String how) {
            this.witness = witness;
            if (how.equals("none")) {
                return;
            }
            getTimers().startSingleTimer("key", "old", how.equals("cancel") ? SOON : LATE);
            if (how.equals("replace")) {
                getTimers().startSingleTimer("key", "new", SOON);
            }
        }

        @Override
        public Receive createReceive() {
            return receiveBuilder().matchEquals("fail", m -> {
                getTimers().startSingleTimer("key", "late", LATE);
                throw new IllegalStateException("failed");
            }).matchEquals("cancel", m -> {
                getTimers().cancel("key");
                witness.tell("cancelled", getSelf());
            }).matchAny(m -> witness.tell(m, getSelf())).build();
        }

        @Override
        public void preRestart(Throwable reason, Optional<Object> message) {}

        @Override
        public void postRestart(Throwable reason) {
            witness.tell("restarted", getSelf());
        }
    }

    /** Waits for a message for some time. */
    static final class Machine extends AbstractFSM<Machine.State, Integer> {
        enum State { IDLE, WAITING, BUSY }

        Machine(ActorRef witness) {
            startWith(State.IDLE, 0);
            when(State.IDLE, matchEventEquals("wait", (m, n) -> goTo(State.WAITING).using(n + 1)));
            when(State.WAITING, SOON, matchEventEquals("go", (m, n) -> {
                witness.tell("go," + n, getSelf());
                return goTo(State.BUSY);
            }).event(StateTimeout().getClass(), (m, n) -> {
                witness.tell("timeout", getSelf());
                return goTo(State.IDLE).using(0);
            }));
            when(State.BUSY, matchAnyEvent((m, n) -> stay()));
            whenUnhandled(matchAnyEvent((m, n) -> {
                witness.tell("unhandled", getSelf());
                return stay();
            }));
            onTransition((from, to) -> witness.tell(from + "->" + to, getSelf()));
            initialize();
        }
    }
}
