package harrier;

import harrier.host.Declaration;
import harrier.host.Declaration.Kind;
import harrier.host.WrongDeclaration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Says which actors a check explores as one component. What the actors of a component do among themselves is taken together
 * with what they show others next, as one transition. Verdicts do not depend on it, but the time that a check takes does: {@code
 * harrier explain components} lists the labels of each component. By default, each actor is a component by itself.
 *
 * @see <a href="{@docRoot}/guide.html#components">Guide: components</a>
 */
public final class Components {
    private final Consumer<Declaration> declare;

    Components(Consumer<Declaration> declare) {
        this.declare = declare;
    }

    /**
     * These actors are one component, with all that they create.
     *
     * @param actors roles or names under which the scenario creates them, at least one; each is in one component at most
     */
    public Components together(String... actors) {
        if (actors.length == 0) {
            throw new WrongDeclaration("together(): name the actors that are one component, by role or name");
        }
        declare.accept(new Declaration(Kind.COMPONENT, Declaration.UNBOUNDED, List.of(actors)));
        return this;
    }
}
