package harrier.runtime.codec.format;

/** The tags of the structured format. docs/reference.md says what follows each. */
public final class Tag {
    public static final int NULL = 0x00;
    public static final int FALSE = 0x01;
    public static final int TRUE = 0x02;
    public static final int BYTE = 0x03;
    public static final int SHORT = 0x04;
    public static final int INT = 0x05;
    public static final int LONG = 0x06;
    public static final int CHAR = 0x07;
    public static final int FLOAT = 0x08;
    public static final int DOUBLE = 0x09;
    public static final int STRING = 0x0a;
    public static final int UNITS = 0x0b;
    public static final int NAME = 0x0c;
    public static final int ENUM = 0x0d;
    public static final int OPTIONAL = 0x0e;
    public static final int REF = 0x0f;
    public static final int RECORD = 0x10;
    public static final int OBJECT = 0x11;
    public static final int ARRAY = 0x12;
    public static final int BYTES = 0x13;
    public static final int LIST = 0x14;
    public static final int SET = 0x15;
    public static final int MAP = 0x16;
    public static final int ORDERED_MAP = 0x17;
    public static final int IMMUTABLE_LIST = 0x18;
    public static final int IMMUTABLE_SET = 0x19;
    public static final int IMMUTABLE_MAP = 0x1a;
    public static final int NULLABLE_LIST = 0x1b;
    public static final int ACTOR = 0x20;
    /** A reference out of an element whose key bytes are made. Never in a finished encoding. */
    public static final int OUTER_REF = 0xff;

    /** How deep values nest at most, the outermost one included. */
    public static final int DEEPEST = 1000;

    private Tag() {}
}
