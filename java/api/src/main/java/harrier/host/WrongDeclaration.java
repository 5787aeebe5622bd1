package harrier.host;

/** A scenario says what cannot be meant. The message is all that its author needs to know. */
public final class WrongDeclaration extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    public WrongDeclaration(String message) {
        super(message);
    }
}
