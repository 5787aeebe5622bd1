package harrier;

import harrier.host.Looks;
import java.util.AbstractList;
import java.util.Objects;
import java.util.RandomAccess;

/**
 * The names of the actors that a {@link Scenario} created as one role, in the order of their numbers. It equals any
 * other list of the same names, and cannot be changed.
 *
 * <p>It is no more than the role and its size: names follow from these. So an actor that holds it knows who the
 * others are and nothing else. Copies, such as {@code new ArrayList<>(role)}, are plain lists of names.
 *
 * @see <a href="{@docRoot}/guide.html#symmetry">Guide: symmetry</a>
 */
public final class Role extends AbstractList<ActorName> implements RandomAccess {
    private final String role;
    private final int size;

    Role(String role, int size) {
        this.role = role;
        this.size = size;
    }

    @Override
    public ActorName get(int index) {
        ActorName name = unseen(index);
        Looks.at(name.text());
        return name;
    }

    /** The name of a number, for code that does the same with all names of the role. */
    ActorName unseen(int index) {
        Objects.checkIndex(index, size);
        return name(role, index);
    }

    @Override
    public boolean contains(Object name) {
        for (int i = 0; i < size; i++) {
            if (unseen(i).equals(name)) {
                return true;
            }
        }
        return false;
    }

    /** The name of the actor with an index. */
    static ActorName name(String role, int index) {
        return ActorName.of(role + (index + 1));
    }

    @Override
    public int size() {
        return size;
    }
}
