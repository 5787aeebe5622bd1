package harrier.runtime.jdk;

import static org.junit.Assert.assertEquals;

import harrier.runtime.codec.format.Raw;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.Test;

/** The classes and fields of {@link JdkState} are those of the JDK that runs, and are as it says. */
public class JdkStateTest {
    private static final int RUNS = Runtime.version().feature();

    /** The names that this version of the JDK has to have; those of versions between 17 and 25 may have either. */
    private static Stream<String> there(List<String> names) {
        return names.stream().filter(name -> !name.endsWith(RUNS < 18 ? "+" : RUNS < 25 && name.endsWith("+") ? "+" : "-"))
            .map(JdkState::plain);
    }

    private static Class<?> type(String name) {
        try {
            return Class.forName(name, false, JdkStateTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static Stream<Field> fields(String type) {
        return Arrays.stream(Raw.fields(type(type))).filter(f -> !Modifier.isStatic(f.getModifiers()));
    }

    @Test
    public void statelessClassesHaveNoFieldsThatChange() {
        Set<String> changing = new TreeSet<>();
        there(JdkState.STATELESS).forEach(type -> fields(type)
            .filter(f -> !isSettled(f) && !(Modifier.isFinal(f.getModifiers()) && isStateless(f.getType())))
            .forEach(f -> changing.add(f.toString())));
        assertEquals(Set.of(), changing);
    }

    private static boolean isSettled(Field field) {
        return there(JdkState.SETTLED).anyMatch((field.getDeclaringClass().getName() + "." + field.getName())::equals);
    }

    private static boolean isStateless(Class<?> type) {
        Class<?> of = type.isArray() ? type.getComponentType() : type;
        return of.isPrimitive() || of.isEnum() || of == Class.class || JdkState.STATELESS.contains(of.getName());
    }

    @Test
    public void settledFieldsAreThere() {
        Set<String> missing = new TreeSet<>();
        there(JdkState.SETTLED).filter(name -> {
            int dot = name.lastIndexOf('.');
            return fields(name.substring(0, dot)).noneMatch(f -> f.getName().equals(name.substring(dot + 1)));
        }).forEach(missing::add);
        assertEquals(Set.of(), missing);
    }

    /** A name that only other versions have is not needed in this one. */
    @Test
    public void fieldsOfOtherVersionsAreNotThere() {
        Set<String> there = new TreeSet<>();
        JdkState.SETTLED.stream().filter(name -> name.endsWith(RUNS < 18 ? "+" : RUNS >= 25 ? "-" : " ")).map(JdkState::plain)
            .filter(name -> {
                String type = name.substring(0, name.lastIndexOf('.'));
                return JdkStateTest.class.getClassLoader().getResource(type.replace('.', '/') + ".class") != null
                    && fields(type).anyMatch(f -> name.equals(type + "." + f.getName()));
            }).forEach(there::add);
        assertEquals(Set.of(), there);
    }

    @Test
    public void classesThatAreOutsideAreThere() {
        there(JdkState.OUTSIDE).forEach(JdkStateTest::type);
    }
}
