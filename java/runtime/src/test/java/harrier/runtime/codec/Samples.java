package harrier.runtime.codec;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Hosting;
import harrier.Scenario;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** Classes of programs under check, for tests. */
final class Samples {
    private Samples() {}

    static ActorName name(String text) {
        return Hosting.name(text);
    }

    record Prepare(int ballot) {}

    record Ping() {}

    /** Handles calls of a proxy. */
    record Answering(Object answer) implements InvocationHandler {
        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) {
            return answer;
        }
    }

    record Pair(Object left, Object right) {}

    enum Color { RED, GREEN, BLUE }

    /** Its constants have classes of their own. */
    enum Op {
        PLUS {
            @Override
            int apply(int a, int b) {
                return a + b;
            }
        },
        MINUS {
            @Override
            int apply(int a, int b) {
                return a - b;
            }
        };

        abstract int apply(int a, int b);
    }

    /** More than 64 constants make another EnumSet. */
    enum Many {
        A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, B0, B1, B2, B3, B4, B5, B6, B7, B8, B9,
        C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, D0, D1, D2, D3, D4, D5, D6, D7, D8, D9,
        E0, E1, E2, E3, E4, E5, E6, E7, E8, E9, F0, F1, F2, F3, F4, F5, F6, F7, F8, F9,
        G0, G1, G2, G3, G4, G5
    }

    /** A field of every kind. */
    static final class Kinds {
        boolean z = true;
        byte b = -1;
        short s = -300;
        int i = 70_000;
        long j = Long.MIN_VALUE;
        char c = 'x';
        float f = 1.5f;
        double d = -0.25;
        Integer boxed = 7;
        transient String text = "t";
        static int ignored = 3;
    }

    static class Base {
        int x = 1;
        Object held;
    }

    /** Has a field of the same name as its superclass. */
    static final class Derived extends Base {
        int x = 2;
    }

    /** Equality by identity. */
    static final class Node {
        Object value;
        Node next;

        Node(Object value) {
            this.value = value;
        }
    }

    /** Equality by a field that may lead anywhere. */
    static final class Item {
        int id;
        Object owner;

        Item(int id) {
            this.id = id;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Item item && item.id == id;
        }

        @Override
        public int hashCode() {
            return Objects.hash(id, owner instanceof Group group ? group.label : null);
        }
    }

    static final class Group {
        Object items;
        String label;
    }

    /** A list that counts. */
    static final class Log extends ArrayList<Object> {
        private static final long serialVersionUID = 1;
        int added;

        Log(int capacity) {
            super(capacity);
        }

        @Override
        public boolean add(Object line) {
            added++;
            return super.add(line);
        }
    }

    /** A map that forgets. */
    static final class Cache extends LinkedHashMap<Object, Object> {
        private static final long serialVersionUID = 1;
        int forgotten;

        Cache(int capacity) {
            super(capacity, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Object> eldest) {
            forgotten += size() > 3 ? 1 : 0;
            return size() > 3;
        }
    }

    /** A future that adds a field of the name of one of its superclass. */
    static final class Indexed extends CompletableFuture<Object> {
        final int index;
        Object result = "own";

        Indexed(int index) {
            this.index = index;
        }
    }

    static final class Failed extends RuntimeException {
        private static final long serialVersionUID = 1;
        final int code;

        Failed(String message, int code) {
            super(message);
            this.code = code;
        }
    }

    /** A comparator with state. */
    static final class Backwards implements Comparator<Integer> {
        final boolean on;

        Backwards(boolean on) {
            this.on = on;
        }

        @Override
        public int compare(Integer a, Integer b) {
            return on ? b.compareTo(a) : a.compareTo(b);
        }
    }

    static final class Acceptor extends Actor {
        int promised;
        Object value;

        @Handler
        void on(Prepare m) {
            promised = m.ballot();
        }

        /** An inner class: it holds the actor. */
        final class Vote {
            int count = 1;

            Acceptor owner() {
                return Acceptor.this;
            }
        }
    }

    static final class Closed extends Scenario {
        @Override
        protected void setUp() {}

        final class Inside {
            Object scenario() {
                return Closed.this;
            }
        }
    }
}
