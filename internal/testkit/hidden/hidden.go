// Package hidden writes random Java programs whose steps depend on a message's sender, on names, on auxiliary fields or on static state
// in a method that the JDK calls: as a callback, by reflection, by a method handle, when it serializes an object. What an analysis of
// bytecode says of such a step is to be compared with what executions show.
//
// Each case is a program by itself: an analysis that is told of several at once finds what one does wherever the JDK calls another.
package hidden

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Dependences are what a step can depend on.
var Dependences = []string{"sender", "name", "auxiliary", "static"}

// A Case is one program.
type Case struct {
	Dependence string
	Calls      string // the statement by which the JDK comes to call act()
	hook       string // what makes the hook; empty if the statement needs none
	effect     string
	asks       int  // messages of each guest
	isLater    bool // the desk serves when it is told to, and not when it is asked
}

func (c Case) String() string { return c.Dependence + " by " + c.hook + " " + c.Calls }

// calls are statements in which the JDK calls hook.run(), each by another method, or act() by its name.
var calls = []string{
	"new TreeMap<Hook, Integer>().put(hook, 1);",
	"new TreeSet<Object>(Set.of(hook));",
	"new PriorityQueue<Hook>(List.of(hook, new Hook(() -> { }))).poll();",
	"Arrays.sort(new Hook[] {hook, new Hook(() -> { })});",
	"Collections.max(List.of(hook, hook));",
	"new ArrayList<Hook>(List.of(hook, hook)).sort(null);",
	"new ArrayList<Integer>(List.of(2, 1)).sort((a, b) -> { hook.run(); return a - b; });",
	"List.of(2, 1).stream().sorted(Comparator.comparing(x -> { hook.run(); return x; })).toList();",
	"new HashMap<Object, Integer>().put(hook, 1);",
	"new HashSet<Object>().add(hook);",
	"Objects.hash(hook, 1);",
	"List.of(hook).hashCode();",
	"new ArrayList<Object>(List.of(1)).contains(hook);",
	"Objects.equals(hook, 1);",
	"new Pair(hook).hashCode();",
	"new Pair(hook).equals(new Pair(new Hook(() -> { })));",
	"new Pair(hook).toString();",
	"String.valueOf((Object) hook);",
	"String.format(\"%s\", hook);",
	"new StringBuilder().append(hook);",
	"List.of(hook).toString();",
	"java.text.MessageFormat.format(\"{0}\", hook);",
	"new StringJoiner(\",\").add(hook).toString();",
	"String.join(\",\", List.of(hook));",
	"for (Integer each : hook) { }",
	"hook.iterator().forEachRemaining(x -> { });",
	"java.util.stream.StreamSupport.stream(hook.spliterator(), false).count();",
	"new HashMap<Integer, Integer>().computeIfAbsent(1, k -> { hook.run(); return k; });",
	"new HashMap<>(Map.of(1, 1)).merge(1, 1, (a, b) -> { hook.run(); return a; });",
	"new ArrayList<>(List.of(1)).removeIf(x -> { hook.run(); return true; });",
	"List.of(1).forEach(x -> hook.run());",
	"List.of(1, 2).stream().map(x -> { hook.run(); return x; }).toList();",
	"java.util.stream.Stream.iterate(1, x -> { hook.run(); return x + 1; }).limit(3).toList();",
	"Optional.of(1).ifPresent(x -> hook.run());",
	"Optional.empty().orElseGet(() -> { hook.run(); return 1; });",
	"ThreadLocal.withInitial(() -> { hook.run(); return 1; }).get();",
	"java.util.concurrent.CompletableFuture.completedFuture(1).thenAccept(x -> hook.run());",
	"new java.util.concurrent.FutureTask<Integer>(hook::run, 1).run();",
	"new java.util.concurrent.atomic.AtomicInteger().updateAndGet(x -> { hook.run(); return x; });",
	"((Runnable) java.lang.reflect.Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Runnable.class}, (p, m, a) -> {" +
		" hook.run(); return null; })).run();",
	"Written.with(hook);",
	"java.lang.invoke.MethodHandles.filterReturnValue(Hook.RUN, Hook.RUN).invoke(hook);",
	"Hook.RUN.bindTo(hook).invokeWithArguments();",
	"java.util.function.Function.<Integer>identity().andThen(x -> { hook.run(); return x; }).apply(1);",
}

// direct are statements in which the JDK calls act(), or a method that does nothing but call it, of an object that is made there.
var direct = []string{
	"getClass().getDeclaredMethod(\"a\" + \"ct\").invoke(this);",
	"for (var m : getClass().getDeclaredMethods()) if (m.getName().equals(\"act\")) m.invoke(this);",
	"java.lang.invoke.MethodHandles.lookup().findVirtual(getClass(), \"act\", java.lang.invoke.MethodType.methodType(void.class)).invoke(this);",
	"java.lang.invoke.MethodHandles.lookup().bind(this, \"act\", java.lang.invoke.MethodType.methodType(void.class)).invoke();",
	"java.lang.invoke.MethodHandles.lookup().unreflect(getClass().getDeclaredMethod(\"act\")).invoke(this);",
	"new HashSet<Object>().add(new Object() { @Override public int hashCode() { act(); return 1; } });",
	"new HashMap<Object, Integer>().containsKey(new Object() { @Override public int hashCode() { act(); return 1; } });",
	"new java.util.concurrent.ConcurrentHashMap<Object, Integer>().put(new Object() { @Override public int hashCode() { act(); return 1; } }, 1);",
	"List.of(1).indexOf(new Object() { @Override public boolean equals(Object other) { act(); return false; } });",
	"new ArrayList<Object>(List.of(1)).remove(new Object() { @Override public boolean equals(Object other) { act(); return false; } });",
	"new TreeSet<Object>().add(new Comparable<Object>() { @Override public int compareTo(Object other) { act(); return 0; } });",
	"new TreeMap<Object, Integer>((a, b) -> 0).put(new Object() { @Override public int hashCode() { act(); return 1; } }.hashCode(), 1);",
	"String.valueOf(new Object() { @Override public String toString() { act(); return \"\"; } });",
	"new StringBuilder().append(new Object() { @Override public String toString() { act(); return \"\"; } });",
	"Objects.hashCode(new Object() { @Override public int hashCode() { act(); return 1; } });",
	"Arrays.asList(new Object() { @Override public int hashCode() { act(); return 1; } }).hashCode();",
	"for (Object each : new AbstractList<Object>() { @Override public Object get(int i) { act(); return 1; } @Override public int size() { return 1; } }) { }",
	"new ArrayList<>(new AbstractSet<Object>() { @Override public Iterator<Object> iterator() { act(); return Collections.emptyIterator(); }" +
		" @Override public int size() { return 0; } });",
}

// hooks make the hook: of a lambda, and of a class whose only method is reached from methods that the JDK calls.
var hooks = []string{
	"Hook hook = hook(this::act);",
	"Hook hook = new Hook(null) { @Override void run() { if (!isRun) { isRun = true; act(); } } };",
}

// effects are what act() does with what it depends on.
var effects = map[string][]string{
	"sender": {
		"reply(new Served(1));",
		"send(sink, new Served(0)); reply(new Served(1));",
	},
	"name": { // of one guest or the other: a search that takes these for the same meets one of them
		"if (from.toString().endsWith(\"1\")) send(from, new Served(1));",
		"if (from.toString().endsWith(\"2\")) send(from, new Served(1));",
		"send(from, new Served(from.toString().hashCode() % 2 == 0 ? 1 : 0));",
		"send(from, new Served(from.toString().hashCode() % 2 == 1 ? 1 : 0));",
		"send(from, new Served(from.toString().compareTo(\"guest1\") > 0 ? 1 : 0));",
		"send(from, new Served(from.toString().compareTo(\"guest2\") < 0 ? 1 : 0));",
		"send(sink, new Served(String.valueOf(from).endsWith(\"1\") ? 1 : 0));",
		"send(sink, new Served(String.valueOf(from).endsWith(\"2\") ? 1 : 0));",
	},
	"auxiliary": {
		"send(sink, new Served(last));",
		"if (last == 1) send(sink, new Served(1));",
		"send(sink, new Served(Integer.compare(last, 0)));",
	},
	"static": {
		"send(sink, new Served(COUNT[0]++));",
		"send(sink, new Served(ROUND.incrementAndGet() % 2));",
		"WEAK.clear(); send(sink, new Served(0));",
	},
}

// Cases are n random cases from a seed on, with dependences among some.
func Cases(seed uint64, n int, among []string) []Case {
	random := rand.New(rand.NewPCG(seed, 1))
	cases := make([]Case, n)
	for i := range cases {
		d := among[random.IntN(len(among))]
		c := Case{Dependence: d, effect: effects[d][random.IntN(len(effects[d]))], asks: 1 + random.IntN(2), isLater: d != "sender" && random.IntN(2) == 0}
		if random.IntN(2) == 0 {
			c.Calls = direct[random.IntN(len(direct))]
		} else {
			c.Calls = calls[random.IntN(len(calls))]
		}
		if random.IntN(3) == 0 { // one within another
			outer := calls[random.IntN(len(calls))]
			if strings.Contains(outer, "hook") {
				c.Calls = fmt.Sprintf("Hook inner = hook(() -> { %s }); { Hook hook2 = inner; %s }", c.Calls, strings.ReplaceAll(outer, "hook", "hook2"))
			}
		}
		if strings.Contains(c.Calls, "hook") {
			c.hook = hooks[random.IntN(len(hooks))]
		}
		cases[i] = c
	}
	return cases
}

// Source is the program of a case, in a package.
func Source(c Case, pack string) string {
	guest := fmt.Sprintf("%d, %t, i == 1, null", c.asks, c.Dependence != "sender")
	if c.Dependence == "name" { // either guest is served, one alone, though they are the same
		guest = fmt.Sprintf("%d, true, true, sink", c.asks)
	}
	return "package " + pack + ";\n\n" + strings.Replace(program, "ASKS, IS_NAMED, IS_LATE, BY", guest, 1) +
		fmt.Sprintf(desk, c.isLater, c.hook, c.Calls, c.effect) + "}\n"
}

// program has what the cases have in common: two guests ask a desk, which serves the first of them, a guest or the sink, in a method that
// the JDK calls. Neither a late guest nor the sink is to be served with 1.
const program = `import harrier.*;
import java.util.*;

public class Hidden extends Scenario {
    record Ask(ActorName from, int n) {}
    record Flush() {}
    record Forward(ActorName desk, Ask ask) {}
    record Go(ActorName desk) {}
    record Reading(int value) {}
    record Served(int value) {}

    /** Runs something once, whichever of its methods is called. */
    static class Hook implements Comparable<Hook>, Iterable<Integer>, Iterator<Integer>, CharSequence {
        interface Code { void run() throws Throwable; }

        static final java.lang.invoke.MethodHandle RUN;
        static {
            try {
                RUN = java.lang.invoke.MethodHandles.lookup().findVirtual(Hook.class, "give", java.lang.invoke.MethodType.methodType(Hook.class));
            } catch (ReflectiveOperationException e) { throw new IllegalStateException(e); }
        }

        final Code code;
        boolean isRun;

        Hook(Code code) { this.code = code; }

        void run() {
            if (isRun) return;
            isRun = true;
            try { code.run(); } catch (RuntimeException | Error e) { throw e; } catch (Throwable e) { throw new IllegalStateException(e); }
        }

        Hook give() { run(); return this; }
        @Override public int compareTo(Hook other) { run(); return 0; }
        @Override public int hashCode() { run(); return 1; }
        @Override public boolean equals(Object other) { run(); return this == other; }
        @Override public String toString() { run(); return "hook"; }
        @Override public Iterator<Integer> iterator() { return this; }
        @Override public boolean hasNext() { run(); return false; }
        @Override public Integer next() { throw new NoSuchElementException(); }
        @Override public int length() { run(); return 0; }
        @Override public char charAt(int i) { throw new IndexOutOfBoundsException(); }
        @Override public CharSequence subSequence(int from, int to) { return this; }
    }

    static Hook hook(Hook.Code code) { return new Hook(code); }

    record Pair(Hook hook) {}

    /** Runs a hook when it is serialized. */
    static class Written implements java.io.Serializable {
        private transient Hook hook;

        static void with(Hook hook) throws java.io.IOException {
            Written written = new Written();
            written.hook = hook;
            new java.io.ObjectOutputStream(new java.io.ByteArrayOutputStream()).writeObject(written);
        }

        private void writeObject(java.io.ObjectOutputStream out) { hook.run(); }
    }

    static final int[] COUNT = {0};
    static final java.util.concurrent.atomic.AtomicInteger ROUND = new java.util.concurrent.atomic.AtomicInteger();
    static final java.lang.ref.WeakReference<Object> WEAK = new java.lang.ref.WeakReference<>(COUNT);

    static class Guest extends Actor {
        final int asks;
        final boolean isNamed, isLate;
        final ActorName by;
        int got;

        Guest(int asks, boolean isNamed, boolean isLate, ActorName by) {
            this.asks = asks;
            this.by = by;
            this.isNamed = isNamed;
            this.isLate = isLate;
        }

        @Handler void on(Go m) {
            for (int i = 0; i < asks; i++) {
                Ask ask = new Ask(isNamed ? self() : null, i);
                if (by != null) send(by, new Forward(m.desk(), ask)); else send(m.desk(), ask);
            }
        }

        @Handler void on(Served m) { got |= m.value(); }
    }

    /** Takes what the desk has for nobody else, and forwards the first message to it of those that it is sent. */
    static class Sink extends Actor {
        int got;
        boolean isForwarded;

        @Handler void on(Go m) { send(m.desk(), new Flush()); }
        @Handler void on(Forward m) { if (!isForwarded) { isForwarded = true; send(m.desk(), m.ask()); } }
        @Handler void on(Served m) { got |= m.value(); }
    }

    /** Sensors send readings to a log, which has nothing to do with the desk: steps enough that those of the desk are few among them. */
    static class Sensor extends Actor {
        final ActorName log;
        final int readings;

        Sensor(ActorName log, int readings) { this.log = log; this.readings = readings; }

        @Override protected void start() { for (int i = 0; i < readings; i++) send(log, new Reading(i)); }
    }

    static class Log extends Actor {
        @Handler void on(Reading m) { if (m.value() < 0) throw new IllegalArgumentException(); }
    }

    @Parameter int readings;

    @Override protected void setUp() {
        ActorName sink = create("sink", new Sink());
        List<ActorName> guests = create("guest", 2, i -> new Guest(ASKS, IS_NAMED, IS_LATE, BY));
        ActorName at = create("desk", new Desk(sink));
        send(sink, new Go(at));
        for (ActorName guest : guests) send(guest, new Go(at));
        if (readings > 0) {
            ActorName log = create("log", new Log());
            create("sensor", 2, i -> new Sensor(log, readings));
        }
    }

    @Invariant boolean guestsGetNothing() { return actors(Guest.class).noneMatch(g -> g.got == 1 && g.isLate); }

    @Invariant boolean sinkGetsNothing() { return actors(Sink.class).noneMatch(s -> s.got == 1); }
`

// desk is the actor of a case, with the statement that reaches act().
const desk = `
    static class Desk extends Actor {
        final ActorName sink;
        int served, last;
        ActorName from;

        Desk(ActorName sink) { this.sink = sink; }

        @Handler void on(Ask m) throws Throwable {
            if (served == 0) from = m.from();
            last = m.n();
            if (served++ == 0 && !%t) serve();
        }

        @Handler void on(Flush m) throws Throwable { if (served > 0) serve(); }

        private void serve() throws Throwable {
            %s
            %s
        }

        void act() { %s }
    }
`
