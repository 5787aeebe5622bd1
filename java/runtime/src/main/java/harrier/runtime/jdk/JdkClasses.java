package harrier.runtime.jdk;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The classes of the JDK that a step may use, because what they do depends on nothing but their arguments and what they
 * are called on, or because {@code RefusedCalls} and {@code Replacements} of {@code rules.refuse} have those of their methods that
 * depend on more.
 * Whatever is not here is refused where it is called.
 */
public final class JdkClasses {
    /** Of each package {@code *} for all classes, names of classes, and {@code -name} for classes that are not meant. */
    private static final String ALLOWED = """
        java.lang * -Compiler -Module -ModuleLayer -Process -ProcessBuilder -ProcessHandle -SecurityManager \
            -System$LoggerFinder
        java.lang.annotation *
        java.lang.constant *
        java.lang.invoke *
        java.lang.ref *
        java.lang.reflect *
        java.lang.runtime *
        java.io * -Console -FileDescriptor -FileOutputStream -FileWriter -ObjectInputFilter$Config -PipedInputStream \
            -PipedOutputStream -PipedReader -PipedWriter -RandomAccessFile
        java.math *
        java.net DatagramPacket IDN Inet4Address Inet6Address InetAddress InetSocketAddress ProtocolFamily SocketAddress \
            StandardProtocolFamily URI URL URLConnection URLDecoder URLEncoder
        java.nio * -MappedByteBuffer
        java.nio.channels ByteChannel Channel Channels CompletionHandler GatheringByteChannel ReadableByteChannel \
            ScatteringByteChannel WritableByteChannel
        java.nio.charset *
        java.nio.file CopyOption DirectoryStream FileSystem FileSystems FileVisitOption FileVisitResult FileVisitor \
            LinkOption OpenOption Path PathMatcher Paths SimpleFileVisitor StandardCopyOption StandardOpenOption
        java.nio.file.attribute BasicFileAttributes FileAttribute FileTime PosixFileAttributes PosixFilePermission \
            PosixFilePermissions
        java.security AccessController AlgorithmParameters CodeSource DigestInputStream DigestOutputStream Key KeyFactory \
            KeyPair KeyPairGenerator MessageDigest Principal PrivateKey PrivilegedAction PrivilegedExceptionAction \
            ProtectionDomain PublicKey SecureRandom Signature
        java.security.cert Certificate CertificateFactory X509Certificate
        java.security.interfaces *
        java.security.spec *
        java.sql Date Time Timestamp Types
        java.text *
        java.time *
        java.time.chrono *
        java.time.format *
        java.time.temporal *
        java.time.zone * -ZoneRulesProvider
        java.util *
        java.util.concurrent *
        java.util.concurrent.atomic *
        java.util.concurrent.locks *
        java.util.function *
        java.util.jar *
        java.util.logging * -FileHandler -LoggingPermission -SocketHandler
        java.util.random *
        java.util.regex *
        java.util.stream *
        java.util.zip *
        java.beans PropertyChangeEvent PropertyChangeListener PropertyChangeListenerProxy PropertyChangeSupport
        javax.crypto * -ExemptionMechanism
        javax.crypto.interfaces *
        javax.crypto.spec *
        """;

    private static final Map<String, Set<String>> PACKAGES = new HashMap<>();

    static {
        ALLOWED.lines().forEach(line -> {
            String[] words = line.split("\\s+");
            PACKAGES.put(words[0], new HashSet<>(Arrays.asList(words).subList(1, words.length)));
        });
    }

    private JdkClasses() {}

    /** Reports whether a class of the JDK may be used; exceptions may be, in any package. */
    public static boolean isAllowed(String internalName) {
        String name = internalName.replace('/', '.');
        Set<String> classes = PACKAGES.get(packageOf(name));
        return name.endsWith("Exception") || name.endsWith("Error")
            || classes != null && isAmong(classes, name.substring(name.lastIndexOf('.') + 1));
    }

    /** Nested classes are as those around them, unless the table has them. */
    private static boolean isAmong(Set<String> classes, String simple) {
        for (String name = simple; !name.isEmpty(); name = name.substring(0, Math.max(0, name.lastIndexOf('$')))) {
            if (classes.contains("-" + name)) {
                return false;
            } else if (classes.contains(name)) {
                return true;
            }
        }
        return classes.contains("*");
    }

    /** What to allow for a class: its package, or the class where others of its package are allowed. */
    public static String unit(String internalName) {
        String name = internalName.replace('/', '.');
        return PACKAGES.containsKey(packageOf(name)) ? name.replaceFirst("\\$.*", "") : packageOf(name);
    }

    private static String packageOf(String name) {
        return name.substring(0, Math.max(0, name.lastIndexOf('.')));
    }
}
