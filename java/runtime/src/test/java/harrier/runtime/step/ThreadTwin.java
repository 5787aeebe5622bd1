package harrier.runtime.step;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Interprets threads naively: each state is a value of its own, in which every thread that can goes on to where it waits. */
final class ThreadTwin {
    /** Where threads wait for locks that they have of each other. */
    static final String DEADLOCK = "deadlock";
    /** Where an exception leaves a thread. */
    static final String EXCEPTION = "exception";
    private static final int LOCKS = 3;

    private final List<List<Op>> threads;
    /** Whether threads give way before each operation on what they share, and wake without a cause. */
    private final boolean preempts;

    ThreadTwin(List<List<Op>> threads, boolean preempts) {
        this.threads = threads;
        this.preempts = preempts;
    }

    /** An instruction: what is done, with which object. */
    record Op(String name, int argument) {}

    /**
     * A state. Waits: 0 for none, 1 for a notification, 2 for the lock after it, 3 for the turn, 4 for the turn before an operation, 5 at the
     * barrier, 6 to be handed something, 7 to hand something over, 8 and 9 when these are over.
     */
    private static final class State {
        final int[] at;
        final int[] acc;
        final int[] mine;
        final int[] wide;
        final int[] half;
        final int[] waits;
        final int[] times;
        final int[] owner = {-1, -1, -1};
        final int[] count = new int[LOCKS];
        final List<Integer> signals = new ArrayList<>();
        final int[] size = new int[2];
        int permits = 1;
        boolean isOpen;
        int shared;
        int tally;
        int round;
        int missing = 2;
        boolean fails;
        String log = "";

        State(int n) {
            at = new int[n];
            acc = new int[n];
            mine = new int[n];
            wide = new int[n];
            half = new int[n];
            waits = new int[n];
            times = new int[n];
        }

        State copy() {
            State s = new State(at.length);
            int[][] from = {at, acc, mine, wide, half, waits, times, owner, count, size};
            int[][] to = {s.at, s.acc, s.mine, s.wide, s.half, s.waits, s.times, s.owner, s.count, s.size};
            for (int i = 0; i < from.length; i++) {
                System.arraycopy(from[i], 0, to[i], 0, from[i].length);
            }
            s.signals.addAll(signals);
            s.permits = permits;
            s.isOpen = isOpen;
            s.shared = shared;
            s.tally = tally;
            s.round = round;
            s.missing = missing;
            s.log = log;
            return s;
        }

        String key() {
            return Arrays.deepToString(new int[][] {at, acc, mine, wide, half, waits, times, owner, count, size}) + signals + permits + isOpen + " " + shared + " " + tally + " " + missing + log;
        }
    }

    /** What is logged where runs end; null if there are too many states. */
    Set<String> ends(int most) {
        Set<String> ends = new TreeSet<>();
        Set<String> known = new HashSet<>();
        Deque<State> open = new ArrayDeque<>();
        open.add(new State(threads.size()));
        while (!open.isEmpty()) {
            State s = open.pop();
            if (!known.add(s.key())) {
                continue;
            } else if (known.size() > most) {
                return null;
            }
            boolean isEnd = true;
            for (int t = 0; t < threads.size(); t++) {
                if (canGo(s, t)) {
                    isEnd = false;
                    List<State> after = new ArrayList<>();
                    go(s.copy(), t, after);
                    for (State next : after) {
                        if (next.fails) {
                            ends.add(EXCEPTION);
                        } else if (isStuck(next)) {
                            ends.add(DEADLOCK);
                        } else {
                            open.add(next);
                        }
                    }
                }
            }
            if (isEnd) {
                ends.add(s.log);
            }
        }
        return ends;
    }

    private Op op(State s, int t) {
        return s.at[t] < threads.get(t).size() ? threads.get(t).get(s.at[t]) : null;
    }

    private boolean isFree(State s, int lock, int t) {
        return s.owner[lock] == -1 || s.owner[lock] == t;
    }

    /** Reports whether a thread can go on. */
    private boolean canGo(State s, int t) {
        Op op = op(s, t);
        int waits = s.waits[t];
        if (op == null || waits == 1 || waits == 6 || waits == 7) {
            return false;
        } else if (waits == 3 || waits == 4 || waits >= 8) {
            return true;
        } else if (waits == 5) {
            return s.times[t] != s.round;
        }
        return switch (op.name) {
            case "wait" -> s.waits[t] != 2 || isFree(s, op.argument, t);
            case "lock" -> isFree(s, op.argument, t);
            case "take" -> s.size[op.argument] > 0;
            case "put" -> op.argument == 0 || s.size[1] < 1;
            case "acquire" -> s.permits > 0;
            case "await" -> s.isOpen;
            default -> true;
        };
    }

    /** Has a thread go on to where it waits, in every way. */
    private void go(State s, int t, List<State> after) {
        for (Op op = op(s, t); op != null; op = op(s, t)) {
            if (op.name.equals("yield") && s.waits[t] != 3) {
                s.waits[t] = 3;
                break;
            } else if (preempts && s.waits[t] == 0 && isShared(op)) {
                s.waits[t] = 4;
                break;
            } else if (s.waits[t] == 4) {
                s.waits[t] = 0;
            }
            if (op.name.equals("fail") && s.acc[t] % 2 != 0) {
                s.fails = true;
                break;
            }
            if (meets(s, t, op, after)) {
                if (s.waits[t] > 0) {
                    break;
                }
                s.at[t]++;
                continue;
            }
            if (op.name.equals("wait") && s.waits[t] == 0) {
                if (preempts) {
                    State other = s.copy();
                    other.waits[t] = 2;
                    other.times[t] = other.count[op.argument];
                    other.owner[op.argument] = -1;
                    other.count[op.argument] = 0;
                    after.add(other);
                }
                s.waits[t] = 1;
                s.times[t] = s.count[op.argument];
                s.owner[op.argument] = -1;
                s.count[op.argument] = 0;
                if (op.argument == 2) {
                    s.signals.add(t);
                }
                break;
            } else if (!canGo(s, t)) {
                break;
            }
            if (op.name.equals("notify") && op.argument != 2) {
                List<Integer> waiting = waiting(s, op.argument);
                s.at[t]++;
                for (int w : waiting.subList(0, Math.max(0, waiting.size() - 1))) {
                    State other = s.copy();
                    other.waits[w] = 2;
                    go(other, t, after);
                }
                if (!waiting.isEmpty()) {
                    s.waits[waiting.get(waiting.size() - 1)] = 2;
                }
                continue;
            }
            act(s, t, op);
            s.at[t]++;
        }
        after.add(s);
    }

    /** Reports whether others may run before an operation. */
    private static boolean isShared(Op op) {
        return switch (op.name) {
            case "count up", "look", "use", "yield", "log", "notify", "notifyAll", "fail" -> false;
            case "wait", "unlock" -> op.argument == 2;
            default -> true;
        };
    }

    /** Does what two threads do with each other; false if the operation is none of these. After it the thread goes on, unless it waits. */
    private boolean meets(State s, int t, Op op, List<State> after) {
        int own = switch (op.name) {
            case "arrive" -> 5;
            case "grab" -> 6;
            case "hand" -> 7;
            default -> 0;
        };
        if (own == 0) {
            return false;
        }
        if (s.waits[t] > 0) { // it is over
            s.waits[t] = 0;
            s.acc[t] = own == 6 ? s.acc[t] * 2 + 5 : s.acc[t];
            return true;
        }
        if (own == 5) {
            s.times[t] = s.round;
            s.waits[t] = --s.missing > 0 ? 5 : 0;
            if (s.missing == 0) {
                s.missing = 2;
                s.round++;
            }
            return true;
        }
        List<Integer> others = new ArrayList<>();
        for (int w = 0; w < threads.size(); w++) {
            if (s.waits[w] == 13 - own) {
                others.add(w);
            }
        }
        s.acc[t] = own == 6 && !others.isEmpty() ? s.acc[t] * 2 + 5 : s.acc[t];
        s.waits[t] = others.isEmpty() ? own : 0;
        for (int i = 0; i < others.size(); i++) {
            State one = i == others.size() - 1 ? s : s.copy();
            one.waits[others.get(i)] = 8;
            if (one != s) {
                one.at[t]++;
                go(one, t, after);
            }
        }
        return true;
    }

    private List<Integer> waiting(State s, int lock) {
        List<Integer> found = new ArrayList<>();
        for (int w = 0; w < threads.size(); w++) {
            if (s.waits[w] == 1 && op(s, w).argument == lock) {
                found.add(w);
            }
        }
        return found;
    }

    private void act(State s, int t, Op op) {
        int a = op.argument;
        switch (op.name) {
            case "put" -> s.size[a]++;
            case "take" -> {
                s.size[a]--;
                s.acc[t] = s.acc[t] * 2 + 3;
                s.half[t]++;
            }
            case "fail" -> { }
            case "release" -> s.permits++;
            case "acquire" -> {
                s.acc[t]++;
                s.permits--;
            }
            case "read" -> s.acc[t] += s.shared;
            case "write" -> s.shared = s.acc[t];
            case "count up" -> s.tally = s.tally * 2 + s.acc[t];
            case "look" -> s.mine[t] = s.tally;
            case "use" -> s.acc[t] += s.mine[t];
            case "count" -> s.isOpen = true;
            case "await" -> s.wide[t]++;
            case "lock" -> {
                s.owner[a] = t;
                s.count[a]++;
            }
            case "unlock" -> {
                s.count[a]--;
                s.owner[a] = s.count[a] == 0 ? -1 : t;
            }
            case "wait" -> {
                s.owner[a] = t;
                s.count[a] = s.times[t];
                s.waits[t] = 0;
            }
            case "notify" -> {
                if (!s.signals.isEmpty()) {
                    s.waits[s.signals.remove(0)] = 2;
                }
            }
            case "notifyAll" -> {
                waiting(s, a).forEach(w -> s.waits[w] = 2);
                if (a == 2) {
                    s.signals.clear();
                }
            }
            case "yield" -> s.waits[t] = 0;
            case "log" -> s.log += a + ":" + s.acc[t] + ":" + s.wide[t] + ":" + s.half[t] + " ";
            default -> throw new AssertionError(op);
        }
    }

    /** Reports whether some threads wait for locks, each for one of another of them or of one that has ended. */
    private boolean isStuck(State s) {
        boolean[] able = new boolean[threads.size()];
        for (int n = 0; n < threads.size(); n++) {
            for (int t = 0; t < threads.size(); t++) {
                Op op = op(s, t);
                boolean isForLock = op != null && (op.name.equals("lock") || op.name.equals("wait") && s.waits[t] == 2);
                able[t] = op != null && (canGo(s, t) || !isForLock || s.owner[op.argument] >= 0 && able[s.owner[op.argument]]);
            }
        }
        for (int t = 0; t < threads.size(); t++) {
            if (!able[t] && op(s, t) != null) {
                return true;
            }
        }
        return false;
    }
}
