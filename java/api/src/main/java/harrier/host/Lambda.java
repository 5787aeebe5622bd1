package harrier.host;

/**
 * Marks the classes that stand in for a program's lambdas and method references. They are made when the program
 * is loaded, so that its lambdas can be part of an actor's state and of messages. Programs have no use for it.
 */
public interface Lambda {}
