package harrier.runtime.codec.format;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes that are read from front to back, and the primitives of the format. Refuses malformed bytes. */
public final class Input {
    private final byte[] bytes;
    private int at;

    public Input(byte[] bytes) {
        this.bytes = bytes;
    }

    public FormatException bad(String what) {
        return new FormatException("offset " + at + ": " + what);
    }

    /** How many bytes were read. */
    public int at() {
        return at;
    }

    /** The bytes that were read when there were more than so many, and up to so many. */
    public byte[] between(int from, int to) {
        return Arrays.copyOfRange(bytes, from, to);
    }

    public void end() {
        if (at != bytes.length) {
            throw bad("bytes left over");
        }
    }

    public int u8() {
        if (at == bytes.length) {
            throw bad("the bytes end too early");
        }
        return bytes[at++] & 0xff;
    }

    long varint() {
        if (at < bytes.length && bytes[at] >= 0) {
            return bytes[at++]; // most are short
        }
        long n = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            int b = u8();
            if (shift == 63 && b > 1) {
                throw bad("varint too long");
            }
            n |= (long) (b & 0x7f) << shift;
            if (b < 0x80) {
                if (b == 0 && shift > 0) {
                    throw bad("varint not in shortest form");
                }
                return n;
            }
        }
        throw bad("varint too long");
    }

    /** A zigzag number of at most {@code bits} bits. */
    public long zigzag(int bits) {
        long z = varint();
        long n = z >>> 1 ^ -(z & 1);
        if (n << 64 - bits >> 64 - bits != n) {
            throw bad("number of more than " + bits + " bits");
        }
        return n;
    }

    public char unit() {
        long n = varint();
        if (n < 0 || n > 0xffff) {
            throw bad("char above FFFF");
        }
        return (char) n;
    }

    public int big4() {
        int n = 0;
        for (int i = 0; i < 4; i++) {
            n = n << 8 | u8();
        }
        return n;
    }

    public long big8() {
        long high = big4();
        return high << 32 | big4() & 0xffffffffL;
    }

    /** A number that is not negative and fits an int. */
    public int number() {
        long n = varint();
        if (n < 0 || n > Integer.MAX_VALUE) {
            throw bad("number too large");
        }
        return (int) n;
    }

    /** A count of things that take at least a byte each. */
    public int count() {
        long n = varint();
        if (n < 0 || n > bytes.length - at) {
            throw bad("count larger than the bytes left");
        }
        return (int) n;
    }

    public byte[] raw() {
        int n = count();
        at += n;
        return Arrays.copyOfRange(bytes, at - n, at);
    }

    public String string() {
        int n = count();
        int start = at;
        at += n;
        for (int i = start; i < at; i++) {
            if (bytes[i] < 0) {
                return utf8(start, n);
            }
        }
        return new String(bytes, start, n, StandardCharsets.ISO_8859_1);
    }

    /** A hash of the bytes of the string that comes next, which is not read. */
    int hashOfString() {
        int start = at;
        int n = count();
        int hash = Bytes.hash(bytes, at, n);
        at = start;
        return hash;
    }

    /** Skips the string that comes next if it is this one, and reports whether it is. */
    boolean skipString(byte[] ascii) {
        int start = at;
        int n = count();
        if (n == ascii.length && Bytes.areSame(bytes, at, ascii, 0, n)) {
            at += n;
            return true;
        }
        at = start;
        return false;
    }

    /** The content of a string of code units. */
    public String units() {
        int n = count();
        if (n > (bytes.length - at) / 2) {
            throw bad("count larger than the bytes left");
        }
        char[] units = new char[n];
        for (int i = 0; i < n; i++) {
            units[i] = (char) (u8() << 8 | u8());
        }
        String s = new String(units);
        if (Output.hasUtf8(s)) {
            throw bad("code units that have a UTF-8 form");
        }
        return s;
    }

    /** Skips {@code expected} if it comes next, and reports whether it did. */
    public boolean skip(byte[] expected) {
        int end = at + expected.length;
        if (end > bytes.length || !Bytes.areSame(bytes, at, expected, 0, expected.length)) {
            return false;
        }
        at = end;
        return true;
    }

    /** Reads past a string, and returns how many bytes it has. */
    public int skipString() {
        int n = count();
        at += n;
        return n;
    }

    /** All bytes, which must not be changed. */
    public byte[] bytes() {
        return bytes;
    }

    /** Goes on from another place, where a complaint about it is due. */
    public void seek(int to) {
        at = to;
    }

    /** The text of {@code n} bytes. */
    public String utf8(int start, int n) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, start, n)).toString();
        } catch (CharacterCodingException e) {
            throw bad("text that is not UTF-8");
        }
    }
}
