package harrier.runtime.codec.format;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes that grow, and the primitives of the format written to them. */
public final class Output {
    private byte[] bytes = new byte[256];
    private int size;

    public int size() {
        return size;
    }

    public byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }

    /** Cuts off the bytes after {@code start} and returns them. */
    public byte[] cut(int start) {
        byte[] tail = Arrays.copyOfRange(bytes, start, size);
        size = start;
        return tail;
    }

    public void u8(int b) {
        if (size == bytes.length) {
            grow(1);
        }
        bytes[size++] = (byte) b;
    }

    public void raw(byte[] from) {
        raw(from, 0, from.length);
    }

    public void raw(byte[] from, int start, int end) {
        int n = end - start;
        if (bytes.length - size < n) {
            grow(n);
        }
        System.arraycopy(from, start, bytes, size, n);
        size += n;
    }

    public void varint(long n) {
        if (bytes.length - size < 10) {
            grow(10);
        }
        long rest = n;
        while ((rest & ~0x7fL) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    public void zigzag(long n) {
        varint(n << 1 ^ n >> 63);
    }

    public void big4(int n) {
        for (int shift = 24; shift >= 0; shift -= 8) {
            u8(n >>> shift);
        }
    }

    public void big8(long n) {
        big4((int) (n >>> 32));
        big4((int) n);
    }

    /** The primitive called string. */
    public void string(String s) {
        text(s, Text.ascii(s));
    }

    private void text(String s, byte[] ascii) {
        byte[] utf8 = ascii != null ? ascii : s.getBytes(StandardCharsets.UTF_8);
        varint(utf8.length);
        raw(utf8);
    }

    /** A value that is a string, tag included. */
    public void stringValue(String s) {
        byte[] ascii = Text.ascii(s);
        if (ascii != null || hasUtf8(s)) {
            u8(Tag.STRING);
            text(s, ascii);
            return;
        }
        u8(Tag.UNITS);
        varint(s.length());
        for (int i = 0; i < s.length(); i++) {
            u8(s.charAt(i) >>> 8);
            u8(s.charAt(i));
        }
    }

    /** The bytes of the primitive called string, for names that are written often. */
    public static byte[] encoded(String s) {
        Output out = new Output();
        out.string(s);
        return out.toBytes();
    }

    /** Reports whether every surrogate in {@code s} has its partner. */
    static boolean hasUtf8(String s) {
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (!Character.isSurrogate(c)) {
                continue;
            }
            if (Character.isLowSurrogate(c) || i + 1 == s.length() || !Character.isLowSurrogate(s.charAt(i + 1))) {
                return false;
            }
            i++;
        }
        return true;
    }

    private void grow(int n) {
        bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + n));
    }
}
