package harrier.runtime.codec;

/** Objects of class {@code Class}, by name. */
final class ClassPlan extends Plan {
    private static final byte[] HEAD = head();

    private final Plans plans;

    ClassPlan(Plans plans) {
        super(Class.class);
        this.plans = plans;
    }

    private static byte[] head() {
        Output out = new Output();
        out.string(Class.class.getName());
        out.varint(1);
        out.string("name");
        return out.toBytes();
    }

    @Override
    void write(Encoder e, Object value) {
        Class<?> named = (Class<?>) value;
        if (ProxyPlan.isNameless(named)) {
            throw e.refuse(type, ProxyPlan.NAMELESS);
        }
        if (!plans.finds(named)) {
            throw e.refuse(type, "it is no class of the program under check, but " + named.getName());
        }
        e.out.u8(Tag.RECORD);
        e.out.raw(HEAD);
        e.field("name");
        e.write(named.getName());
    }

    @Override
    Object read(Decoder d, int tag) {
        expect(d, tag, Tag.RECORD);
        if (d.in.number() != 1 || !d.in.string().equals("name") || !(d.read() instanceof String name)) {
            throw d.in.bad("no name of a class");
        }
        return d.resolve(name);
    }

    @Override
    boolean keepsIdentity() {
        return false;
    }
}
