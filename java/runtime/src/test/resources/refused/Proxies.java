import java.net.*;

class Proxies extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls ProxySelector.setDefault; --allow jdk=java.net.ProxySelector
        ProxySelector.setDefault(null);
    }
}
