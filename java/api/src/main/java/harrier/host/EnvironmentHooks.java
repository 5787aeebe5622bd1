package harrier.host;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URL;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Map;
import java.util.Properties;

/** Stands in for methods that read facts of the machine and the process. */
public final class EnvironmentHooks {
    private EnvironmentHooks() {}

    /** Stands in for {@link System#getProperty(String)}. */
    public static String property(String name, String place) {
        System.getProperty(name); // fails for a bad name
        return Hooks.control(place).property(name, place);
    }

    /** Stands in for {@link System#getProperty(String, String)}. */
    public static String property(String name, String otherwise, String place) {
        String value = property(name, place);
        return value == null ? otherwise : value;
    }

    /** Stands in for {@link System#getProperties}. */
    public static Properties properties(String place) {
        Control control = Hooks.control(place);
        Properties all = control.properties(place);
        return control.isStarting() ? all : new FixedProperties(all);
    }

    /** Stands in for {@link System#getenv(String)}. */
    public static String variable(String name, String place) {
        return Hooks.control(place).environment(place).get(name);
    }

    /** Stands in for {@link System#getenv()}. */
    public static Map<String, String> variables(String place) {
        return Hooks.control(place).environment(place);
    }

    /** Is called before an address is made of a host. */
    public static void address(String host, String place) {
        Hooks.control(place).address(host, place);
    }

    /** Is called before an address is made of a host and a port. */
    public static void address(String host, int port, String place) {
        address(host, place);
    }

    /** Stands in for {@link InetAddress#getLocalHost}: every machine is called localhost. */
    public static InetAddress localHost(String place) throws UnknownHostException {
        return InetAddress.getByAddress("localhost", new byte[] {127, 0, 0, 1});
    }

    /** Stands in for {@link InetAddress#getHostName} and its like, as where no name service is asked. */
    public static String hostName(InetAddress address, String place) {
        String shown = address.toString(); // the name, if it is known, a slash, and the digits
        String name = shown.substring(0, shown.lastIndexOf('/'));
        return !name.isEmpty() ? name : address.isLoopbackAddress() ? "localhost" : address.getHostAddress();
    }

    /** Stands in for {@link java.net.NetworkInterface#getNetworkInterfaces}. */
    public static Enumeration<NetworkInterface> interfaces(String place) {
        Hooks.control(place).interfaces(place);
        return Collections.emptyEnumeration();
    }

    /** Stands in for {@link Boolean#getBoolean}. */
    public static boolean flag(String name, String place) {
        return Boolean.parseBoolean(setting(name, place));
    }

    /** Stands in for {@link Integer#getInteger(String)}. */
    public static Integer integer(String name, String place) {
        return integer(name, null, place);
    }

    /** Stands in for {@link Integer#getInteger(String, int)}. */
    public static Integer integer(String name, int otherwise, String place) {
        return integer(name, (Integer) otherwise, place);
    }

    /** Stands in for {@link Integer#getInteger(String, Integer)}. */
    public static Integer integer(String name, Integer otherwise, String place) {
        String value = setting(name, place);
        try {
            return value == null ? otherwise : Integer.decode(value);
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }

    /** Stands in for {@link Long#getLong(String)}. */
    public static Long number(String name, String place) {
        return number(name, null, place);
    }

    /** Stands in for {@link Long#getLong(String, long)}. */
    public static Long number(String name, long otherwise, String place) {
        return number(name, (Long) otherwise, place);
    }

    /** Stands in for {@link Long#getLong(String, Long)}. */
    public static Long number(String name, Long otherwise, String place) {
        String value = setting(name, place);
        try {
            return value == null ? otherwise : Long.decode(value);
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }

    /** A property, or null where these methods give their default instead of looking for one. */
    private static String setting(String name, String place) {
        return name == null || name.isEmpty() ? null : property(name, place);
    }

    /** Stands in for {@link ClassLoader#getSystemClassLoader}: without harrier, that would load the program. */
    public static ClassLoader loader(String place) {
        return Hooks.control(place).loader();
    }

    /** Stands in for {@link ClassLoader#getSystemResource}. */
    public static URL resource(String name, String place) {
        return loader(place).getResource(name);
    }

    /** Stands in for {@link ClassLoader#getSystemResources}. */
    public static Enumeration<URL> resources(String name, String place) throws IOException {
        return loader(place).getResources(name);
    }

    /** Stands in for {@link ClassLoader#getSystemResourceAsStream}. */
    public static InputStream resourceAsStream(String name, String place) {
        return loader(place).getResourceAsStream(name);
    }

    /** Stands in for {@link Runtime#availableProcessors}. */
    public static int processors(Runtime runtime, String place) {
        return Hooks.control(place).processors(place);
    }
}
