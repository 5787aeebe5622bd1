import java.util.function.*;

class Registered extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls new JPanel; --allow jdk=javax.swing
        Supplier<Object> made = javax.swing.JPanel::new; made.get();
    }
}
