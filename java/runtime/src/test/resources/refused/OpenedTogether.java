import java.lang.reflect.*;

class OpenedTogether extends Attack {
    @Override
    void attack() throws Throwable {
        Field modCount = java.util.AbstractList.class.getDeclaredField("modCount");
        // refused: calls AccessibleObject.setAccessible
        AccessibleObject.setAccessible(new Field[] {modCount}, true);
    }
}
