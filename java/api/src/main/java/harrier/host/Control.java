package harrier.host;

import java.net.DatagramPacket;
import java.time.Instant;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What stands behind the hooks on one thread: it decides what code of a program may do now. A {@code place} is where
 * the code is, for people. All methods throw an error where a rule is broken.
 */
public interface Control {
    /**
     * Says that a call of the table of sources is about to happen.
     *
     * @param receiver the object whose method it is; null if it has none
     * @param called the name and descriptor of the method, if the receiver's class decides which code runs; otherwise null
     * @param source the number of the call in the table
     */
    void check(Object receiver, String called, int source, String place);

    /** The names of actors so far, by their text, of the copy of the program that runs. */
    Map<String, Object> names();

    /** The time of the running step. */
    Instant now(String place);

    /** Reports whether code that sleeps goes on at once. */
    boolean ignoresSleep();

    /** Reports whether the step has values of thread locals, which are gone when it ends. */
    boolean hasThreadLocals();

    /** Notes that code uses a thread local, with methods of its own or not, and reports whether that is by another one than a library that logs. */
    boolean keeps(ThreadLocal<?> local, boolean isOwn, String place);

    /** Says that no thread is preempted at a place, although others may run there: it cannot leave what called it. */
    void notPreempted(String place);

    /** Lets time pass where the program sleeps, if that is allowed. */
    void sleep(String what, String place);

    /** The seed of a random generator that the program gives none. */
    long seed(String what, String place);

    /** A UUID. */
    UUID uuid(String place);

    /** The seed that stands for none, if a random generator has that; otherwise 0. */
    long unseeded(Random random);

    /** Refuses that code of the JDK draws from a random generator without a seed. */
    void drawUnseeded();

    /** A number from 0 to less than 1. */
    double number(String what, String place);

    /** The random generator of the thread. */
    ThreadLocalRandom threadLocalRandom(String place);

    /** A new object of a class, on which no constructor has run. */
    <T> T allocate(Class<T> type);

    /** One of the numbers 0 to {@code n - 1}, each of which is explored. */
    int choose(int n);

    /** A property of the system; null if it is not set. */
    String property(String name, String place);

    /** All properties of the system that are set. */
    Properties properties(String place);

    /** Whether a program is being set up, or one of its classes initialized. */
    boolean isStarting();

    /** Whether a class is initialized in a step. */
    boolean isInitializing();

    /** The environment variables. */
    Map<String, String> environment(String place);

    /** Refuses to ask for the address of a host that is not one in digits. */
    void address(String host, String place);

    /** How many processors there are. */
    int processors(String place);

    /** Is called before the machine is said to have no network interfaces. */
    void interfaces(String place);

    /** The class loader of the program. */
    ClassLoader loader();

    /** Says that the program has something done when the process ends. */
    void shutdownHook(String place);

    /** Refuses parallel streams, unless they may be sequential ones. */
    void parallel(String what, String place);

    /** The error to throw for a value that no state determines, with its mend. */
    Error refused(String what, String mend);

    /** How many bytes a packet may take, however few it took before. */
    int room(DatagramPacket packet);

    /** Says how many bytes a packet has, as {@link DatagramPacket#setLength} does, but leaves its room as it is. */
    void fill(DatagramPacket packet, int length);

    /** Refuses code that would run on a thread of the JDK. */
    void refuseThreads(String what, String place);

    /**
     * Says that a static field is about to be written outside of its class's initializer.
     *
     * @param field its class's binary name, a dot and its own
     */
    void staticWrite(String field, String place);

    /** Says that a static field is about to be read. */
    void staticRead(String field, String place);

    /** Says that a line of code begins, or that a method returns. */
    void line(boolean returns);

    /** Says that the initializer of a class begins. */
    void initializing();

    /** Says that it ends. */
    void initialized(Class<?> type);

    /** Decides on this thread, too, which does a part of the work of another one that waits for it. */
    void lend();
}
