/**
 * What handlers and properties may touch: more than they do, never less.
 *
 * <p>{@link harrier.runtime.analysis.footprint.Footprints} finds for each handler which fields it may read and write and what it
 * may send: {@code CodeEffects} what one method does, {@code Objects} which objects it reads or changes (by {@code PointsTo}), and
 * {@code SendTargets} who gets its messages. Static partial-order reduction goes by these.
 * {@link harrier.runtime.analysis.footprint.VisibleFields} finds the fields that a property may read, for which data flow within
 * functions is enough: a property gets copies of states. {@link harrier.runtime.analysis.footprint.Callbacks} and
 * {@link harrier.runtime.analysis.footprint.Escapes} find, for both, what code outside of the program may call and read.
 *
 * <p><b>What belongs here</b>: an effect that handlers may have ({@code Effects}), which {@code por/static} and {@code por/footprint} then have
 * to know of.
 */
package harrier.runtime.analysis.footprint;
