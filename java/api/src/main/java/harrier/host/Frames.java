package harrier.host;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How methods of the program are left and come back to. A method that may wait is rewritten: it begins with
 * {@link #place}, and where that is not 0 it takes the values of its frame with {@link #value} and goes on at that call. After
 * each call that may wait it asks {@link #isLeft}, and where that holds it saves what it needs and returns.
 */
public final class Frames {
    /** Those to come back to, outermost first; null if there are none. */
    private List<Frame> before;
    private int next;
    private Frame at;
    private int left;
    /** Those that were left, innermost first. */
    private final List<Frame> after = new ArrayList<>();
    private final List<Object> values = new ArrayList<>();

    /** Begins to come back to frames. */
    void comeBack(List<Frame> frames) {
        before = frames;
    }

    /** Reports whether there are no more frames to come back to. */
    boolean isBack() {
        return before != null && next == before.size();
    }

    void clear() {
        before = null;
    }

    /** The frames that were left, outermost first. */
    List<Frame> left() {
        List<Frame> found = new ArrayList<>(after);
        Collections.reverse(found);
        return found;
    }

    /** Called as a method begins that may wait: the number of the call to go on at; 0 if the method begins anew. */
    public static int place() {
        Threads here = Threads.here();
        if (here == null || here.frames.before == null || here.frames.next == here.frames.before.size()) {
            return 0;
        }
        Frames frames = here.frames;
        frames.at = frames.before.get(frames.next++);
        frames.left = frames.at.values().length;
        return frames.at.place();
    }

    /** The next value of the frame that the method goes on with: the last one saved comes first. */
    public static Object value() {
        Frames frames = Threads.here().frames;
        return frames.at.values()[--frames.left];
    }

    /** What the next method of those to come back to is called on; null if there is none. */
    public static Object receiver() {
        Frames frames = Threads.here().frames;
        return frames.next == frames.before.size() ? null : frames.before.get(frames.next).self();
    }

    /** Called after a call that may wait: reports whether the method is left. */
    public static boolean isLeft() {
        Threads here = Threads.here();
        return here != null && here.isLeaving();
    }

    /** Saves a value of a frame that is left. */
    public static void save(Object value) {
        Threads.here().frames.values.add(value);
    }

    /** Saves a frame whose values are saved. */
    public static void saved(Object self, String method, int line, int place) {
        Frames frames = Threads.here().frames;
        frames.after.add(new Frame(method, line, place, self, frames.values.toArray()));
        frames.values.clear();
    }
}
