package harrier.runtime.profile;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import harrier.runtime.profile.Profile.Sample;
import org.junit.Test;

public class ProfileTest {
    private static final StackTraceElement BRIDGE = frame("app", "harrier.runtime.Bridge", 80);
    private static final StackTraceElement STEPS = frame("app", "harrier.runtime.step.Exploration", 210);
    private static final StackTraceElement ENCODER = frame("app", "harrier.runtime.codec.graph.Encoder", 30);
    private static final StackTraceElement API = frame("app", "harrier.Actor", 60);
    private static final StackTraceElement NODE = frame("program", "raft.Node", 7);
    private static final StackTraceElement LIST = frame(null, "java.util.ArrayList", 400);

    private static StackTraceElement frame(String loader, String type, int line) {
        return new StackTraceElement(loader, null, null, type, "m", type.substring(type.lastIndexOf('.') + 1) + ".java", line);
    }

    private static Sample sample(String what, StackTraceElement... stack) {
        return Profile.sample(what, stack);
    }

    @Test
    public void timeOfTheProgramsCodeIsOfItsLines() {
        Sample ofNode = new Sample("code of the program", "Node.on(Vote)", "Node.java:7");
        assertEquals(ofNode, sample("n1: Node.on(Vote)", NODE, STEPS, BRIDGE));
        assertEquals("what it calls of the JDK", ofNode, sample("n1: Node.on(Vote)", LIST, NODE, STEPS, BRIDGE));
        assertEquals("the API", ofNode, sample("n1: Node.on(Vote)", API, NODE, STEPS, BRIDGE));
        assertEquals("a class without lines", new Sample("code of the program", "Node.on(Vote)", "raft.Vote"),
            sample("n1: Node.on(Vote)", frame("program", "raft.Vote", -1), NODE, STEPS, BRIDGE));
    }

    @Test
    public void timeOfHarriersCodeIsOfItsActivity() {
        assertEquals(new Sample("encoding", "Node.on(Vote)", ""), sample("n1: Node.on(Vote)", LIST, ENCODER, API, NODE, STEPS, BRIDGE));
        assertEquals(new Sample("around the code of the program", "", ""), sample("", STEPS, BRIDGE));
    }

    @Test
    public void threadsThatAnswerNoQuestionAreLeftOut() {
        assertNull(sample("", LIST));
        assertNull(sample("", STEPS));
        assertNull(sample(""));
    }
}
