package promises;

import java.time.Duration;
import java.util.List;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorInitializationException;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.AllForOneStrategy;
import org.apache.pekko.actor.OneForOneStrategy;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.SupervisorStrategy;
import org.apache.pekko.actor.SupervisorStrategy.Directive;
import org.apache.pekko.actor.Terminated;
import org.apache.pekko.japi.pf.DeciderBuilder;

/** What happens to classic actors that fail. */
final class Supervision {
    static final List<Promise> PROMISES = List.of(
        Promise.of("hooks of a restart run in their order, and the message at hand is lost", (b, w) -> {
            b.tell(b.child(Body.telling(w), "child"), "1", "fail", "2");
            return b.nothing();
        }, "preStart 1 fail preRestart,fail postStop postRestart preStart 2"),
        Promise.of("resume keeps the state", (b, w) -> {
            b.supervises(one(SupervisorStrategy.resume()));
            b.tell(b.child(counting(w), "child"), "1", "fail", "1");
            return b.nothing();
        }, "1 2"),
        Promise.of("restart begins with a new state", (b, w) -> {
            b.supervises(one(SupervisorStrategy.restart()));
            b.tell(b.child(counting(w), "child"), "1", "fail", "1");
            return b.nothing();
        }, "1 1"),
        Promise.of("stop stops the child, which takes no more messages", (b, w) -> {
            b.supervises(one(SupervisorStrategy.stop()));
            b.tell(b.child(Body.telling(w), "child"), "1", "fail", "late");
            return Lifecycle.watching(b, w, "child", "Terminated");
        }, "preStart 1 fail postStop | Terminated"),
        Promise.of("who escalates fails of the same cause, and is restarted with its children stopped", (b, w) -> {
            b.supervises(new OneForOneStrategy(DeciderBuilder.matchAny(e -> {
                w.tell(e.getMessage(), ActorRef.noSender());
                return SupervisorStrategy.stop();
            }).build()));
            b.child(Body.of(c -> {
                c.supervises(one(SupervisorStrategy.escalate()));
                c.tell(c.child(Body.telling(w), "grandchild"), "fail");
                return c.nothing();
            }), "child");
            return Lifecycle.watching(b, w, "child", "Terminated");
        }, "preStart fail postStop | failed Terminated"),
        Promise.of("children are stopped before their parent is restarted", (b, w) -> {
            b.tell(b.child(Body.of(c -> {
                c.tell(w, "starts," + c.getContext().findChild("grandchild").isPresent());
                c.child(Body.of(d -> d.hooks(w).nothing()), "grandchild");
                return failing(c);
            }), "child"), "fail");
            return b.nothing();
        }, "starts,false starts,false | preStart postStop | preStart"),
        Promise.of("children that preRestart does not stop are restarted, too", (b, w) -> {
            b.tell(b.child(Body.of(c -> {
                c.keepsChildren();
                if (c.getContext().findChild("grandchild").isEmpty()) {
                    c.child(Body.of(d -> d.hooks(w).nothing()), "grandchild");
                }
                return failing(c);
            }), "child"), "fail");
            return b.nothing();
        }, "preStart preRestart,none postStop postRestart preStart"),
        Promise.of("AllForOne restarts all children", (b, w) -> {
            b.supervises(new AllForOneStrategy(DeciderBuilder.matchAny(e -> (Directive) SupervisorStrategy.restart()).build()));
            b.child(Body.of(c -> c.hooks(w).nothing()), "a");
            b.tell(b.child(Body.of(Supervision::failing), "b"), "fail");
            return b.nothing();
        }, "preStart preRestart,none postStop postRestart preStart"),
        Promise.of("AllForOne stops all children", (b, w) -> {
            b.supervises(new AllForOneStrategy(DeciderBuilder.matchAny(e -> (Directive) SupervisorStrategy.stop()).build()));
            b.child(Body.of(c -> c.hooks(w).nothing()), "a");
            b.tell(b.child(Body.of(Supervision::failing), "b"), "fail");
            return b.nothing();
        }, "preStart postStop"),
        Promise.of("AllForOne: what a sibling is told before may come before or after its restart, and later messages after it", (b, w) -> {
            b.supervises(new AllForOneStrategy(DeciderBuilder.matchAny(e -> (Directive) SupervisorStrategy.restart()).build()));
            b.tell(b.child(counting(w), "a"), "1");
            b.tell(b.child(Body.of(c -> c.receiveBuilder().matchAny(m -> {
                c.tell(c.getContext().getParent(), "failing");
                throw new IllegalStateException("failed");
            }).build()), "b"), "fail");
            return b.receiveBuilder().matchEquals("failing", m -> b.tell(b.getContext().findChild("a").get(), "1")).build();
        }, "1 1", "1 2"),
        Promise.of("OneForOne leaves siblings alone", (b, w) -> {
            b.child(Body.of(c -> c.hooks(w).nothing()), "a");
            b.tell(b.child(Body.of(Supervision::failing), "b"), "fail");
            return b.nothing();
        }, "preStart"),
        Promise.of("a child that fails once more than it may is stopped", (b, w) -> {
            b.supervises(new OneForOneStrategy(1, Duration.ofMinutes(1), DeciderBuilder.matchAny(e -> (Directive) SupervisorStrategy.restart()).build()));
            b.tell(b.child(Body.echo(w), "child"), "fail", "1", "fail", "late");
            return Lifecycle.watching(b, w, "child", "Terminated");
        }, "fail 1 fail | Terminated"),
        Promise.of("messages to an actor that is restarted wait for that", (b, w) -> {
            b.tell(b.child(counting(w), "child"), "fail", "1", "1", "fail", "1");
            return b.nothing();
        }, "1 2 1"),
        Promise.of("who fails as it is made is stopped, and its parent sees why", (b, w) -> {
            b.supervises(new OneForOneStrategy(DeciderBuilder.match(ActorInitializationException.class, e -> {
                w.tell(e.getCause().getMessage(), ActorRef.noSender());
                return SupervisorStrategy.stop();
            }).build()));
            b.getContext().watch(b.child(Body.of(c -> {
                throw new IllegalStateException("failed");
            }), "child"));
            return b.receiveBuilder().match(Terminated.class, t -> b.tell(w, "Terminated")).build();
        }, "failed Terminated"),
        Promise.of("what fails in its constructor fails of the call of that", (b, w) -> {
            b.supervises(new OneForOneStrategy(DeciderBuilder.match(ActorInitializationException.class, e -> {
                w.tell(e.getCause().getClass().getSimpleName() + "," + e.getCause().getCause().getMessage(), ActorRef.noSender());
                return SupervisorStrategy.stop();
            }).build()));
            b.getContext().actorOf(Props.create(Starting.class, w, new int[] {2}), "child");
            return b.nothing();
        }, "InvocationTargetException,constructor"),
        Promise.ofPekko("who fails in preStart may be made again", (b, w) -> {
            b.supervises(one(SupervisorStrategy.restart()));
            b.tell(b.getContext().actorOf(Props.create(Starting.class, w, new int[] {1}), "child"), "1");
            return b.nothing();
        }, "preStart preStart 1"),
        Promise.ofPekko("to resume who fails in preStart is to make it again", (b, w) -> {
            b.supervises(one(SupervisorStrategy.resume()));
            b.tell(b.getContext().actorOf(Props.create(Starting.class, w, new int[] {1}), "child"), "1");
            return b.nothing();
        }, "preStart preStart 1"),
        Promise.of("an interruption is a failure", (b, w) -> {
            b.supervises(new OneForOneStrategy(DeciderBuilder.matchAny(e -> {
                w.tell(e.getClass().getSimpleName(), ActorRef.noSender());
                return (Directive) SupervisorStrategy.restart();
            }).build()));
            b.tell(b.child(Body.of(c -> c.receiveBuilder().matchEquals("interrupt", m -> {
                throw new InterruptedException("interrupted");
            }).matchAny(m -> c.tell(w, m)).build()), "child"), "interrupt", "1");
            return b.nothing();
        }, "ActorInterruptedException | 1"),
        Promise.of("a child that cannot be made may have its parent fail", (b, w) -> {
            b.supervises(new OneForOneStrategy(DeciderBuilder.match(ActorInitializationException.class, e -> {
                w.tell(e.getActor().path().name(), ActorRef.noSender());
                return SupervisorStrategy.stop();
            }).build()));
            b.child(Body.of(c -> {
                c.supervises(one(SupervisorStrategy.escalate()));
                c.getContext().actorOf(Props.create(Starting.class, w, new int[] {2}), "grandchild");
                return c.nothing();
            }), "child");
            return Lifecycle.watching(b, w, "child", "Terminated");
        }, "grandchild Terminated"),
        Promise.of("a restart leaves the watchers of an actor alone", (b, w) -> {
            ActorRef child = b.child(Body.echo(w), "child");
            b.getContext().watch(child);
            b.tell(child, "fail", "1");
            return b.receiveBuilder().match(Terminated.class, t -> b.tell(w, "Terminated")).build();
        }, "fail 1"),
        Promise.of("a behavior that was become is gone after a restart", (b, w) -> {
            b.tell(b.child(Body.of(c -> c.receiveBuilder().matchEquals("become", m -> c.getContext().become(failing(c)))
                .matchAny(m -> c.tell(w, m)).build()), "child"), "1", "become", "fail", "2");
            return b.nothing();
        }, "1 2"));

    private Supervision() {}

    /** Fails in its constructor, or when it starts, as long as there are failures left. */
    static final class Starting extends AbstractActor {
        private final ActorRef witness;
        private final int[] failures;

        Starting(ActorRef witness, int[] failures) {
            this.witness = witness;
            this.failures = failures;
            if (failures[0] > 1) {
                throw new IllegalStateException("constructor");
            }
        }

        @Override
        public void preStart() {
            witness.tell("preStart", getSelf());
            if (failures[0]-- > 0) {
                throw new IllegalStateException("preStart");
            }
        }

        @Override
        public Receive createReceive() {
            return receiveBuilder().matchAny(m -> witness.tell(m, getSelf())).build();
        }
    }

    private static OneForOneStrategy one(Object directive) {
        return new OneForOneStrategy(DeciderBuilder.matchAny(e -> (Directive) directive).build());
    }

    /** Has {@code fail} make an actor fail. */
    private static org.apache.pekko.actor.AbstractActor.Receive failing(Body b) {
        return b.receiveBuilder().matchEquals("fail", m -> {
            throw new IllegalStateException("failed");
        }).build();
    }

    /** Tells how many messages it got since it started; {@code fail} has it fail. */
    private static org.apache.pekko.actor.Props counting(ActorRef witness) {
        return Body.of(c -> c.receiveBuilder().matchEquals("fail", m -> {
            throw new IllegalStateException("failed");
        }).matchAny(m -> c.tell(witness, "" + ++c.count)).build());
    }
}
