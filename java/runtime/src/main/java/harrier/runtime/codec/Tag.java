package harrier.runtime.codec;

/** The tags of the structured format. docs/reference.md says what follows each. */
final class Tag {
    static final int NULL = 0x00;
    static final int FALSE = 0x01;
    static final int TRUE = 0x02;
    static final int BYTE = 0x03;
    static final int SHORT = 0x04;
    static final int INT = 0x05;
    static final int LONG = 0x06;
    static final int CHAR = 0x07;
    static final int FLOAT = 0x08;
    static final int DOUBLE = 0x09;
    static final int STRING = 0x0a;
    static final int UNITS = 0x0b;
    static final int NAME = 0x0c;
    static final int ENUM = 0x0d;
    static final int OPTIONAL = 0x0e;
    static final int REF = 0x0f;
    static final int RECORD = 0x10;
    static final int OBJECT = 0x11;
    static final int ARRAY = 0x12;
    static final int BYTES = 0x13;
    static final int LIST = 0x14;
    static final int SET = 0x15;
    static final int MAP = 0x16;
    static final int ORDERED_MAP = 0x17;
    static final int IMMUTABLE_LIST = 0x18;
    static final int IMMUTABLE_SET = 0x19;
    static final int IMMUTABLE_MAP = 0x1a;
    static final int NULLABLE_LIST = 0x1b;
    static final int ACTOR = 0x20;
    /** A reference out of an element whose key bytes are made. Never in a finished encoding. */
    static final int OUTER_REF = 0xff;

    /** How deep values nest at most, the outermost one included. */
    static final int DEEPEST = 1000;

    private Tag() {}
}
