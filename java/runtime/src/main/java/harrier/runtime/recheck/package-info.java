/**
 * Questions that are asked once more, of another copy of the program, to see whether the answer is the same
 * ({@link harrier.runtime.recheck.Repeater}). {@link harrier.runtime.recheck.Recheck} says which steps are executed again; what may differ from one copy to
 * the other (orders of hash collections, identity hash codes, equal values that are one object) is in {@code codec} and {@code jdk}.
 */
package harrier.runtime.recheck;
