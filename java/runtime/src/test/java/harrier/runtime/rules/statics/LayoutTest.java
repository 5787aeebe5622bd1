package harrier.runtime.rules.statics;

import static org.junit.Assert.assertEquals;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.Test;

/** What copies of objects see, and put back: each field by itself, whatever lies beside it. */
public class LayoutTest {
    static class Base {
        byte inBase = 1;
        Object reference = "a";
        boolean flag = true;
    }

    static final class All extends Base {
        byte small = -1;
        short shorter = -2;
        char unit = 'c';
        int number = -3;
        long large = -4;
        float single = -0.0f;
        double twice = Double.NaN;
        boolean other;
        Object last = "b";
    }

    @Test
    public void eachFieldIsComparedAndPutBack() throws ReflectiveOperationException {
        List<Field> fields = Stream.of(Base.class, All.class).flatMap(c -> Stream.of(c.getDeclaredFields())).filter(f -> !f.isSynthetic())
            .toList();
        assertEquals(12, fields.size());
        for (Field field : fields) {
            All changed = new All();
            Layout.Copies copies = copies(new All(), changed, new All());
            List<Object> before = values(fields, changed);
            change(field, changed);
            assertEquals(field.getName(), 1, copies.changed(0));
            assertEquals(field.getName(), 3, copies.changed(2));
            copies.putBack();
            assertEquals(field.getName(), 3, copies.changed(0));
            assertEquals(before, values(fields, changed));
        }
    }

    @Test
    public void arraysAreComparedAndPutBack() {
        for (Object array : List.of(new byte[3], new boolean[3], new short[3], new char[3], new int[3], new long[3], new float[3],
                new double[3], new Object[3])) {
            Layout.Copies copies = copies(array);
            System.arraycopy(other(array), 0, array, 2, 1);
            assertEquals(array.getClass().getName(), 0, copies.changed(0));
            copies.putBack();
            assertEquals(array.getClass().getName(), 1, copies.changed(0));
        }
    }

    /** A buffer keeps what toString gave last, while its characters are in another object. */
    @Test
    public void buffersForgetTheirText() {
        StringBuffer buffer = new StringBuffer("before");
        HeapCopy copy = new HeapCopy(buffer);
        buffer.setCharAt(0, 'B');
        assertEquals("Before", buffer.toString());
        copy.putBack();
        assertEquals("before", buffer.toString());
    }

    private static Layout.Copies copies(Object... objects) {
        Layout.Copies copies = Layout.of(objects[0].getClass()).new Copies();
        Stream.of(objects).forEach(copies::add);
        return copies;
    }

    private static List<Object> values(List<Field> fields, Object object) throws ReflectiveOperationException {
        List<Object> values = new ArrayList<>();
        for (Field field : fields) {
            values.add(field.get(object));
        }
        return values;
    }

    private static void change(Field field, Object object) throws ReflectiveOperationException {
        switch (field.getType().getName()) {
            case "boolean" -> field.setBoolean(object, !field.getBoolean(object));
            case "byte" -> field.setByte(object, (byte) 7);
            case "short" -> field.setShort(object, (short) 7);
            case "char" -> field.setChar(object, 'x');
            case "int" -> field.setInt(object, 7);
            case "long" -> field.setLong(object, 7);
            case "float" -> field.setFloat(object, 0.0f);
            case "double" -> field.setDouble(object, Double.longBitsToDouble(0x7ff8000000000001L));
            default -> field.set(object, "another");
        }
    }

    /** An array of the same class whose first element is another one. */
    private static Object other(Object array) {
        if (array instanceof Object[]) {
            return new Object[] {"x"};
        }
        Object other = Array.newInstance(array.getClass().getComponentType(), 1);
        if (array instanceof boolean[]) {
            ((boolean[]) other)[0] = true;
        } else if (array instanceof char[]) {
            ((char[]) other)[0] = 'x';
        } else {
            Array.setByte(other, 0, (byte) 1);
        }
        return other;
    }
}
