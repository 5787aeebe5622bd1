package harrier.runtime.profile;

import harrier.runtime.origin.Origin;
import harrier.runtime.program.Wire;
import harrier.runtime.rules.Running;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Counts what the threads that answer questions do when they are looked at. */
public final class Profile {
    private static final long PAUSE = 10_000_000; // nanoseconds between two looks
    private static final String PROGRAM = "code of the program";
    private static final String LOADING = "loading and analysis";
    /** What packages of the runtime do, by what comes behind {@code harrier.runtime.} in the names of their classes. */
    private static final Map<String, String> ACTIVITIES = Map.of("codec", "encoding", "property", "properties",
        "analysis", LOADING, "load", LOADING, "refusal", LOADING, "jdk", LOADING);

    private final Map<Sample, Integer> counts = new ConcurrentHashMap<>();

    /**
     * What a thread was seen to do.
     *
     * @param activity a word for it
     * @param handler the handler or property that runs; "" if none does
     * @param place the file and the line of the program's code, or the class if that has no lines; "" elsewhere
     */
    record Sample(String activity, String handler, String place) {}

    private Profile() {}

    /** Begins to look, until the virtual machine ends. */
    public static Profile begin() {
        Profile profile = new Profile();
        Thread looks = new Thread(profile::look, "harrier: profile");
        looks.setDaemon(true);
        looks.start();
        return profile;
    }

    private void look() {
        while (true) {
            LockSupport.parkNanos(PAUSE);
            for (Running r : Running.all()) {
                Sample sample = sample(r.what(), r.thread().getStackTrace());
                if (sample != null) {
                    counts.merge(sample, 1, Integer::sum);
                }
            }
        }
    }

    /** What a thread with a stack does; null if it answers no question. */
    static Sample sample(String what, StackTraceElement[] stack) {
        Sample found = null;
        boolean answers = false;
        for (StackTraceElement frame : stack) {
            String type = frame.getClassName();
            answers |= type.equals("harrier.runtime.Bridge");
            if (found != null || Origin.isJdks(type)) {
                continue; // the JDK's code is its caller's
            }
            if (Origin.LOADER.equals(frame.getClassLoaderName())) {
                found = new Sample(PROGRAM, handler(what), frame.getLineNumber() > 0 ? frame.getFileName() + ":" + frame.getLineNumber() : type);
            } else if (Origin.isRuntime(type)) {
                found = new Sample(activity(type), handler(what), "");
            }
        }
        return answers ? found : null;
    }

    private static String activity(String type) {
        String rest = type.substring("harrier.runtime.".length());
        return ACTIVITIES.getOrDefault(rest.substring(0, Math.max(0, rest.indexOf('.'))), "around the code of the program");
    }

    /** What runs, without the actor that runs it. */
    private static String handler(String what) {
        return what.substring(what.indexOf(": ") < 0 ? 0 : what.indexOf(": ") + 2);
    }

    /** Writes what was seen, and how often. */
    public void write(Wire.Writer out) {
        counts.forEach((sample, count) -> out.flag(true).string(sample.activity).string(sample.handler).string(sample.place)
            .number(count));
        out.flag(false);
    }
}
