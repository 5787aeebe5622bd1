package harrier.runtime.codec;

/** The objects that a value reaches, of those that are told apart by which they are. */
public final class Identities {
    private final Numbers numbers;

    Identities(Numbers numbers) {
        this.numbers = numbers;
    }

    /** The same objects, some of which may have changed since. */
    public Identities again() {
        return new Identities(numbers.again());
    }

    public boolean isEmpty() {
        return numbers.size() == 0;
    }

    /** Whether another value reaches one of them, too. */
    public boolean meets(Identities others) {
        return numbers.meets(others.numbers);
    }
}
