package harrier.runtime.load.rewrite;

import java.util.List;

/**
 * A method of the program that notes which of its lines and branches are executed.
 *
 * @param type the class that declares it, as {@code Class.getName} gives it
 * @param file the name of its source; empty if its class does not say
 * @param descriptor of its parameters and its result
 * @param marks its lines and branches, in the order of the code
 */
public record CoveredMethod(String type, String file, String name, String descriptor, List<Mark> marks) {
    /**
     * Something that is executed or not.
     *
     * @param number the index of its mark among those of the class
     * @param line the line of the source
     * @param isBranch whether it is one of the ways that the line's code may go, and not the line
     */
    public record Mark(int number, int line, boolean isBranch) {}

    /** The first line that has code. */
    int firstLine() {
        return marks.get(0).line;
    }
}
