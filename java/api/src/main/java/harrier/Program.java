package harrier;

/** What a process does: {@code () -> Main.main(arguments)}, for {@link Scenario#process}. */
@FunctionalInterface
public interface Program {
    /** Runs the program on the first thread of the process. */
    void main() throws Exception;
}
