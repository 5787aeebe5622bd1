package harrier.runtime.codec;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.ActorName;
import harrier.Role;
import harrier.runtime.Restored;
import harrier.runtime.UserProgram;
import harrier.runtime.program.LoadedProgram;
import harrier.runtime.program.Options;
import harrier.runtime.refusal.Loading;
import harrier.runtime.step.ActorState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.Rule;
import org.junit.Test;

/** What create(role, n, ..) gives is a value of its own. */
public class RoleTest {
    private static final String PROGRAM = """
        class Peer extends Actor {}
        class Holder extends Actor {
            final List<ActorName> all; final List<ActorName> same; final List<ActorName> copy;
            Holder(List<ActorName> all) { this.all = all; same = all; copy = new ArrayList<>(all); }
        }
        class S extends Scenario { protected void setUp() {
            List<ActorName> peers = create("peer", 3, i -> new Peer());
            create("a", new Holder(peers));
            create("b", new Holder(peers));
            create("none", new Holder(create("nobody", 0, i -> new Peer())));
        } }""";

    @Rule
    public final Restored restored = new Restored();

    private final LoadedProgram program =
        Loading.load(UserProgram.compile(PROGRAM), "Program.java", "S", Map.of(), Options.STANDARD);
    private final Codec codec = new Codec(program.loader(), program.loader()::defined);

    private Object field(String actor, String name) throws ReflectiveOperationException {
        ActorState state = program.initial().creates().stream().filter(a -> a.name().equals(actor)).findFirst().orElseThrow();
        Object holder = codec.decodeLocalState(state.local()).actor();
        java.lang.reflect.Field field = holder.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(holder);
    }

    private static List<ActorName> names(String... names) {
        return Arrays.stream(names).map(UserProgram::name).toList();
    }

    @Test
    public void itIsAListOfTheNamesAndComesBackAsARole() throws ReflectiveOperationException {
        Object all = field("a", "all");
        assertEquals(Role.class, all.getClass());
        assertEquals(names("peer1", "peer2", "peer3"), all);
        assertEquals("by content", all, names("peer1", "peer2", "peer3"));
        assertEquals(names(), field("none", "all"));
        assertEquals("a copy is a plain list", ArrayList.class, field("a", "copy").getClass());
        assertEquals(all, field("a", "copy"));
        assertThrows(IndexOutOfBoundsException.class, () -> ((List<?>) all).get(3));
    }

    @Test
    public void itIsAValueThatActorsMayShare() throws ReflectiveOperationException {
        assertEquals(field("a", "all"), field("b", "all"));
        assertNotSame("without identity", field("a", "all"), field("a", "same"));
        assertTrue("it cannot be changed",
            assertThrows(UnsupportedOperationException.class, () -> ((List<?>) field("a", "all")).remove(0)) != null);
    }
}
