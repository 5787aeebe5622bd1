package harrier;

import harrier.host.MainThread;

/**
 * The actor of {@link Scenario#process}: a whole program with static fields of its own, whose threads and sockets are all that others
 * notice of it.
 *
 * @see <a href="{@docRoot}/guide.html#whole-programs">Guide: whole programs</a>
 */
public final class ProcessActor extends Actor {
    private final Program program;

    ProcessActor(Program program) {
        this.program = program;
    }

    /** The program, as the first thread runs it. */
    record Main(Program program) implements MainThread.Body {
        @Override
        public void run() throws Exception {
            program.main();
        }
    }

    @Override
    protected void start() {
        MainThread.start(changing("start"), new Main(program));
    }
}
