package register;

import harrier.ActorName;
import harrier.Parameter;
import harrier.Scenario;
import java.util.List;

/**
 * A regular register with one writer and several readers on base objects of which a majority answers, in the
 * style of Attiya, Bar-Noy and Dolev: "Sharing Memory Robustly in Message-Passing Systems" (J. ACM, 1995).
 * A regular register's readers need not write back what they read.
 *
 * <p>Expected: verified.
 */
public class Register extends Scenario {
    @Parameter("how many base objects; a majority decides")
    protected int objects = 3;

    @Parameter("how many readers")
    protected int readers = 1;

    @Parameter("how often the writer writes")
    protected int writes = 1;

    @Parameter("how often each reader reads")
    protected int reads = 2;

    @Override
    protected void setUp() {
        List<ActorName> stores = create("object", objects, i -> new BaseObject());
        create("writer", new Writer(stores, writes));
        create("reader", readers, i -> new Reader(stores, reads));
        specify();
    }

    /** Says what operations are held to. */
    protected void specify() {
        regular(Content.class, Read.class);
    }
}
