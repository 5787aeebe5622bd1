import java.net.*;

class Loaders extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls new URLClassLoader; --allow jdk=java.net.URLClassLoader
        new URLClassLoader(new URL[0]);
    }
}
