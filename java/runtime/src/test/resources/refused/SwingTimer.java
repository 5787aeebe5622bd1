import javax.swing.*;

class SwingTimer extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls new Timer; --allow jdk=javax.swing
        new Timer(1, e -> { }).start();
    }
}
