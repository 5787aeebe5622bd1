package harrier.runtime.jdk;

import static org.junit.Assert.assertEquals;

import java.util.Set;
import java.util.TreeSet;
import org.junit.Test;

/** The tables of the JDK say nothing that contradicts another one. */
public class JdkTablesTest {
    @Test
    public void stepsMayUseTheClassesThatStatesMayHold() {
        Set<String> refused = new TreeSet<>(JdkFields.VALUES);
        refused.addAll(JdkFields.OBJECTS);
        refused.removeIf(name -> JdkClasses.isAllowed(name.replace('.', '/')));
        assertEquals(Set.of(), refused);
    }

    @Test
    public void aClassWhoseFieldsAreItsStateIsAValueOrAnObject() {
        Set<String> both = new TreeSet<>(JdkFields.VALUES);
        both.retainAll(JdkFields.OBJECTS);
        assertEquals(Set.of(), both);
    }
}
