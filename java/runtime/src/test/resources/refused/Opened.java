import java.lang.reflect.*;

class Opened extends Attack {
    @Override
    void attack() throws Throwable {
        Field modCount = java.util.AbstractList.class.getDeclaredField("modCount");
        // refused: calls AccessibleObject.setAccessible for AbstractList.modCount
        modCount.setAccessible(true);
    }
}
