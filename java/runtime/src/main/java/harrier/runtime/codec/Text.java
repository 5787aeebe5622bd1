package harrier.runtime.codec;

/** The characters of strings as the virtual machine keeps them, so that those of ASCII are copied and compared as bytes. */
final class Text {
    private static final long VALUE = Slot.UNSAFE.objectFieldOffset(String.class, "value");
    private static final long CODER = Slot.UNSAFE.objectFieldOffset(String.class, "coder");
    private static final long BYTES = Slot.arrayBase(byte[].class);
    private static final long NOT_ASCII = 0x8080808080808080L;
    private static final int MET = 1 << 13;

    /** Strings that were read lately, by a hash of their bytes. Threads may overwrite each other's. */
    private final String[] met = new String[MET];

    /** The bytes of a string of ASCII, which must not be changed; null if it is another one. */
    static byte[] ascii(String s) {
        if (Slot.UNSAFE.getByte(s, CODER) != 0) {
            return null;
        }
        byte[] value = (byte[]) Slot.UNSAFE.getReference(s, VALUE);
        long all = 0;
        int i = 0;
        for (; i <= value.length - Long.BYTES; i += Long.BYTES) {
            all |= Slot.UNSAFE.getLongUnaligned(value, BYTES + i);
        }
        for (; i < value.length; i++) {
            all |= value[i]; // a negative one sets all bits above, too
        }
        return (all & NOT_ASCII) == 0 ? value : null;
    }

    /**
     * The string that comes next: of equal ones always the same object, that of literals, as programs compare strings with
     * {@code ==}. Asking the virtual machine for it takes longer than all else that reading a short string does.
     */
    String read(Input in) {
        int hash = in.hashOfString();
        int place = (hash ^ hash >>> 13) & MET - 1;
        String known = met[place];
        if (known != null && in.skipString(ascii(known))) {
            return known;
        }
        String s = in.string().intern();
        if (ascii(s) != null) {
            met[place] = s;
        }
        return s;
    }
}
