package harrier.host;

import java.security.SecureRandom;
import java.security.SecureRandomSpi;
import java.util.Random;

/** What {@code new SecureRandom()} makes: it draws what a {@link Random} does, which has a seed or must not be drawn from. */
public final class StandInSecureRandom extends SecureRandom {
    private static final long serialVersionUID = 1;

    StandInSecureRandom(Random random) {
        super(new Numbers(random), null);
    }

    /** Seeds only add to what there is, as those of a generator that has drawn already. */
    private static final class Numbers extends SecureRandomSpi {
        private static final long serialVersionUID = 1;

        private final Random random;

        Numbers(Random random) {
            this.random = random;
        }

        @Override
        protected void engineSetSeed(byte[] seed) {}

        @Override
        protected void engineNextBytes(byte[] bytes) {
            random.nextBytes(bytes);
        }

        @Override
        protected byte[] engineGenerateSeed(int count) {
            byte[] seed = new byte[count];
            random.nextBytes(seed);
            return seed;
        }
    }
}
