/** Whose code a class is: the JDK's, harrier's, the program's or its libraries', or added to a program by rewriting. */
package harrier.runtime.origin;
