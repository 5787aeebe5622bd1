package harrier.runtime.failure;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class FailureTest {
    @Test
    public void methodsAreCalledAsProgramsCallThem() {
        assertEquals("Node.on", Failure.method("paxos.Node", "on"));
        assertEquals("Node.Timer.the constructor", Failure.method("paxos.Node$Timer", "<init>"));
        assertEquals("Node.on", Failure.method("paxos.Node", "lambda$on$3"));
        assertEquals("Hakker.hungry", Failure.method("hakkers.Hakker", "$anonfun$hungry$1$adapted"));
        assertEquals("Fork.the static initializer", Failure.method("hakkers.Fork$", "<clinit>"));
    }
}
