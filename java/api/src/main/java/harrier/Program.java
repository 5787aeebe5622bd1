package harrier;

/**
 * What a process does: {@code () -> Main.main(arguments)}, for {@link Scenario#process}.
 *
 * @see <a href="{@docRoot}/guide.html#whole-programs">Guide: whole programs</a>
 */
@FunctionalInterface
public interface Program {
    /** Runs the program on the first thread of the process. */
    void main() throws Exception;
}
