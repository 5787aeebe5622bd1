import java.nio.file.*;

class Providers extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls FileSystemProvider.deleteIfExists; --allow jdk=java.nio.file.spi
        Path.of("written").getFileSystem().provider().deleteIfExists(Path.of("written"));
    }
}
