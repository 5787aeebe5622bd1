import java.net.*;

class Cookies extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls CookieHandler.setDefault; --allow jdk=java.net.CookieHandler
        CookieHandler.setDefault(null);
    }
}
