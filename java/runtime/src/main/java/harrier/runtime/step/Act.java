package harrier.runtime.step;

import harrier.ActorName;
import harrier.Hosting;
import harrier.host.Agenda;
import harrier.host.Task;
import harrier.runtime.actor.ActorClass.HandlerMethod;
import harrier.runtime.actor.Declared;
import harrier.runtime.actor.QuorumSize;
import harrier.runtime.codec.graph.LocalState;
import java.util.List;

/** One thing that an actor may do next. It can be done on any {@link Given} that is decoded from the same bytes. */
abstract class Act {
    private final String label;
    private final byte[] fired;
    private boolean isDue;

    Act(String label, byte[] fired) {
        this.label = label;
        this.fired = fired;
    }

    /**
     * What an act works on, freshly decoded.
     *
     * @param consumed the messages that are consumed; null if there are none
     */
    record Given(LocalState state, ConsumedMessages consumed, Agenda agenda) {
        /** Removes the timer or scheduled task with an index, which fires. */
        Object fire(int index) {
            agenda.firings++;
            return agenda.delayed.remove(index).what();
        }
    }

    /** The label of the handler that runs. */
    String label() {
        return label;
    }

    /** What people call the thread of the actor that does it; empty for that of its handlers. */
    String thread() {
        return "";
    }

    /** The timer that fires, encoded; empty if there is none. */
    byte[] fired() {
        return fired;
    }

    /** Says that it has to happen before time goes on, where that does. */
    final Act due() {
        isDue = true;
        return this;
    }

    /** Reports whether it has to happen before time goes on. */
    final boolean isDue() {
        return isDue;
    }

    /** Reports whether the actor crashed right before it. */
    boolean isCrash() {
        return false;
    }

    /** Reports whether it has a guard. */
    boolean isGuarded() {
        return false;
    }

    /** The name of the guard. */
    String guard() {
        return "guard";
    }

    /** Reports whether it may be done. */
    boolean accepts(Given given) throws Throwable {
        return true;
    }

    /** An act that evaluates the guard only. */
    final Act asked() {
        Act asked = this;
        return new Act(label, fired) {
            @Override
            boolean isGuarded() {
                return asked.isGuarded();
            }

            @Override
            boolean accepts(Given given) throws Throwable {
                return asked.accepts(given);
            }

            @Override
            void run(Given given) {
                // Only its guard is evaluated: there is nothing to run.
            }
        };
    }

    /** Reports whether the thread of handlers does it from its beginning. */
    boolean isOnMailbox() {
        return true;
    }

    /** Who sent the messages that it handles, if those that it consumes are from some senders. */
    List<String> senders(Given given, List<String> ofConsumed) {
        return ofConsumed;
    }

    /** Executes it on messages that it accepts. */
    abstract void run(Given given) throws Throwable;

    /** A handler consumes a message of {@code sender}, which may be null; or it is an internal one. */
    static Act handler(HandlerMethod handler, ActorName sender) {
        return new Handling(handler, Outcome.NOTHING) {
            @Override
            Object consumed(Given given) {
                return given.consumed() == null ? null : given.consumed().message();
            }

            @Override
            Object sender(Given given) {
                return sender;
            }
        };
    }

    /** A handler consumes all messages. */
    static Act quorum(HandlerMethod handler) {
        return new Handling(handler, Outcome.NOTHING) {
            @Override
            Object consumed(Given given) {
                return given.consumed().in(handler.quorum().collection());
            }

            @Override
            Object sender(Given given) {
                return given.consumed().fromWhom();
            }
        };
    }

    /** A handler consumes the pending timer with an index. */
    static Act timer(HandlerMethod handler, int index, byte[] fired) {
        return new Handling(handler, fired) {
            @Override
            Object consumed(Given given) {
                return given.agenda().delayed.get(index).what();
            }

            @Override
            void run(Given given) throws Throwable {
                Object timer = given.fire(index);
                handler.body().invokeExact(given.state().actor(), timer, sender(given));
            }
        };
    }

    /** A scheduled task runs, the one with an index. */
    static Act scheduled(String label, int index) {
        return new Act(label, Outcome.NOTHING) {
            @Override
            void run(Given given) {
                ((Task<?>) given.fire(index)).run();
            }
        };
    }

    /** Timers could fire, but have fired as often as they may: nothing happens, and a run does not end there. */
    static Act heldBack() {
        return new Act(Declared.HELD_BACK, Outcome.NOTHING) {
            @Override
            boolean isOnMailbox() {
                return false;
            }

            @Override
            void run(Given given) {
                // What would happen then is not explored.
            }
        };
    }

    /** The first task that waits runs. */
    static Act task(String label) {
        return new Act(label, Outcome.NOTHING) {
            @Override
            void run(Given given) {
                given.agenda().tasks.remove(0).run();
            }
        };
    }

    /** The actor starts again after a crash. */
    static Act restart(String label) {
        return new Act(label, Outcome.NOTHING) {
            @Override
            boolean isCrash() {
                return true;
            }

            @Override
            void run(Given given) {
                given.agenda().moment = 0; // what the constructor set begins to wait now
                if (given.agenda().sockets != null) {
                    given.agenda().sockets.resetLost(given.state().actor());
                }
                Hosting.restart(given.state().actor());
            }
        };
    }

    /** A method of the program runs. */
    private abstract static class Handling extends Act {
        final HandlerMethod handler;

        Handling(HandlerMethod handler, byte[] fired) {
            super(handler.label(), fired);
            this.handler = handler;
        }

        abstract Object consumed(Given given);

        Object sender(Given given) {
            return null;
        }

        @Override
        boolean isGuarded() {
            return handler.guard() != null;
        }

        @Override
        boolean accepts(Given given) throws Throwable {
            return (boolean) handler.guard().invokeExact(given.state().actor(), consumed(given), sender(given));
        }

        @Override
        void run(Given given) throws Throwable {
            handler.body().invokeExact(given.state().actor(), consumed(given), sender(given));
        }
    }

    /** Asks how many messages a handler needs; does nothing. */
    static final class Sizing extends Act {
        private final QuorumSize.Computed asked;
        private int found;

        Sizing(HandlerMethod handler, QuorumSize.Computed asked) {
            super(handler.label(), Outcome.NOTHING);
            this.asked = asked;
        }

        /** The message about a wrong size. */
        String wrong(String actor, String what) {
            return actor + ", " + label() + ": its size " + asked.name() + " " + what;
        }

        /** The size given the last time. */
        int found() {
            return found;
        }

        @Override
        boolean isGuarded() {
            return true;
        }

        @Override
        String guard() {
            return "size " + asked.name();
        }

        @Override
        boolean accepts(Given given) throws Throwable {
            found = (int) asked.size().invokeExact(given.state().actor());
            return true;
        }

        @Override
        void run(Given given) {
            // Only its guard is evaluated: there is nothing to run.
        }
    }
}
