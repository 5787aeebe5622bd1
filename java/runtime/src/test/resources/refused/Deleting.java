import java.nio.file.*;

class Deleting extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls Files.deleteIfExists; --allow jdk=java.nio.file.Files
        Files.deleteIfExists(Path.of("written"));
    }
}
