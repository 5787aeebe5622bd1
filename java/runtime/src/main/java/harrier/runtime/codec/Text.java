package harrier.runtime.codec;

/** The characters of strings as the virtual machine keeps them, so that those of ASCII are copied and compared as bytes. */
final class Text {
    private static final long VALUE = Slot.UNSAFE.objectFieldOffset(String.class, "value");
    private static final long CODER = Slot.UNSAFE.objectFieldOffset(String.class, "coder");
    private static final int MET = 1 << 13;

    /** Strings that were read lately, by a hash of their bytes. Threads may overwrite each other's. */
    private final String[] met = new String[MET];

    /** The bytes of a string of ASCII, which must not be changed; null if it is another one. */
    static byte[] ascii(String s) {
        if (Slot.UNSAFE.getByte(s, CODER) != 0) {
            return null;
        }
        byte[] value = (byte[]) Slot.UNSAFE.getReference(s, VALUE);
        int all = 0;
        for (byte b : value) {
            all |= b;
        }
        return all < 0 ? null : value;
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
