package harrier.runtime.codec.graph;

import harrier.runtime.codec.format.Output;
import harrier.runtime.codec.format.Raw;
import harrier.runtime.codec.format.Tag;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;

/**
 * Objects that {@link Proxy#newProxyInstance} makes: an object of class {@code Proxy} with the interfaces and the handler. The
 * names of their classes differ from run to run, so they are not written; the interfaces in their order give the class again.
 */
public final class ProxyPlan extends Plan {
    public static final String NAMELESS = "the class of a proxy has another name in every run; use one of its interfaces";
    private static final InvocationHandler NONE = (proxy, method, arguments) -> null;
    private static final long HANDLER = Raw.UNSAFE.objectFieldOffset(Proxy.class, "h");
    private static final byte[] INTERFACES = Output.encoded("interfaces");
    private static final byte[] H = Output.encoded("h");
    private static final byte[] HEAD = Output.encoded(Proxy.class.getName());

    private final ClassLoader users;
    private final List<Class<?>> interfaces;

    /** A plan of a class of proxies; or of {@code Proxy} itself, which reads all of them. */
    private ProxyPlan(Class<?> type, ClassLoader users) {
        super(type);
        this.users = users;
        interfaces = List.of(type.getInterfaces());
    }

    /** The plan of a class of proxies, which is refused if the program's loader has no such class. */
    public static Plan of(Class<?> type, ClassLoader users) {
        try {
            Proxy.newProxyInstance(users, type.getInterfaces(), NONE);
            return new ProxyPlan(type, users);
        } catch (IllegalArgumentException e) {
            return new Refused(Proxy.class, "the program's class loader finds no such interfaces; keep it out of the actor's state");
        }
    }

    /** Reports whether a class is one of proxies, or of arrays of these: no bytes may have its name. */
    public static boolean isNameless(Class<?> type) {
        return type.isArray() ? isNameless(type.getComponentType()) : Proxy.isProxyClass(type);
    }

    @Override
    public void write(Encoder e, Object value) {
        if (e.known(value, this)) {
            return;
        }
        e.out.u8(Tag.OBJECT);
        e.out.raw(HEAD);
        e.out.varint(2);
        e.out.raw(INTERFACES);
        e.field("interfaces");
        e.write(interfaces);
        e.out.raw(H);
        e.field("h");
        e.write(Raw.UNSAFE.getReference(value, HANDLER));
    }

    @Override
    public Object read(Decoder d, int tag) {
        expect(d, tag, Tag.OBJECT);
        int number = d.reserve();
        if (d.in.number() != 2 || !d.in.skip(INTERFACES) || !(d.read() instanceof List<?> listed) || !d.in.skip(H)) {
            throw d.in.bad("other fields than a proxy has");
        }
        Object value;
        try {
            value = Proxy.newProxyInstance(users, listed.toArray(new Class<?>[0]), NONE);
        } catch (IllegalArgumentException | ArrayStoreException | NullPointerException e) {
            throw d.in.bad("no interfaces of a proxy");
        }
        d.define(number, value); // its handler may refer to it
        if (!(d.read() instanceof InvocationHandler handler)) {
            throw d.in.bad("no handler of a proxy");
        }
        Raw.UNSAFE.putReference(value, HANDLER, handler);
        d.finish(number);
        return value;
    }

    @Override
    protected boolean canChange() {
        return false;
    }
}
