package harrier.runtime.codec.format;

import jdk.internal.misc.Unsafe;

/** Ranges of a few bytes, with which methods of the JDK spend most of the time on checks. Whoever calls these has checked. */
public final class Bytes {
    private static final Unsafe UNSAFE = Raw.UNSAFE;
    private static final long BASE = Raw.arrayBase(byte[].class);
    private static final boolean UNALIGNED = UNSAFE.unalignedAccess();

    private Bytes() {}

    /** The eight bytes from {@code at} on, in the machine's order. */
    private static long word(byte[] bytes, int at) {
        return UNALIGNED ? UNSAFE.getLong(bytes, BASE + at) : UNSAFE.getLongUnaligned(bytes, BASE + at);
    }

    /** The length of the common prefix of two ranges of {@code n} bytes. */
    public static int common(byte[] a, int fromA, byte[] b, int fromB, int n) {
        int i = 0;
        while (i <= n - Long.BYTES && word(a, fromA + i) == word(b, fromB + i)) {
            i += Long.BYTES;
        }
        while (i < n && a[fromA + i] == b[fromB + i]) {
            i++;
        }
        return i;
    }

    /** Reports whether {@code n} bytes are the same. */
    public static boolean areSame(byte[] a, int fromA, byte[] b, int fromB, int n) {
        return common(a, fromA, b, fromB, n) == n;
    }

    /** A hash of {@code n} bytes, which differs from machine to machine. */
    static int hash(byte[] bytes, int from, int n) {
        long hash = n;
        int i = 0;
        for (; i <= n - Long.BYTES; i += Long.BYTES) {
            hash = mix(hash ^ word(bytes, from + i));
        }
        if (n >= Long.BYTES) {
            hash ^= word(bytes, from + n - Long.BYTES);
        } else {
            for (; i < n; i++) {
                hash = hash << Byte.SIZE | bytes[from + i] & 0xff;
            }
        }
        return (int) (mix(hash) >>> Integer.SIZE);
    }

    private static long mix(long hash) {
        return (hash ^ hash >>> Integer.SIZE) * 0x9e3779b97f4a7c15L;
    }
}
