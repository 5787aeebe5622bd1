package harrier.runtime.step;

import harrier.runtime.Recheck;
import harrier.runtime.RuleException;
import harrier.runtime.codec.LocalState;
import harrier.runtime.codec.NotCapturableException;
import harrier.runtime.step.Act.Given;
import java.util.List;

/**
 * Runs local steps: (local state, event) to outcomes. Every execution works on freshly decoded
 * objects, so none leaves anything behind for the next.
 *
 * <p>With rechecking, each execution is repeated with hash collections and several messages
 * in other orders; all must give the same.
 */
public final class Steps {
    private final Setting setting;
    private final Recheck recheck;
    private final boolean recording;

    /**
     * Local steps of a program.
     *
     * @param recheck of which questions the executions are repeated
     * @param recording whether outcomes tell of the operations that begin and end
     */
    public Steps(Setting setting, Recheck recheck, boolean recording) {
        this.setting = setting;
        this.recheck = recheck;
        this.recording = recording;
    }

    /**
     * The answer to one question.
     *
     * @param outcomes none if no handler accepts the messages
     * @param executions how often handlers were run
     * @param quorums for one message, the handlers that may consume it together with others
     */
    public record Answer(List<Outcome> outcomes, int executions, List<Quorum> quorums) {}

    /** A step that is not a function of its input, with both executions. */
    public static final class DifferenceException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final transient byte[] local;
        private final boolean several;
        private final transient Outcome first;
        private final transient Outcome second;

        DifferenceException(Question question, Outcome first, Outcome second) {
            local = question.local();
            several = question.envelopes().size() > 1;
            this.first = first;
            this.second = second;
        }

        public byte[] local() {
            return local;
        }

        /** Whether it consumes several messages. */
        public boolean isOfSeveral() {
            return several;
        }

        public Outcome first() {
            return first;
        }

        public Outcome second() {
            return second;
        }
    }

    /** The handlers of an actor class. */
    public ActorClass classOf(Class<?> type) {
        return setting.classOf(type);
    }

    /** Finds all outcomes of a message being consumed in a local state. */
    public Answer answer(byte[] local, Envelope envelope) {
        return answer(local, List.of(envelope));
    }

    /** Finds all outcomes of messages being consumed at once in a local state; there is at least one. */
    public Answer answer(byte[] local, List<Envelope> envelopes) {
        Question question = new Question(setting, local, envelopes);
        Given probe = question.probe();
        return new Reception(question, probe, explore(question, probe)).answer();
    }

    /** Finds all outcomes of what an actor may do by itself in a local state. */
    public Answer internal(byte[] local) {
        Question question = new Question(setting, local, List.of());
        Given probe = question.probe();
        Exploration exploration = explore(question, probe);
        new InternalEvents(probe, setting, exploration::accepts).all().forEach(exploration::explore);
        return exploration.answer(List.of());
    }

    /** Finds all outcomes of a crash in a local state, after which the actor starts again. */
    public Answer restart(byte[] local) {
        LocalState crashed = new Question(setting, local, List.of()).probe().state();
        byte[] again;
        try {
            again = setting.births().after(crashed);
        } catch (NotCapturableException e) {
            throw new RuleException(crashed.name() + ", what is durable of it: " + e.getMessage());
        }
        Question question = new Question(setting, again, List.of());
        Exploration exploration = explore(question, question.probe());
        exploration.explore(Act.restart(classOf(crashed.actor().getClass()).restartLabel()));
        return exploration.answer(List.of());
    }

    private Exploration explore(Question question, Given probe) {
        return new Exploration(question, probe, recheck.has(question.local(), question.payloads()), recording);
    }
}
