package harrier.runtime;

import harrier.runtime.program.LoadedProgram;
import harrier.runtime.refusal.Loading;
import java.nio.ByteBuffer;
import java.util.Map;

/**
 * One of those who answer questions. It answers one at a time, on any thread, with a program of its own: what
 * a program can change, such as static fields and the scenario, is never shared by two workers.
 */
final class Worker {
    private static final byte[] NOTHING = {};

    /** What {@link #own} was made from. */
    private volatile LoadedProgram loaded;
    private LoadedProgram own;
    private byte[] pending = NOTHING;

    /** The worker's program, made from the one that was loaded when that is first needed. */
    LoadedProgram program(LoadedProgram nowLoaded) {
        if (loaded != nowLoaded) {
            take(Loading.again(nowLoaded), nowLoaded);
        }
        own.loader().enter();
        return own;
    }

    /** Forgets the worker's program, so that the next question makes another one. */
    void renew() {
        loaded = null;
    }

    /** Takes the program that the worker loaded itself. */
    void load(LoadedProgram program) {
        take(program, program);
    }

    private void take(LoadedProgram program, LoadedProgram madeFrom) {
        own = program;
        loaded = madeFrom;
        program.steps().prepare();
    }

    /** Adds the class files that the worker's program loaded so far, if it has one of the program now loaded. */
    void addClasses(LoadedProgram nowLoaded, Map<String, byte[]> classes) {
        if (loaded == nowLoaded) {
            classes.putAll(own.loader().loaded());
        }
    }

    /** Writes an answer if there is room for it, keeps it otherwise, and returns its size. */
    int give(byte[] answer, ByteBuffer out) {
        if (answer.length > out.capacity()) {
            pending = answer;
        } else {
            out.put(answer);
        }
        return answer.length;
    }

    /** Writes the answer for which there was no room. */
    void fetch(ByteBuffer out) {
        out.put(pending);
        pending = NOTHING;
    }
}
