import java.awt.image.BufferedImage;
import java.io.File;
import java.io.FileOutputStream;
import java.io.FileReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringReader;
import java.io.StringWriter;
import java.lang.constant.ClassDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.logging.FileHandler;
import java.util.spi.ToolProvider;
import java.util.zip.ZipOutputStream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;

/**
 * What programs must not be able to do to the machine, by all ways that the JDK has, tried without the rules that harrier has for
 * programs. It is called as harrier's runtime is; the question is a folder with a file "secret", and the answer the accesses despite the
 * sandbox, a line each.
 */
public final class Attacks {
    private final Path folder;
    private final Path secret;
    private final Map<String, Callable<?>> attacks = new LinkedHashMap<>();

    private Attacks(Path folder) {
        this.folder = folder;
        this.secret = folder.resolve("secret");
    }

    public static int call(int operation, int worker, ByteBuffer in, ByteBuffer out) {
        byte[] answer;
        try {
            String folder = StandardCharsets.UTF_8.decode(in).toString();
            answer = new Attacks(Path.of(folder)).run().getBytes(StandardCharsets.UTF_8);
        } catch (Throwable e) {
            answer = e.toString().getBytes(StandardCharsets.UTF_8);
        }
        out.put(answer);
        return answer.length;
    }

    public static void fetch(int worker, ByteBuffer out) {}

    public static void start() {}

    private static native int redefine(Class<?>[] types, byte[][] files);

    private String run() {
        reads();
        writes();
        processes();
        sockets();
        List<String> done = new ArrayList<>();
        attacks.forEach((name, attack) -> {
            try {
                Object result = attack.call();
                if (!Boolean.FALSE.equals(result)) {
                    done.add(name + ": " + result);
                }
            } catch (Throwable e) {
                // It was denied.
            }
        });
        return String.join("\n", done) + "\n" + attacks.size();
    }

    private Path file(String name) {
        return folder.resolve(name);
    }

    private void reads() {
        attacks.put("read by FileReader", () -> new FileReader(secret.toFile()));
        attacks.put("read by Files", () -> Files.readString(secret));
        attacks.put("read by URL", () -> new URL("file:" + secret).openStream());
        attacks.put("list by Files", () -> Files.list(folder).toList());
        attacks.put("list by File", () -> folder.toFile().list() != null);
        attacks.put("read by an XML entity", () -> DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(
            new org.xml.sax.InputSource(new StringReader("<!DOCTYPE d [<!ENTITY e SYSTEM \"file:" + secret + "\">]><d>&e;</d>"))));
        attacks.put("read by a style sheet", () -> {
            StringWriter text = new StringWriter();
            TransformerFactory.newInstance().newTransformer(new StreamSource("file:" + secret))
                .transform(new StreamSource(new StringReader("<a/>")), new StreamResult(text));
            return text;
        });
        attacks.put("map into memory", () -> FileChannel.open(secret).map(FileChannel.MapMode.READ_ONLY, 0, 1));
        attacks.put("read the users", () -> Files.readString(Path.of("/etc/passwd")));
        attacks.put("read about the first process", () -> Files.readString(Path.of("/proc/1/cmdline")));
    }

    private void writes() {
        attacks.put("write by FileOutputStream", () -> new FileOutputStream(file("a").toFile()));
        attacks.put("write by PrintWriter", () -> new PrintWriter(file("b").toFile()));
        attacks.put("write by Files", () -> Files.writeString(secret, "changed"));
        attacks.put("write by RandomAccessFile", () -> new RandomAccessFile(secret.toFile(), "rw"));
        attacks.put("truncate by FileChannel", () -> FileChannel.open(secret, StandardOpenOption.WRITE).truncate(0));
        attacks.put("write by FileSystemProvider", () -> FileSystemProvider.installedProviders().get(0).newOutputStream(file("c")));
        attacks.put("delete by FileSystemProvider", () -> {
            FileSystemProvider.installedProviders().get(0).delete(secret);
            return true;
        });
        attacks.put("delete by File", () -> secret.toFile().delete());
        attacks.put("move", () -> Files.move(secret, file("d"), StandardCopyOption.ATOMIC_MOVE));
        attacks.put("link", () -> Files.createLink(file("e"), secret));
        attacks.put("link symbolically", () -> Files.createSymbolicLink(file("f"), secret));
        attacks.put("make a folder", () -> Files.createDirectory(file("g")));
        attacks.put("make a temporary file", () -> File.createTempFile("harrier", "attack"));
        attacks.put("change permissions", () -> Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rwxrwxrwx")));
        attacks.put("change the time", () -> secret.toFile().setLastModified(0));
        attacks.put("change an attribute", () -> Files.setAttribute(secret, "user:harrier", new byte[1]));
        attacks.put("write by ImageIO", () -> ImageIO.write(new BufferedImage(1, 1, 1), "png", file("h").toFile()));
        attacks.put("write by a transformer", () -> {
            TransformerFactory.newInstance().newTransformer()
                .transform(new StreamSource(new StringReader("<a/>")), new StreamResult(file("i").toFile()));
            return Files.exists(file("i"));
        });
        attacks.put("write by a log handler", () -> new FileHandler(file("j").toString()));
        attacks.put("write by a zip file", () -> new ZipOutputStream(new FileOutputStream(file("k").toFile())));
        attacks.put("write by a tool", () -> {
            ToolProvider.findFirst("jar").orElseThrow().run(System.out, System.err, "cf", file("l").toString(), "-C", "/usr/lib", "jvm");
            return Files.exists(file("l"));
        });
        attacks.put("write by an MBean", () -> {
            Object bean = Class.forName("sun.management.ManagementFactoryHelper").getMethod("getDiagnosticMXBean").invoke(null);
            bean.getClass().getMethod("dumpHeap", String.class, boolean.class).invoke(bean, file("m") + ".hprof", true);
            return Files.exists(file("m.hprof"));
        });
    }

    private void processes() {
        String[] touch = {"/bin/touch", file("n").toString()};
        attacks.put("start by Runtime", () -> Runtime.getRuntime().exec(touch));
        attacks.put("start by ProcessBuilder", () -> new ProcessBuilder(touch).start());
        attacks.put("start by forking", () -> {
            System.setProperty("jdk.lang.Process.launchMechanism", "FORK");
            return new ProcessBuilder(touch).inheritIO().start();
        });
        attacks.put("start by a method handle", () -> {
            MethodHandle exec = (MethodHandle) MethodHandleDesc.ofMethod(DirectMethodHandleDesc.Kind.VIRTUAL,
                ClassDesc.of("java.lang.Runtime"), "exec", MethodTypeDesc.ofDescriptor("([Ljava/lang/String;)Ljava/lang/Process;"))
                .resolveConstantDesc(MethodHandles.lookup());
            try {
                return exec.invoke(Runtime.getRuntime(), touch);
            } catch (Throwable e) {
                throw new IOException(e);
            }
        });
        attacks.put("kill the parent", () -> ProcessHandle.current().parent().orElseThrow().destroyForcibly());
    }

    private void sockets() {
        attacks.put("connect", () -> new Socket("127.0.0.1", 1));
        attacks.put("listen", () -> new ServerSocket(0));
        attacks.put("send datagrams", () -> new DatagramSocket());
        attacks.put("open a socket by SelectorProvider", () -> SelectorProvider.provider().openSocketChannel());
        attacks.put("connect within the machine", () -> SocketChannel.open(UnixDomainSocketAddress.of("/run/socket")));
        attacks.put("ask for a name", () -> InetAddress.getByName("example.com"));
        attacks.put("ask for a document", () -> new URL("http://127.0.0.1:1/").openStream());
    }
}
