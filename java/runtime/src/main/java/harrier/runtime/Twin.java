package harrier.runtime;

import harrier.runtime.codec.Order;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A second copy of a program, which repeats what the first one does. Its enum constants, static fields and lambdas are other
 * objects, with other identity hash codes, and its classes were initialized and its scenario set up while hash collections
 * iterated in another order. It is made when it is first needed.
 */
final class Twin {
    private final Runnable enterFirst;
    private Supplier<LoadedProgram> make;
    private LoadedProgram made;

    /**
     * The copy of a program.
     *
     * @param enterFirst has the thread run the first one
     */
    Twin(Runnable enterFirst) {
        this.enterFirst = enterFirst;
    }

    /** Says how to make the copy. */
    void by(Supplier<LoadedProgram> newMake) {
        make = newMake;
    }

    private <R> List<R> inOthers(byte[] drawnFrom, Function<LoadedProgram, R> run) {
        try {
            if (made == null) {
                made = Order.SECOND.during(make);
            }
            made.loader().enter();
            return Order.inOthers(drawnFrom, () -> run.apply(made));
        } finally {
            enterFirst.run();
        }
    }

    /** What has a part of the copy do again what that part of the program did. */
    <T> Again<T> of(Function<LoadedProgram, T> part) {
        return new Again<>() {
            @Override
            public <R> List<R> inOthers(T self, byte[] drawnFrom, Function<T, R> run) {
                return Twin.this.inOthers(drawnFrom, program -> run.apply(part.apply(program)));
            }
        };
    }
}
