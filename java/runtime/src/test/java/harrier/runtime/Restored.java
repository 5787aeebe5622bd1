package harrier.runtime;

import harrier.runtime.rules.Guard;
import java.io.PrintStream;
import org.junit.rules.ExternalResource;

/** Leaves thread and process to the next test as they were before a program was loaded, and nothing refused. */
public final class Restored extends ExternalResource {
    private final ClassLoader loader = Thread.currentThread().getContextClassLoader();
    private final PrintStream out = System.out;
    private final PrintStream err = System.err;

    @Override
    protected void after() {
        Thread.currentThread().setContextClassLoader(loader);
        System.setOut(out);
        System.setErr(err);
        Guard.takeRefusal();
    }
}
