/**
 * Static fields, which all actors of a process share: they hold the same before each step, and a step that changes them is refused,
 * unless the rules say that they are put back ({@code statics=frozen}).
 *
 * <p>{@link harrier.runtime.rules.statics.StaticAccess} is what the rest of the runtime asks. {@code Cells} has a {@code Cell} for each
 * field that can change, and a {@code HeapCopy} of all that is behind these, which is compared after each step without encoding it;
 * {@code Layout} says where the fields of a class are. {@code Statics} follows executions, {@code Contents} encodes
 * what fields hold.
 *
 * <p><b>What belongs here</b>: what concerns static fields only. Which fields of the JDK are not compared is in {@code jdk.JdkState}.
 */
package harrier.runtime.rules.statics;
