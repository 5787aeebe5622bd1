package harrier.run;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * The harrier binary. {@code -Dharrier.binary} names one; else it is the one in the jar {@code harrier-native-linux-x86_64},
 * unpacked once into the user's cache.
 */
public final class Binary {
    private static final String RESOURCE = "/harrier/native/linux-x86_64/harrier";

    private static Path unpacked;

    private Binary() {}

    /** What a run printed, and its exit code. */
    public record Run(int code, String out, String err) {
        /** Fails unless the exit code is one of these. */
        public void require(int... codes) {
            if (Arrays.stream(codes).noneMatch(c -> c == code)) {
                throw new IllegalStateException("harrier ended with exit code " + code + ": " + err.strip());
            }
        }
    }

    /** Runs harrier with the Java of this virtual machine. It ends with the thread that waits for it, and with the virtual machine. */
    public static Run run(List<String> arguments) {
        Path out = null;
        Path err = null;
        try {
            var command = new ArrayList<>(List.of(path().toString()));
            command.addAll(arguments);
            out = Files.createTempFile("harrier", ".out");
            err = Files.createTempFile("harrier", ".err");
            var builder = new ProcessBuilder(command).redirectInput(new File("/dev/null"))
                .redirectOutput(out.toFile()).redirectError(err.toFile());
            builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
            int code = await(builder.start());
            return new Run(code, Files.readString(out), Files.readString(err));
        } catch (IOException e) {
            throw new UncheckedIOException("running harrier", e);
        } finally {
            delete(out);
            delete(err);
        }
    }

    private static int await(Process process) {
        var end = new Thread(process::destroy);
        Runtime.getRuntime().addShutdownHook(end);
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while harrier ran", e);
        } finally {
            process.destroy();
            Runtime.getRuntime().removeShutdownHook(end);
        }
    }

    /** The hash of the binary. */
    static String hash() throws IOException {
        return hash(Files.readAllBytes(path()));
    }

    private static synchronized Path path() throws IOException {
        if (System.getProperty("harrier.binary") != null) {
            return Path.of(System.getProperty("harrier.binary"));
        }
        if (unpacked == null) {
            unpacked = unpack();
        }
        return unpacked;
    }

    /** The binary of the jar, in a folder with its hash as name. It is taken from there only if it has that hash. */
    private static Path unpack() throws IOException {
        byte[] expected = resource(RESOURCE + ".sha256");
        String hash = new String(expected, StandardCharsets.US_ASCII).strip();
        String home = System.getenv("XDG_CACHE_HOME");
        Path cache = home == null || home.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(home);
        Path file = cache.resolve("harrier").resolve("native").resolve(hash).resolve("harrier");
        if (Files.isRegularFile(file) && hash(Files.readAllBytes(file)).equals(hash)) {
            return file;
        }
        byte[] content = resource(RESOURCE);
        if (!hash(content).equals(hash)) {
            throw new IOException("the binary in the jar harrier-native-linux-x86_64 does not have the hash that is beside it");
        }
        Files.createDirectories(file.getParent());
        var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
        Path whole = Files.createTempFile(file.getParent(), "harrier", "", owner);
        try {
            Files.write(whole, content);
            Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(whole);
        }
        return file;
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = Binary.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("there is no binary for this machine on the class path: harrier has one for Linux on x86_64, in "
                    + "the artifact harrier-native-linux-x86_64; -Dharrier.binary=FILE names another");
            }
            return in.readAllBytes();
        }
    }

    private static String hash(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The text of a file. */
    public static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
    }

    private static void delete(Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            file.toFile().deleteOnExit();
        }
    }
}
