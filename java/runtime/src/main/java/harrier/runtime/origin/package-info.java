/** Whose code is: the JDK's, harrier's, the program's with its libraries, or what rewriting added to a program. */
package harrier.runtime.origin;
