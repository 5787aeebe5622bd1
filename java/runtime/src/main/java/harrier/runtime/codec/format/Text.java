package harrier.runtime.codec.format;

/** The characters of strings as the virtual machine keeps them, so that those of ASCII are copied and compared as bytes. */
public final class Text {
    private static final long VALUE = Raw.UNSAFE.objectFieldOffset(String.class, "value");
    private static final long CODER = Raw.UNSAFE.objectFieldOffset(String.class, "coder");
    private static final long BYTES = Raw.arrayBase(byte[].class);
    private static final long NOT_ASCII = 0x8080808080808080L;
    private static final int MET = 1 << 14;

    /** Strings of ASCII that were read lately, each at one of two places by a hash of its bytes. Threads may overwrite each other's. */
    private final String[] met = new String[MET];

    /** The bytes of a string of ASCII, which must not be changed; null if it is another one. */
    static byte[] ascii(String s) {
        if (Raw.UNSAFE.getByte(s, CODER) != 0) {
            return null;
        }
        byte[] value = value(s);
        long all = 0;
        int i = 0;
        for (; i <= value.length - Long.BYTES; i += Long.BYTES) {
            all |= Raw.UNSAFE.getLongUnaligned(value, BYTES + i);
        }
        for (; i < value.length; i++) {
            all |= value[i]; // a negative one sets all bits above, too
        }
        return (all & NOT_ASCII) == 0 ? value : null;
    }

    private static byte[] value(String s) {
        return (byte[]) Raw.UNSAFE.getReference(s, VALUE);
    }

    /**
     * The string that comes next: of equal ones always the same object, that of literals. Asking the virtual machine for it takes
     * longer than all else that reading a short string does.
     */
    public String read(Input in) {
        int place = in.hashOfString() & MET - 1;
        String known = met[place];
        if (known != null && in.skipString(value(known))) {
            return known;
        }
        known = met[place ^ 1];
        if (known != null && in.skipString(value(known))) {
            return known;
        }
        String s = in.string().intern();
        if (ascii(s) != null) {
            met[place ^ 1] = met[place];
            met[place] = s;
        }
        return s;
    }
}
