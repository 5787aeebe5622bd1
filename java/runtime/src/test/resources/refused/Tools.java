import java.util.spi.ToolProvider;

class Tools extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls ToolProvider.findFirst; --allow jdk=java.util.spi
        ToolProvider.findFirst("jar").orElseThrow().run(System.out, System.err, "cf", "x.jar");
    }
}
