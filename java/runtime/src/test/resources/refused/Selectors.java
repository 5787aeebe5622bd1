import java.nio.channels.spi.*;

class Selectors extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls SelectorProvider.provider; --allow jdk=java.nio.channels.spi
        SelectorProvider.provider().openSocketChannel();
    }
}
