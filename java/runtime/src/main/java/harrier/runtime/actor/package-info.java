/**
 * The actors of a program, as all steps find them: how their classes declare handlers, what the scenario declares of them, and what
 * their local states hold beside their fields.
 *
 * <p>{@link harrier.runtime.actor.ActorClass} has the handlers of a class, which {@code Handlers} and {@code QuorumHandlers} read from its
 * annotations. {@link harrier.runtime.actor.Declared} has what the scenario says of roles, channels, faults
 * ({@link harrier.runtime.actor.Fault}, of {@code Adversaries} too) and fairness. {@link harrier.runtime.actor.Pending} keeps timers and
 * tasks in local states, in the {@link harrier.runtime.actor.FiringOrder}; {@link harrier.runtime.actor.NewActors} has the local states
 * that constructors left, from which an actor starts again after a crash. A {@link harrier.runtime.actor.Setting} is all of this for one
 * copy of a program.
 *
 * <p><b>To add a field that local states keep beside those of the actor</b>: a constant of Go's {@code serializer/agenda.go} and
 * {@code make java-constants}; {@link harrier.runtime.actor.Pending} writes and restores it; {@code MayHavePending} in package
 * {@code analysis.flow} if it is work that waits, {@code ExternalEffect} for the calls that read it; docs/reference.md, the agenda.
 */
package harrier.runtime.actor;
