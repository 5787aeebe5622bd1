package promises;

import harrier.Allow;
import harrier.Sometimes;

/**
 * The promises about what actors store, and that all is explored which may happen to an event of an actor that is stopped.
 *
 * <p>Expected: verified.
 */
@Allow({"randomness=seed:1", "statics=frozen"}) // the library tells writers of events apart by a counter and UUIDs
public final class Stored extends Promises {
    @Override int first() { return super.end(); }

    @Override int end() { return Promise.all().size(); }

    @Sometimes("it was stopped before it recovered")
    boolean early() { return isTold("PostStop recovered: again PostStop"); }

    @Sometimes("it was stopped before the command")
    boolean before() { return isTold("recovered: PostStop recovered: again PostStop"); }

    @Sometimes("the event was stored, and its effect was not to be")
    boolean between() { return isTold("recovered: PostStop recovered:1 1again PostStop"); }

    @Sometimes("it was stopped after the effect")
    boolean after() { return isTold("recovered: 1 PostStop recovered:1 1again PostStop"); }

    private boolean isTold(String outcome) {
        Witness w = state(witness, Witness.class);
        return w.promise() >= 0 && Promise.all().get(w.promise()).name().startsWith("who is stopped by its parent may have") && w.told().equals(outcome);
    }
}
