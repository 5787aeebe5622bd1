/**
 * What programs that harrier checks are written against: an {@link harrier.Actor} has {@link harrier.Handler} methods, and a
 * {@link harrier.Scenario} creates actors and says what must hold.
 *
 * @see <a href="{@docRoot}/first-protocol.html">Your first protocol</a>
 * @see <a href="{@docRoot}/guide.html">Guide</a>
 */
package harrier;
