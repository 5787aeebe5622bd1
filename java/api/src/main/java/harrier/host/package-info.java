/**
 * What harrier's API and rewritten programs call of whatever runs them: harrier's runtime, or a replay in a unit test. The API
 * imports this package, which knows none of its classes: {@link harrier.Hosting} is what those who run programs reach of the API.
 *
 * <p>An actor calls its {@link harrier.host.Host}, a scenario its {@link harrier.host.Stage}, and both the
 * {@link harrier.host.World} of their thread. {@link harrier.host.Agenda} and {@link harrier.host.Task} are what an actor does by
 * itself, {@link harrier.host.Declaration} what a scenario says of faults and channels. Rewritten code calls
 * {@link harrier.host.Hooks} and the other classes of hooks, which ask the {@link harrier.host.Control} of their thread, and
 * {@link harrier.host.Looks} at operations that tell names of actors apart.
 */
package harrier.host;
