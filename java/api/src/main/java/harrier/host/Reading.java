package harrier.host;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** What a thread is about to read, and has read of it so far: it may have to wait in the middle. */
abstract class Reading implements ThreadState {
    private static final int BUFFER = 8192;
    private static final List<Charset> STATELESS = List.of(StandardCharsets.UTF_8, StandardCharsets.ISO_8859_1, StandardCharsets.US_ASCII,
        StandardCharsets.UTF_16BE, StandardCharsets.UTF_16LE);

    /** Takes what is there, and reports whether that was enough. */
    abstract boolean goOn() throws IOException;

    /** The socket that it waits for where there was not enough. */
    abstract ActorSocket socket();

    /** Some bytes into an array: as many as there are, or all. */
    static final class Bytes extends Reading {
        private final Source source;
        final byte[] to;
        private final int offset;
        private final int length;
        private final boolean isWhole;
        /** How many there are. */
        int count;
        boolean hasEnded;

        Bytes(Source source, byte[] to, int offset, int length, boolean isWhole) {
            this.source = source;
            this.to = to;
            this.offset = offset;
            this.length = length;
            this.isWhole = isWhole;
        }

        @Override
        boolean goOn() throws IOException {
            while (count < length && !hasEnded && (isWhole || count == 0)) {
                int n = source.take(to, offset + count, length - count);
                if (n == 0) {
                    return false;
                }
                hasEnded = n < 0;
                count += Math.max(n, 0);
            }
            return true;
        }

        @Override
        ActorSocket socket() {
            return source.socket();
        }

        /** What {@code read} gives. */
        int result() {
            return hasEnded && count == 0 ? -1 : count;
        }
    }

    /** All bytes up to the end of the stream, at most a number of them. */
    static final class All extends Reading {
        private final Source source;
        private final int most;
        byte[] bytes = {};

        All(Source source, int most) {
            this.source = source;
            this.most = most;
        }

        @Override
        boolean goOn() throws IOException {
            while (bytes.length < most) {
                byte[] more = new byte[Math.min(BUFFER, most - bytes.length)];
                int n = source.take(more, 0, more.length);
                if (n <= 0) {
                    return n < 0;
                }
                int before = bytes.length;
                bytes = Arrays.copyOf(bytes, before + n);
                System.arraycopy(more, 0, bytes, before, n);
            }
            return true;
        }

        @Override
        ActorSocket socket() {
            return source.socket();
        }
    }

    /** Bytes with their number before them. */
    static final class Counted extends Reading {
        private final Source source;
        /** In how many bytes the number is written. */
        private final int of;
        private Bytes part;
        private boolean isCounted;

        Counted(Source source, int of) {
            this.source = source;
            this.of = of;
            part = new Bytes(source, new byte[of], 0, of, true);
        }

        @Override
        boolean goOn() throws IOException {
            if (!isCounted && part.goOn() && !part.hasEnded) {
                int length = new BigInteger(1, part.to).intValueExact();
                part = new Bytes(source, Arrays.copyOf(part.to, of + length), of, length, true);
                isCounted = true;
            }
            return part.hasEnded || isCounted && part.goOn();
        }

        @Override
        ActorSocket socket() {
            return source.socket();
        }

        /** The number and the bytes; null if the stream ends within. */
        byte[] bytes() {
            return part.hasEnded ? null : part.to;
        }
    }

    /** Characters into an array. */
    static final class Chars extends Reading {
        private final CharSource source;
        final char[] to;
        private final int offset;
        private final int length;
        int count;

        Chars(CharSource source, char[] to, int offset, int length) {
            this.source = source;
            this.to = to;
            this.offset = offset;
            this.length = length;
        }

        @Override
        boolean goOn() throws IOException {
            if (length > 0) {
                count = source.take(to, offset, length);
            }
            return length == 0 || count != 0;
        }

        @Override
        ActorSocket socket() {
            return source.socket();
        }
    }

    /** A line. */
    static final class Line extends Reading {
        private final ActorBufferedReader from;
        private final StringBuilder text = new StringBuilder();
        String line;

        Line(ActorBufferedReader from) {
            this.from = from;
        }

        @Override
        boolean goOn() throws IOException {
            char[] one = new char[1];
            while (true) {
                int n = from.take(one, 0, 1);
                if (n == 0) {
                    return false;
                } else if (n < 0) {
                    line = text.length() == 0 ? null : text.toString();
                    return true;
                } else if (one[0] == '\n' || one[0] == '\r') {
                    from.skipsLineFeed = one[0] == '\r';
                    line = text.toString();
                    return true;
                }
                text.append(one[0]);
            }
        }

        @Override
        ActorSocket socket() {
            return from.socket();
        }
    }

    /** Fails if a stream is closed, so that it has no other one that it reads from or writes to. */
    static void requireOpen(Object other) throws IOException {
        if (other == null) {
            throw new IOException("Stream closed");
        }
    }

    /** The name of a charset, whose bytes must be such that new decoders can go on with a part of them. */
    static String requireNoState(Charset charset) {
        if (!STATELESS.contains(charset)) {
            throw Hooks.control("").refused("reads or writes " + charset.name(), "take UTF-8");
        }
        return charset.name();
    }
}
