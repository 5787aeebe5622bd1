package harrier.runtime.step;

import harrier.Hosting;
import harrier.host.Arrival;
import harrier.host.Declaration;
import harrier.runtime.actor.ActorClass.HandlerMethod;
import harrier.runtime.actor.Envelope;
import harrier.runtime.actor.Fault;
import harrier.runtime.actor.Handlers;
import harrier.runtime.actor.QuorumSize;
import harrier.runtime.actor.Role;
import harrier.runtime.actor.Setting;
import harrier.runtime.failure.RuleException;
import harrier.runtime.step.Act.Given;
import harrier.runtime.step.Steps.Answer;
import harrier.runtime.wire.EventKind;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** An actor is asked what it does with messages, taken at once. */
final class Reception {
    private static final String ANY_ROLE = "";

    private final Setting setting;
    private final List<Envelope> envelopes;
    private final Given probe;
    private final String name;
    private final Exploration exploration;
    private final List<Quorum> quorums = new ArrayList<>();

    /**
     * Some messages, at least one.
     *
     * @param probe what they are, with the actor
     */
    Reception(Question question, Given probe, Exploration exploration) {
        setting = question.setting();
        envelopes = question.envelopes();
        this.probe = probe;
        name = probe.state().name();
        this.exploration = exploration;
    }

    /** All outcomes, and what may be done with one message and others. */
    Answer answer() {
        boolean alone = envelopes.size() == 1;
        if (probe.consumed().messages().stream().anyMatch(Arrival.class::isInstance)) {
            if (alone) {
                exploration.explore(new ArrivalAct());
            }
            return exploration.answer(quorums);
        }
        for (HandlerMethod handler : handlers()) {
            if (probe.agenda().isBusy()) {
                continue; // a handler waits in the middle
            } else if (handler.isQuorum()) {
                exploreQuorum(handler);
            } else if (alone) {
                String sender = envelopes.get(0).sender();
                exploration.explore(Act.handler(handler, sender.isEmpty() ? null : Hosting.name(sender)));
            }
        }
        return exploration.answer(quorums);
    }

    /** The handlers that may take each of the messages. */
    private List<HandlerMethod> handlers() {
        Class<?> type = probe.state().actor().getClass();
        List<HandlerMethod> common = null;
        for (int i = 0; i < envelopes.size(); i++) {
            Class<?> message = probe.consumed().messages().get(i).getClass();
            List<HandlerMethod> handlers = setting.classOf(type).handlersFor(message);
            if (handlers.isEmpty()) {
                throw noHandler(type, envelopes.get(i), message);
            }
            common = common == null ? handlers : common.stream().filter(handlers::contains).toList();
        }
        return common;
    }

    /**
     * Explores a quorum handler if these messages are a quorum of it, and notes how many it needs if there is only one.
     */
    private void exploreQuorum(HandlerMethod handler) {
        Quorum needed = needed(handler);
        if (needed == null) {
            return;
        }
        boolean alone = envelopes.size() == 1;
        if (needed.size() == Quorum.ANY || needed.size() == envelopes.size() && isQuorum(needed.role())) {
            exploration.explore(Act.quorum(handler));
        }
        if (alone && needed.size() != 1) {
            quorums.add(needed);
        }
    }

    /** How many messages a handler takes now; null if that could not be found out, which is an outcome. */
    private Quorum needed(HandlerMethod handler) {
        QuorumSize size = handler.quorum().size();
        if (size instanceof QuorumSize.Exactly exactly) {
            return new Quorum(handler.label(), exactly.messages(), ANY_ROLE);
        }
        if (size instanceof QuorumSize.Majority) {
            Role role = role(handler, envelopes.get(0).sender());
            return new Quorum(handler.label(), role.names().size() / 2 + 1, role.name());
        }
        if (size instanceof QuorumSize.Computed asked) {
            OptionalInt found = exploration.size(handler, asked);
            return found.isEmpty() ? null : new Quorum(handler.label(), found.getAsInt(), ANY_ROLE);
        }
        refuseEndlessCopies(handler);
        return new Quorum(handler.label(), Quorum.ANY, ANY_ROLE);
    }

    /** Where a message may arrive any number of times, it is not tried how often a handler takes it at once. */
    private void refuseEndlessCopies(HandlerMethod handler) {
        for (Fault f : setting.declared().faults()) {
            if (f.kind() == EventKind.DUPLICATE && f.budget() == Declaration.UNBOUNDED && f.scope().has(name)) {
                throw new RuleException(name + ", " + handler.label()
                    + ": it takes any number of messages, and \"" + f.label()
                    + "\" is without a bound, so there is no end of copies to take at once: say in quorum how many messages"
                    + " are needed, or give the duplication a budget");
            }
        }
    }

    private Role role(HandlerMethod handler, String sender) {
        Role role = setting.declared().roleOf(sender);
        if (role == null) {
            throw new RuleException(name + ", " + handler.label() + ": a majority of a role is needed, but "
                + (sender.isEmpty() ? "the scenario" : sender) + ", which sends "
                + probe.consumed().message().getClass().getSimpleName()
                + ", has none: only actors that the scenario creates have; say in quorum how many messages are needed");
        }
        return role;
    }

    /** Reports whether the messages are from different senders, all of one role if that is asked for. */
    private boolean isQuorum(String role) {
        List<String> senders = envelopes.stream().map(Envelope::sender).distinct().toList();
        return senders.size() == envelopes.size() && (role.equals(ANY_ROLE) || senders.stream().allMatch(s -> {
            Role own = setting.declared().roleOf(s);
            return own != null && own.name().equals(role);
        }));
    }

    private RuleException noHandler(Class<?> actor, Envelope envelope, Class<?> message) {
        String from = envelope.sender().isEmpty() ? "the scenario" : envelope.sender();
        return new RuleException(name + " has no handler for " + message.getSimpleName() + ", which "
            + from + " sends: " + Handlers.mend(actor, message, "m"));
    }
}
