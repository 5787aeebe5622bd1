package promises;

import java.util.List;
import org.apache.pekko.actor.AbstractActor.Receive;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.InvalidActorNameException;
import org.apache.pekko.actor.Kill;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.Terminated;

/** How classic actors start, stop and are watched. */
final class Lifecycle {
    static final List<Promise> PROMISES = List.of(
        Promise.of("messages of one actor arrive in their order", (b, w) -> {
            b.tell(b.child(Body.echo(w), "child"), "1", "2", "3", "4");
            return b.nothing();
        }, "1 2 3 4"),
        Promise.of("messages of two actors arrive in any order", (b, w) -> {
            for (String name : List.of("a", "b")) {
                b.child(Body.of(c -> {
                    c.tell(w, name);
                    return c.nothing();
                }), name);
            }
            return b.nothing();
        }, "a | b"),
        Promise.of("preStart runs before the first message, and PoisonPill comes behind earlier ones", (b, w) -> {
            b.tell(b.child(Body.telling(w), "child"), "1", "2", PoisonPill.getInstance(), "late");
            return b.nothing();
        }, "preStart 1 2 postStop"),
        Promise.of("who is stopped by its parent ends the message at hand, and takes none that comes later", (b, w) -> {
            ActorRef child = b.child(Body.telling(w), "child");
            b.tell(child, "1");
            b.getContext().stop(child);
            b.tell(child, "2");
            return b.nothing();
        }, "preStart 1 postStop", "preStart postStop"),
        Promise.of("who is stopped by the system takes none that comes later", (b, w) -> {
            ActorRef child = b.child(Body.telling(w), "child");
            b.tell(child, "1");
            b.getContext().getSystem().stop(child);
            b.tell(child, "2");
            return b.nothing();
        }, "preStart 1 postStop", "preStart postStop"),
        Promise.of("who stops itself ends the message at hand", (b, w) -> {
            b.tell(b.child(Body.of(c -> c.hooks(w).receiveBuilder().matchEquals("stop", m -> {
                c.getContext().stop(c.getSelf());
                c.tell(w, "still");
            }).matchAny(m -> c.tell(w, m)).build()), "child"), "stop", "late");
            return b.nothing();
        }, "preStart still postStop"),
        Promise.of("children stop before their parent", (b, w) -> {
            b.tell(b.child(Body.of(c -> {
                c.child(Body.of(d -> d.hooks(w).nothing()), "grandchild");
                return c.receiveBuilder().matchEquals("stop", m -> c.getContext().stop(c.getSelf())).build();
            }), "child"), "stop");
            return watching(b, w, "child", "Terminated");
        }, "preStart postStop | Terminated"),
        Promise.of("Kill has the actor fail, and its parent stop it", (b, w) -> {
            b.tell(b.child(Body.telling(w), "child"), "1", Kill.getInstance(), "late");
            return watching(b, w, "child", "Terminated");
        }, "preStart 1 postStop | Terminated"),
        Promise.of("names of children are unique", (b, w) -> {
            b.child(Body.echo(w), "child");
            try {
                b.child(Body.echo(w), "child");
            } catch (InvalidActorNameException e) {
                b.tell(w, e.getMessage());
            }
            return b.nothing();
        }, "actor name [child] is not unique!"),
        Promise.of("a name is free again when its actor has terminated", (b, w) -> {
            b.tell(b.child(Body.echo(w), "child"), "stop");
            b.getContext().watch(b.getContext().findChild("child").get());
            return b.receiveBuilder().match(Terminated.class, t -> b.tell(b.child(Body.echo(w), "child"), "again")).build();
        }, "stop | again"),
        Promise.of("children are found by name until they have stopped", (b, w) -> {
            ActorRef child = b.child(Body.echo(w), "child");
            b.tell(w, b.getContext().findChild("child").isPresent() + "," + b.getContext().findChild("other").isPresent());
            b.getContext().watch(child);
            b.tell(child, "stop");
            return b.receiveBuilder().match(Terminated.class, t -> b.tell(w, "" + b.getContext().findChild("child").isPresent())).build();
        }, "true,false false | stop"),
        Promise.of("Terminated comes after the last message, once", (b, w) -> {
            ActorRef self = b.getSelf();
            ActorRef child = b.child(Body.of(c -> {
                c.tell(self, "1", "2");
                c.getContext().stop(c.getSelf());
                return c.nothing();
            }), "child");
            b.getContext().watch(child);
            b.getContext().watch(child);
            return b.receiveBuilder().match(Terminated.class, t -> b.tell(w, "Terminated")).matchAny(m -> b.tell(w, m)).build();
        }, "1 2 Terminated"),
        Promise.of("a child may be gone before its last message is taken", (b, w) -> {
            ActorRef self = b.getSelf();
            b.child(Body.of(c -> {
                c.tell(self, "last");
                c.getContext().stop(c.getSelf());
                return c.nothing();
            }), "child");
            return b.receiveBuilder().matchAny(m -> b.tell(w, m + "," + b.getContext().findChild("child").isPresent())).build();
        }, "last,true", "last,false"),
        Promise.of("who watches an actor that has terminated is told", (b, w) -> {
            ActorRef child = b.child(Body.echo(w), "child");
            b.getContext().watch(child);
            b.tell(child, "stop");
            return b.receiveBuilder().match(Terminated.class, t -> {
                b.tell(w, "Terminated");
                if (b.count++ == 0) {
                    b.getContext().watch(t.getActor());
                }
            }).build();
        }, "stop | Terminated Terminated"),
        Promise.of("watchWith has a message come in place of Terminated", (b, w) -> {
            ActorRef child = b.child(Body.echo(w), "child");
            b.getContext().watchWith(child, "gone");
            b.tell(child, "stop");
            return b.receiveBuilder().matchAny(m -> b.tell(w, m)).build();
        }, "stop | gone"),
        Promise.of("after unwatch no Terminated comes", (b, w) -> {
            ActorRef child = b.child(Body.echo(w), "child");
            b.getContext().watch(child);
            b.tell(child, "stop");
            b.getContext().unwatch(child);
            return b.receiveBuilder().matchAny(m -> b.tell(w, "Terminated")).build();
        }, "stop"),
        Promise.of("who does not handle Terminated fails, and its parent stops it", (b, w) -> {
            b.child(Body.of(c -> {
                c.hooks(w).getContext().watch(c.child(Body.echo(w), "grandchild"));
                c.tell(c.getContext().findChild("grandchild").get(), PoisonPill.getInstance());
                return c.nothing();
            }), "child");
            return watching(b, w, "child", "Terminated");
        }, "preStart postStop | Terminated"));

    private Lifecycle() {}

    /** Watches a child, and tells that it has terminated. */
    static Receive watching(Body b, ActorRef witness, String child, String what) {
        b.getContext().watch(b.getContext().findChild(child).get());
        return b.receiveBuilder().match(Terminated.class, t -> b.tell(witness, what)).build();
    }
}
