import javax.tools.*;

class Compilers extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls ToolProvider.getSystemJavaCompiler; --allow jdk=javax.tools
        ToolProvider.getSystemJavaCompiler();
    }
}
