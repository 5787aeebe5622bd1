/**
 * Copies of methods of the JDK that call functions. Each program with threads loads its own, rewritten as its own classes are, so that a
 * thread that waits in a function can leave them and come back.
 */
package harrier.host.leaving;
