import java.util.prefs.*;

class Preferred extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls Preferences.userRoot; --allow jdk=java.util.prefs
        Preferences.userRoot().put("a", "b");
    }
}
