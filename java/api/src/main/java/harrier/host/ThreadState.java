package harrier.host;

/** What is part of the state of a program's threads and executors, though its class is harrier's. */
public interface ThreadState {}
