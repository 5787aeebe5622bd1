package harrier.runtime.codec.graph;

import harrier.Actor;
import harrier.Hosting;
import harrier.runtime.codec.format.Bytes;
import harrier.runtime.codec.format.Input;
import harrier.runtime.codec.format.LargeStack;
import harrier.runtime.codec.format.Tag;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One decoding in the making: its bytes, the numbered values met so far, the collections yet to fill. */
public final class Decoder {
    /** One of the classes of immutable collections, which have one plan. */
    private static final Class<?> IMMUTABLE = List.of().getClass();

    public final Input in;
    private final Plans plans;
    private final int levels;

    private Object[] numbered = new Object[16];
    private boolean[] finished = new boolean[16];
    private int count;
    private int depth;

    /** What the actor has beside its fields. */
    final Map<String, Object> beside = new LinkedHashMap<>();
    private final List<Fill> fills = new ArrayList<>();
    private final List<Runnable> ends = new ArrayList<>();
    /** Whether something refers to a value that it is a part of. */
    private boolean cyclic;
    private Object result;
    /** What makes one object of equal values; null if each is one of its own. */
    private final Merging merging;
    /** How many references were read. */
    private int refs;
    /** The plan of the class whose name was read last, and where the name is. */
    private Plan last;
    private int lastStart;
    private int lastEnd;
    /** The objects read that have a number, but for those in another such object; if equal values are merged. */
    private final List<Merging.Numbered> objects = new ArrayList<>();

    /** A decoding of values that nest at most so many levels deep. */
    public Decoder(Plans plans, byte[] bytes, int levels, Merging merging) {
        this.plans = plans;
        this.in = new Input(bytes);
        this.levels = levels;
        this.merging = merging;
    }

    /** Reads a message's content. {@link #result} is to be called next. */
    public Decoder readMessage() {
        result = read();
        in.end();
        return this;
    }

    /** Reads a local state. {@link #result} is to be called next. */
    public Decoder readLocalState() {
        if (in.u8() != Tag.ACTOR) {
            throw in.bad("no actor");
        }
        depth = 1;
        String name = in.string();
        int children = in.number();
        Object actor = plan().read(this, Tag.ACTOR);
        in.end();
        result = new LocalState(name, children, (Actor) actor, beside);
        return this;
    }

    /** The value read, completed. Runs the program's code. */
    public Object result() {
        Fill.all(fills, cyclic);
        ends.forEach(Runnable::run);
        return result;
    }

    /** Gives the next number to a value that is about to be read. */
    public int reserve() {
        if (count == numbered.length) {
            numbered = Arrays.copyOf(numbered, count * 2);
            finished = Arrays.copyOf(finished, count * 2);
        }
        return count++;
    }

    /** Sets the object that a number stands for. */
    public void define(int number, Object value) {
        numbered[number] = value;
    }

    /** The content of a numbered value was read. */
    public void finish(int number) {
        finished[number] = true;
    }

    /** Leaves a collection to be filled when all objects have their fields. */
    public void later(Fill fill) {
        fills.add(fill);
    }

    /** Has something done when all collections are filled. */
    public void atEnd(Runnable end) {
        ends.add(end);
    }

    /** Reads the name of a class, without making a {@code String} each time, and returns its plan. */
    private Plan plan() {
        int n = in.skipString();
        int end = in.at();
        int start = end - n;
        byte[] bytes = in.bytes();
        if (last == null || n != lastEnd - lastStart || !Bytes.areSame(bytes, start, bytes, lastStart, n)) {
            last = plans.named(bytes, start, end);
            lastStart = start;
            lastEnd = end;
        }
        if (last == null) {
            in.seek(start); // which is what a complaint says
            last = plans.learn(in.utf8(start, n), bytes, start, end, in);
            in.seek(end);
        }
        return last;
    }

    /** The class with this name. */
    public Class<?> resolve(String name) {
        return plans.resolve(name, in);
    }

    /** Reads a null. */
    public void nothing() {
        if (in.u8() != Tag.NULL) {
            throw in.bad("a parameter where none is due");
        }
    }

    /** Reads any value but an actor. */
    public Object read() {
        if (++depth > levels) {
            LargeStack.check(depth, levels);
            throw in.bad("values nested too deep");
        }
        int tag = in.u8();
        Object value = merging == null ? readTagged(tag) : readMerged(tag);
        depth--;
        return value;
    }

    /** Two values without identity are merged if their parts are equal values or the same object. */
    private Object readMerged(int tag) {
        int from = in.at() - 1;
        int number = count;
        int before = refs;
        int within = objects.size();
        Object value = readTagged(tag);
        if (tag == Tag.STRING || tag == Tag.UNITS) {
            return merging.choose(plans.constants.strings((String) value), value);
        }
        if (count > number && numbered[number] == value) {
            objects.subList(within, objects.size()).clear();
            objects.add(new Merging.Numbered(from, in.at(), number));
            return value;
        }
        if (!Merging.has(tag)) {
            return value;
        }
        if (count > number || refs > before) {
            return merging.merge(List.of(), Merging.Key.of(this, in, from, objects.subList(within, objects.size())), value);
        }
        Merging.Key key = new Merging.Key(in.between(from, in.at()));
        Object ofJdk = plans.constantsOfJdk(value.getClass()).get(key);
        List<Object> constants = plans.constants.values(key);
        return merging.merge(ofJdk == null ? constants : Constants.both(constants, List.of(ofJdk)), key, value);
    }

    private Object readTagged(int tag) {
        return switch (tag) {
            case Tag.NULL -> null;
            case Tag.FALSE -> false;
            case Tag.TRUE -> true;
            case Tag.BYTE -> (byte) in.zigzag(8);
            case Tag.SHORT -> (short) in.zigzag(16);
            case Tag.INT -> (int) in.zigzag(32);
            case Tag.LONG -> in.zigzag(64);
            case Tag.CHAR -> in.unit();
            case Tag.FLOAT -> Float.intBitsToFloat(in.big4());
            case Tag.DOUBLE -> Double.longBitsToDouble(in.big8());
            case Tag.STRING -> string(plans.text.read(in));
            case Tag.UNITS -> string(in.units().intern());
            case Tag.NAME -> Hosting.name(in.string());
            case Tag.OPTIONAL -> Optional.ofNullable(read());
            case Tag.REF -> ref();
            case Tag.ARRAY -> plans.arrayOf(in.string(), in).read(this, tag);
            case Tag.BYTES -> plans.of(byte[].class).read(this, tag);
            case Tag.IMMUTABLE_LIST, Tag.NULLABLE_LIST, Tag.IMMUTABLE_SET, Tag.IMMUTABLE_MAP ->
                plans.of(IMMUTABLE).read(this, tag);
            case Tag.ENUM -> constant();
            case Tag.RECORD, Tag.OBJECT, Tag.LIST, Tag.SET, Tag.MAP, Tag.ORDERED_MAP ->
                plan().read(this, tag);
            default -> throw in.bad("unknown tag " + Integer.toHexString(tag));
        };
    }

    /** The string for an equal one of literals: that one where equal values are merged, else one of its own. */
    @SuppressWarnings("StringOperationCanBeSimplified")
    private String string(String literal) {
        return merging == null ? new String(literal) : literal;
    }

    private Object constant() {
        Plan plan = plan();
        Object constant = plan instanceof EnumPlan constants ? constants.find(in) : null;
        if (constant == null) {
            constant = plans.constants.get(plan.type, in.string());
        }
        if (constant == null) {
            throw in.bad("no such constant of " + plan.type.getName());
        }
        return constant;
    }

    private Object ref() {
        refs++;
        int number = in.number();
        if (number >= count || numbered[number] == null) {
            throw in.bad("reference to a number not yet given");
        }
        cyclic |= !finished[number];
        return numbered[number];
    }
}
