import java.awt.*;

class Colours extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: reads Color.RED; --allow jdk=java.awt
        Object red = Color.RED;
    }
}
