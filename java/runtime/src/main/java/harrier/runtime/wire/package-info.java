/**
 * The kinds, numbers and names that Go's side has too. All but this file is made of Go's constants by
 * {@code make java-constants}; {@code internal/java_constants_test.go} lists which.
 *
 * <p><b>To add a kind</b>: the constant in Go, then {@code make java-constants}. What the wire has of an enum is
 * the ordinal.
 */
package harrier.runtime.wire;
