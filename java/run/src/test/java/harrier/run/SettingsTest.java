package harrier.run;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.Test;

public class SettingsTest {
    private static void expect(String want, String... written) {
        assertEquals(want, Settings.of(List.of(written)).toString());
    }

    private static void refuse(String want, String... written) {
        assertEquals(want, assertThrows(IllegalArgumentException.class, () -> Settings.of(List.of(written))).getMessage());
    }

    @Test public void theSmallestAreFirst() {
        expect("[{n=1, m=0}, {n=1, m=1}, {n=2, m=0}, {n=1, m=2}, {n=2, m=1}, {n=2, m=2}]", "n=1..2", "m=0..2");
        expect("[{n=4}, {n=-1}, {n=0}]", "n = 4, -1..0");
        expect("[{b=true, x=0.5}, {b=true, x=FAST}, {b=false, x=0.5}, {b=false, x=FAST}]", "b=true,false", "x=0.5,FAST");
        expect("[{}]");
    }

    @Test public void firstStatesAreNamed() {
        expect("[{setUp.choose=1/0}]", "setUp.choose=1/0");
        refuse("\"setUp.choose=all\": name one first state each, such as setUp.choose=0: harrier check --set setUp.choose=all lists them",
            "setUp.choose=all");
    }

    @Test public void textsAreOneValue() {
        for (String text : List.of("1", "1..2", "1,2", "a,b", "..", "\"", "\"a\"", "")) {
            assertEquals(List.of(Map.of("s", text)), Settings.of(List.of("s=" + Settings.value(text))));
        }
        expect("[{s=a,b}]", "s=a,b");
    }

    @Test public void wrongOnesSayHowTheyAreWritten() {
        refuse("\"n\": write name=value, such as acceptors=5", "n");
        refuse("\"n=4..1\": a range goes from the smaller number to the larger one: write 1..4", "n=4..1");
        refuse("\"n=1..\": write several values as 1..4 or 1,2,4, and a text in double quotes", "n=1..");
        refuse("\"n=1,1\": it has a value twice", "n=1,1");
        refuse("\"n=1..99999999999999999999\": that makes more than 1000 settings: take fewer values", "n=1..99999999999999999999");
        refuse("\"m=1..100\": that makes more than 1000 settings: take fewer values", "n=1..100", "m=1..100");
        refuse("the parameter n is set twice", "n=1..2", "n=3");
    }
}
