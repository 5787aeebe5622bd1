package harrier.runtime;

import java.io.IOException;
import java.io.PrintStream;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

public class RehearsalTest {
    private final PrintStream out = System.out;
    private final PrintStream err = System.err;

    @Before
    public void prepare() {
        UserProgram.prepare();
    }

    @After
    public void restore() {
        System.clearProperty("harrier.classes");
        System.setOut(out);
        System.setErr(err);
    }

    @Test
    public void everyQuestionIsAnswered() throws IOException {
        Rehearsal.main(new String[0]); // fails otherwise
    }
}
