package harrier.runtime.step;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.Actor;
import harrier.Hosting;
import harrier.runtime.UserProgram;
import harrier.runtime.actor.Setting;
import harrier.runtime.codec.graph.NotCapturableException;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

public class EffectsTest {
    private final UserProgram program = new UserProgram("""
        class Counter extends Actor {
            int n;
            protected void start() { n++; send(self(), n); }
        }
        class Chooser extends Actor { protected void start() { choose(2); } }
        class Family extends Actor { protected void start() { create("kid", new Counter()); } }
        """);
    private final Effects effects = new Effects(Setting.of(program.codec(), false, program.loader().covered()), Choices.NONE);

    @Test
    public void nothingHappenedAtFirst() {
        assertEquals(List.of(), effects.sends());
        assertEquals(List.of(), effects.creates());
        assertNull(effects.notCapturable());
    }

    @Test
    public void sendsKeepTheirOrderAndContent() {
        List<Integer> message = new ArrayList<>(List.of(1));
        effects.send("", UserProgram.name("x"), message);
        message.add(2);
        effects.send("y", UserProgram.name("x"), message);

        assertEquals(List.of(">x [1]", "y>x [1, 2]"), program.show(effects.sends()));
    }

    @Test
    public void aCreatedActorIsStartedAndFrozen() {
        Actor actor = (Actor) program.make("Counter");

        assertEquals(UserProgram.name("c"), effects.create("c", actor));

        ActorState state = effects.creates().get(0);
        assertEquals("c", state.name());
        assertEquals("Counter", state.type());
        assertEquals("Counter{n=1}", program.show(state.local()));
        assertEquals(List.of("c>c 1"), program.show(effects.sends()));
    }

    @Test
    public void childrenOfAStartAreCreatedToo() {
        effects.create("f", (Actor) program.make("Family"));

        assertEquals(List.of("f", "f/kid1"), effects.creates().stream().map(ActorState::name).sorted().toList());
    }

    @Test
    public void propertiesCannotChoose() {
        assertEquals("choose works in handlers and in setUp() only",
            assertThrows(IllegalStateException.class, () -> effects.create("c", (Actor) program.make("Chooser")))
                .getMessage());
    }

    @Test
    public void whatCannotBeCapturedIsRemembered() {
        assertThrows(NotCapturableException.class, () -> effects.send("", UserProgram.name("x"), new Thread()));

        assertNotNull(effects.notCapturable());
        assertEquals(List.of(), effects.sends());
    }

    @Test
    public void anActorDoesNothingAfterItWasCreated() {
        Actor actor = (Actor) program.make("Counter");
        effects.create("c", actor);

        assertEquals(UserProgram.name("c"), actor.self());
        assertThrows(NotCapturableException.class, () -> Hosting.changing(actor, "execute"));
        assertTrue(effects.notCapturable().getMessage().startsWith("c calls execute after it was created"));
    }

    @Test
    public void nullIsNoMessage() {
        assertThrows(NullPointerException.class, () -> effects.send("", UserProgram.name("x"), null));
        assertNull(effects.notCapturable());
    }
}
