package harrier.runtime.analysis.footprint;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

public class PointsToTest {
    /** {@code last = box.content}, where the box is given before and after the content is. */
    private static int build(PointsTo points, List<Integer> met) {
        int box = points.object();
        int first = points.object();
        int second = points.object();
        int boxes = points.node("boxes");
        int last = points.node("last");
        points.include(points.inside(box), first);
        points.take(boxes, last);
        points.each(last, met::add);
        points.include(boxes, box);
        points.copy(points.node("second"), points.inside(box));
        points.include(points.node("second"), second);
        return last;
    }

    @Test
    public void eachObjectIsFoundOnce() {
        PointsTo points = new PointsTo();
        List<Integer> met = new ArrayList<>();
        int last = build(points, met);
        assertTrue(points.solve());
        assertEquals("{1, 2}", points.set(last).toString());
        assertEquals(List.of(1, 2), met.stream().sorted().collect(java.util.stream.Collectors.toList()));
    }

    @Test
    public void whatTakesTooLongIsGivenUp() {
        PointsTo points = new PointsTo(3);
        build(points, new ArrayList<>());
        assertFalse(points.solve());
    }
}
