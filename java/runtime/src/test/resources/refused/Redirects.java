import java.net.*;

class Redirects extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls HttpURLConnection.setFollowRedirects; --allow jdk=java.net.HttpURLConnection
        HttpURLConnection.setFollowRedirects(false);
    }
}
