package harrier.runtime.rules;

import harrier.host.Control;
import harrier.runtime.jdk.Behind;
import harrier.runtime.jdk.Order;
import harrier.runtime.rules.allow.Rule;
import harrier.runtime.rules.allow.Rules;
import harrier.runtime.rules.refuse.Receivers;
import harrier.runtime.rules.refuse.Refusals;
import harrier.runtime.rules.refuse.Stack;
import harrier.runtime.rules.statics.StaticAccess;
import java.net.DatagramPacket;
import java.time.Instant;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import jdk.internal.misc.Unsafe;

/**
 * What hooks ask on behalf of a program's code: each method hands on to the part of its {@link Guard} that decides. It has as many
 * methods as there are questions.
 */
final class HookControl implements Control {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long ROOM = UNSAFE.objectFieldOffset(DatagramPacket.class, "bufLength");
    private static final long FILLED = UNSAFE.objectFieldOffset(DatagramPacket.class, "length");

    static {
        Behind.use();
    }

    private final Guard guard;
    private final Rules rules;
    private final Notes notes;
    private final CallCheck calls;
    private final StaticAccess statics;
    private final Machine machine;
    private final Chance chance;
    private final Callers callers;
    private final Map<String, Object> names = new ConcurrentHashMap<>();
    /** The state of the order that is on, from before the outermost initializer began. */
    private int[] order;

    HookControl(Guard guard, CallCheck calls, StaticAccess statics, Machine machine, Chance chance, Callers callers) {
        this.guard = guard;
        this.calls = calls;
        this.statics = statics;
        this.machine = machine;
        this.chance = chance;
        this.callers = callers;
        rules = guard.rules();
        notes = guard.notes();
    }

    @Override
    public void check(Object receiver, String called, int number, String place) {
        calls.check(receiver, called, number, place);
    }

    @Override
    public Map<String, Object> names() {
        return names;
    }

    @Override
    public void lend() {
        guard.lend();
    }

    @Override
    public ClassLoader loader() {
        return guard.loader();
    }

    @Override
    public boolean isStarting() {
        return callers.isStarting();
    }

    @Override
    public boolean isInitializing() {
        return statics.isInitializing();
    }

    @Override
    public Instant now(String place) {
        return machine.now(place);
    }

    @Override
    public String property(String name, String place) {
        return machine.property(name, place);
    }

    @Override
    public Properties properties(String place) {
        return machine.properties(place);
    }

    @Override
    public Map<String, String> environment(String place) {
        return machine.environment(place);
    }

    @Override
    public int processors(String place) {
        return machine.processors(place);
    }

    @Override
    public void interfaces(String place) {
        machine.interfaces(place);
    }

    @Override
    public void address(String host, String place) {
        machine.address(host, place);
    }

    @Override
    public void shutdownHook(String place) {
        machine.shutdownHook(place);
    }

    @Override
    public long seed(String what, String place) {
        return chance.seed(what, place);
    }

    @Override
    public UUID uuid(String place) {
        return chance.uuid(place);
    }

    @Override
    public long unseeded(Random random) {
        return Receivers.hasMarker(random) ? Receivers.UNSEEDED : 0;
    }

    @Override
    public void drawUnseeded() {
        chance.drawUnseeded();
    }

    @Override
    public double number(String what, String place) {
        return chance.number(what, place);
    }

    @Override
    public <T> T allocate(Class<T> type) {
        return Receivers.allocate(type);
    }

    @Override
    public int choose(int n) {
        return chance.choose(n);
    }

    @Override
    public ThreadLocalRandom threadLocalRandom(String place) {
        return chance.threadLocalRandom(place);
    }

    @Override
    public boolean hasThreadLocals() {
        return calls.hasThreadLocals();
    }

    @Override
    public boolean keeps(ThreadLocal<?> local, boolean isOwn, String place) {
        return isOwn ? calls.keepsOwn(local, "ThreadLocal.get", place) : calls.keeps(local, "ThreadLocal.get", place);
    }

    @Override
    public boolean ignoresSleep() {
        return rules.allow(Rule.THREADS, "ignore-sleep");
    }

    @Override
    public void notPreempted(String place) {
        notes.add("threads are not preempted in {}, below a method of the JDK, or in a constructor or initializer", place);
    }

    @Override
    public void sleep(String what, String place) {
        if (!ignoresSleep()) {
            wantThreadsOfLibrary();
            throw Refusals.note(Stack.say(place, "calls " + what) + ": a handler must not wait: return, and go on when a"
                + " message or a timer comes; --allow threads=ignore-sleep goes on at once", "threads=ignore-sleep");
        }
    }

    private void wantThreadsOfLibrary() {
        if (guard.isLibrary(Stack.caller())) {
            notes.wantThreads();
        }
    }

    @Override
    public void parallel(String what, String place) {
        if (!rules.allow(Rule.THREADS, "sequential-streams")) {
            throw Refusals.note(Stack.say(place, what) + ": an actor is one sequential process: leave the stream as it is;"
                + " --allow threads=sequential-streams does", "threads=sequential-streams");
        }
    }

    @Override
    public void refuseThreads(String what, String place) {
        wantThreadsOfLibrary();
        throw Refusals.note(Stack.say(place, what)
            + ": an actor is one sequential process: hand tasks to its eventLoop(), or make another actor");
    }

    @Override
    public Error refused(String what, String mend) {
        return Refusals.note(Stack.say(Stack.place(), what) + ": " + mend);
    }

    @Override
    public int room(DatagramPacket packet) {
        return Math.min(UNSAFE.getInt(packet, ROOM), packet.getData().length - packet.getOffset());
    }

    @Override
    public void fill(DatagramPacket packet, int length) {
        UNSAFE.putInt(packet, FILLED, length);
    }

    @Override
    public void staticWrite(String field, String place) {
        statics.write(field, place);
    }

    @Override
    public void staticRead(String field, String place) {
        statics.read(field, place);
    }

    @Override
    public void line(boolean returns) {
        guard.line(returns);
    }

    /** What the initializer of a class draws, and in which order it iterates, must not depend on whose step comes first. */
    @Override
    public void initializing() {
        if (statics.isSealed()) {
            if (!statics.isInitializing()) {
                chance.beginInitializer();
                order = Order.beginAside();
            }
            statics.initializing();
        }
    }

    @Override
    public void initialized(Class<?> type) {
        if (statics.isSealed()) {
            try {
                if (statics.initialized(type)) {
                    notes.addValues();
                }
            } finally {
                if (!statics.isInitializing()) {
                    chance.endInitializer();
                    Order.endAside(order);
                }
            }
        }
    }
}
