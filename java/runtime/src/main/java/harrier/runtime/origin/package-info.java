/** Whose code is: the JDK's, harrier's, the program's, that of its libraries, or what rewriting added to a program. */
package harrier.runtime.origin;
