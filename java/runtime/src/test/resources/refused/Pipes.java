import java.io.*;

class Pipes extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls new PipedInputStream; --allow jdk=java.io.PipedInputStream
        new PipedInputStream();
    }
}
