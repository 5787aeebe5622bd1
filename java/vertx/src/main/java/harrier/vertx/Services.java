package harrier.vertx;

import harrier.ActorName;
import java.util.List;

/**
 * What all verticles of a scenario have in common.
 *
 * @param bus the name of the {@link BusActor}
 */
record Services(ActorName bus, List<Codec> codecs) {}
