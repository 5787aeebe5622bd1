package harrier.runtime.step;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * A program of two actors with one connection, and a naive interpreter of it: a queue for each direction takes the place of
 * numbered messages.
 */
final class SocketTwin {
    private static final int MOST_OPERATIONS = 5;

    /** What each end does, the one that opens the connection first: W writes, R reads, S shuts its output down, C closes, Y lets others run; with a length. */
    final List<List<String>> scripts = new ArrayList<>();
    final boolean fragments;

    /** A program that is not random. */
    SocketTwin(List<String> opener, List<String> other) {
        scripts.add(opener);
        scripts.add(other);
        fragments = false;
    }

    SocketTwin(Random random) {
        for (int end = 0; end < 2; end++) {
            List<String> script = new ArrayList<>();
            boolean isShut = false;
            for (int i = random.nextInt(MOST_OPERATIONS) + 1; i > 0 && !script.contains("C0"); i--) {
                String kind = "WWWRRRRSCY".substring(random.nextInt(10)).substring(0, 1);
                kind = isShut && kind.matches("[WS]") ? "R" : kind;
                isShut |= kind.equals("S");
                script.add(kind + (kind.equals("W") ? 1 + random.nextInt(2) : kind.equals("R") ? 1 + random.nextInt(4) : 0));
            }
            scripts.add(script);
        }
        fragments = random.nextInt(3) == 0;
    }

    /** The program's scenario. */
    String source(int number) {
        StringBuilder text = new StringBuilder("class S" + number + " extends Scenario {\n");
        for (int end = 0; end < 2; end++) {
            text.append("static class E" + end + " extends Actor { String log = \"\"; protected void start() { new Thread(this::run, \"t\").start(); }\n"
                + "void run() { try {\n" + (end == 0 ? "Socket s = new Socket(\"e1\", 1);\n"
                : "ServerSocket server = new ServerSocket(1); Socket s = server.accept();\n"));
            for (int i = 0; i < scripts.get(end).size(); i++) {
                text.append(statement(scripts.get(end).get(i), written(end, i))).append('\n');
            }
            text.append("} catch (IOException e) { log += \"!\"; } } }\n");
        }
        return text + "protected void setUp() { create(\"e1\", new E1()); create(\"e0\", new E0());"
            + (fragments ? " network().fragments();" : "") + " } }\n";
    }

    private static String statement(String operation, String written) {
        int length = operation.charAt(1) - '0';
        return switch (operation.charAt(0)) {
            case 'W' -> "s.getOutputStream().write(\"" + written.substring(0, length) + "\".getBytes());";
            case 'R' -> "{ byte[] b = new byte[" + length + "]; int n = s.getInputStream().read(b); log += n < 0 ? \".\" : new String(b, 0, n); }";
            case 'S' -> "s.shutdownOutput();";
            case 'Y' -> "Thread.yield();";
            default -> "s.close();";
        };
    }

    /** What the operation of an end with a number writes. */
    private static String written(int end, int number) {
        char first = (char) ((end == 0 ? 'a' : 'A') + 2 * number);
        return "" + first + (char) (first + 1);
    }

    /** What both ends have logged where runs end. */
    Set<String> ends() {
        Set<String> ends = new TreeSet<>();
        Set<String> known = new HashSet<>();
        Deque<State> open = new ArrayDeque<>(List.of(new State()));
        while (!open.isEmpty()) {
            State s = open.pop();
            if (known.add(s.toString())) {
                List<State> next = s.next();
                if (next.isEmpty()) {
                    ends.add(s.ends[0].log + "|" + s.ends[1].log);
                }
                open.addAll(next);
            }
        }
        return ends;
    }

    /** One end. */
    private static final class End implements Cloneable {
        /** How far its thread is: not begun, connecting or accepting, open, over. */
        int stage;
        int operation;
        String log = "";
        String received = "";
        boolean exists;
        boolean isOpen;
        boolean isRefused;
        boolean hasEnded;
        boolean isReset;
        boolean isClosed;
        boolean isShut;
        boolean yields;

        End copy() {
            try {
                return (End) clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public String toString() {
            return stage + " " + operation + log + "/" + received + " " + exists + isOpen + isRefused + hasEnded + isReset + isClosed + isShut + yields;
        }
    }

    private final class State {
        End[] ends = {new End(), new End()};
        /** To each end: what the other one has written, and END. */
        List<List<String>> written = List.of(new ArrayList<>(), new ArrayList<>());
        /** To each end: what has no order. */
        List<List<String>> others = List.of(new ArrayList<>(), new ArrayList<>());

        @Override
        public String toString() {
            others.forEach(o -> o.sort(null));
            return ends[0] + "; " + ends[1] + "; " + written + others;
        }

        State copy() {
            State copy = new State();
            for (int i = 0; i < 2; i++) {
                copy.ends[i] = ends[i].copy();
                copy.written.get(i).addAll(written.get(i));
                copy.others.get(i).addAll(others.get(i));
            }
            return copy;
        }

        List<State> next() {
            List<State> next = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                End e = ends[i];
                if (mayRun(i)) {
                    State s = copy();
                    s.run(i);
                    next.add(s);
                }
                for (int k = 0; k < others.get(i).size(); k++) {
                    State s = copy();
                    s.take(i, s.others.get(i).remove(k));
                    next.add(s);
                }
                boolean hasTurn = !e.exists || e.isReset || e.isClosed || e.isOpen;
                if (!written.get(i).isEmpty() && hasTurn) {
                    String first = written.get(i).get(0);
                    for (int part = fragments && !first.equals("END") ? 1 : first.length(); part <= first.length(); part++) {
                        State s = copy();
                        s.written.get(i).remove(0);
                        if (part < first.length() && e.exists) {
                            s.written.get(i).add(0, first.substring(part));
                        }
                        s.arrive(i, first.substring(0, part));
                        next.add(s);
                    }
                }
            }
            return next;
        }

        private boolean mayRun(int i) {
            End e = ends[i];
            return switch (e.stage) {
                case 0 -> true;
                case 1 -> i == 1 ? e.exists : e.isOpen || e.isRefused || e.isReset;
                case 2 -> e.yields || !e.received.isEmpty() || e.isReset || e.hasEnded;
                default -> false;
            };
        }

        /** A thread goes on to where it waits or ends. */
        private void run(int i) {
            End e = ends[i];
            if (e.stage == 0) {
                e.stage = 1;
                if (i == 0) {
                    e.exists = true;
                    others.get(1).add("OPEN");
                    return;
                }
            }
            if (e.stage == 1) {
                if (i == 1 && !e.exists) {
                    return;
                }
                if (i == 0 && !e.isOpen) {
                    e.exists = false;
                    fail(e);
                    return;
                }
                e.stage = 2;
            }
            List<String> script = scripts.get(i);
            while (e.stage == 2 && e.operation < script.size()) {
                String operation = script.get(e.operation);
                if (operation.charAt(0) == 'R' && e.received.isEmpty() && !e.isReset && !e.hasEnded) {
                    return;
                }
                if (operation.charAt(0) == 'Y') {
                    e.yields = !e.yields;
                    if (e.yields) {
                        return;
                    }
                }
                operate(i, operation, SocketTwin.written(i, e.operation));
                e.operation++;
            }
            e.stage = 3;
        }

        private static void fail(End e) {
            e.log += "!";
            e.stage = 3;
        }

        private void operate(int i, String operation, String text) {
            End e = ends[i];
            int length = operation.charAt(1) - '0';
            switch (operation.charAt(0)) {
                case 'W' -> {
                    if (e.isReset) {
                        fail(e);
                    } else {
                        written.get(1 - i).add(text.substring(0, length));
                    }
                }
                case 'R' -> {
                    if (!e.received.isEmpty()) {
                        int n = Math.min(length, e.received.length());
                        e.log += e.received.substring(0, n);
                        e.received = e.received.substring(n);
                    } else if (e.isReset && !e.hasEnded) {
                        fail(e);
                    } else {
                        e.log += ".";
                    }
                }
                case 'S' -> shut(i);
                case 'Y' -> e.yields = false;
                default -> {
                    if (!e.received.isEmpty()) {
                        if (!e.isReset) {
                            others.get(1 - i).add("RESET");
                        }
                        e.isReset = true;
                    } else {
                        shut(i);
                    }
                    e.isClosed = true;
                    e.received = "";
                    e.exists = !e.isReset && !e.hasEnded;
                }
            }
        }

        private void shut(int i) {
            if (!ends[i].isShut && !ends[i].isReset) {
                written.get(1 - i).add("END");
            }
            ends[i].isShut = true;
        }

        private void take(int i, String other) {
            End e = ends[i];
            switch (other) {
                case "OPEN" -> {
                    e.exists = e.stage >= 1;
                    e.isOpen = e.exists;
                    others.get(0).add(e.exists ? "OPENED" : "REFUSED");
                }
                case "OPENED" -> {
                    e.isOpen = true;
                    if (!e.exists) {
                        others.get(1).add("RESET");
                    }
                }
                case "REFUSED" -> e.isRefused = true;
                default -> {
                    e.isReset |= e.exists;
                    e.exists &= !e.isClosed;
                }
            }
        }

        private void arrive(int i, String what) {
            End e = ends[i];
            if (!e.exists) {
                others.get(1 - i).add("RESET");
            } else if (what.equals("END")) {
                e.hasEnded |= !e.isReset; // an end of stream that came is read, whatever comes then
                e.exists = !e.isClosed;
            } else if (e.isReset) {
                return;
            } else if (e.isClosed) {
                e.isReset = true;
                e.exists = false;
                others.get(1 - i).add("RESET");
            } else {
                e.received += what;
            }
        }
    }
}
