import java.lang.reflect.*;

class ReflectedProcess extends Attack {
    @Override
    void attack() throws Throwable {
        Constructor<?> made = ProcessBuilder.class.getConstructor(String[].class);
        // refused: calls Constructor.newInstance for ProcessBuilder.new
        made.newInstance((Object) new String[] {"true"});
    }
}
