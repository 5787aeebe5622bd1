import java.net.*;

class Passwords extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls Authenticator.setDefault; --allow jdk=java.net.Authenticator
        Authenticator.setDefault(null);
    }
}
