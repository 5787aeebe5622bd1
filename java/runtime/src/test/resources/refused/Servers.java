class Servers extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls HttpServer.create; --allow jdk=com.sun.net.httpserver
        com.sun.net.httpserver.HttpServer.create();
    }
}
