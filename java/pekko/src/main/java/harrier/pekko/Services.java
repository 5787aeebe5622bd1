package harrier.pekko;

import harrier.ActorName;

/**
 * The actors that do what the library's ActorSystem does.
 *
 * @param system the name of the {@link SystemActor}
 * @param receptionist null if the scenario has none
 */
record Services(ActorName system, ActorName receptionist) {}
