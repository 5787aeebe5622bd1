package harrier.runtime.rules;

import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.IntUnaryOperator;

/** What random generators without a seed get, as the rule of randomness says: a seed, a choice, or a refusal. */
final class Chance {
    private final Rules rules;
    private final BooleanSupplier isInitializer;
    private final BooleanSupplier isLibrarys;
    private IntUnaryOperator choices;
    private long drawn;
    private long outerDrawn;
    private boolean isThreadSeeded;

    /**
     * By some rules.
     *
     * @param isInitializer whether the initializer of a class runs during an execution
     * @param isLibrarys whether code of a library draws in the initializer of a class, at any time
     */
    Chance(Rules rules, BooleanSupplier isInitializer, BooleanSupplier isLibrarys) {
        this.rules = rules;
        this.isLibrarys = isLibrarys;
        this.isInitializer = isInitializer;
    }

    /** An execution begins, which chooses nothing unless that is said. */
    void begin() {
        choices = null;
        drawn = 0;
        isThreadSeeded = false;
    }

    void choices(IntUnaryOperator newChoices) {
        choices = newChoices;
    }

    /** What the initializer of a class draws must not depend on whose step comes first. */
    void beginInitializer() {
        outerDrawn = drawn;
        drawn = 0;
    }

    void endInitializer() {
        drawn = outerDrawn;
    }

    long seed(String what, String place) {
        if (rules.seed() != null) {
            return rules.seed() + drawn++;
        }
        if (!what.equals("new Random") && isLibrarys.getAsBoolean()) {
            return drawn++;
        }
        if (rules.choices().length > 0) {
            double chosen = choose(what, place);
            return chosen == (long) chosen ? (long) chosen : Double.doubleToLongBits(chosen);
        }
        if (what.equals("new Random")) {
            return Receivers.UNSEEDED; // refused when it is drawn from
        }
        String mend = what.equals("UUID.randomUUID") ? RefusedCalls.UNIQUE : RefusedCalls.NO_CHANCE;
        throw Guard.note(Stack.say(place, "calls " + what) + ": " + mend + "; " + RefusedCalls.SEEDS, RefusedCalls.SEED);
    }

    double number(String what, String place) {
        if (rules.choices().length == 0 || isLibrarys.getAsBoolean()) {
            return new Random(seed(what, place)).nextDouble();
        }
        double number = choose(what, place);
        if (number < 0 || number >= 1) {
            throw Guard.note(Stack.say(place, "calls " + what) + ", which is never " + number
                + ": --allow randomness=choice takes numbers from 0 to less than 1 here");
        }
        return number;
    }

    private double choose(String what, String place) {
        if (choices == null || isInitializer.getAsBoolean()) {
            throw Guard.note(Stack.say(place, "calls " + what) + ": randomness=choice works in handlers only:"
                + " randomness=seed:N works everywhere (--allow)");
        }
        return rules.choices()[choices.applyAsInt(rules.choices().length)];
    }

    ThreadLocalRandom threadLocalRandom(String place) {
        if (rules.seed() == null) {
            throw Guard.note(Stack.say(place, "calls ThreadLocalRandom.current") + ": draw from a java.util.Random with"
                + " a seed of your own, or take what is decided from choose(n); --allow randomness=seed:N gives it a seed", RefusedCalls.SEED);
        }
        if (isInitializer.getAsBoolean()) {
            throw Guard.note(Stack.say(place, "calls ThreadLocalRandom.current in the static initializer of a"
                + " class that a step initializes") + Stack.inTime());
        }
        ThreadLocalRandom random = ThreadLocalRandom.current();
        if (!isThreadSeeded) {
            Receivers.seedThread(rules.seed());
            isThreadSeeded = true;
        }
        return random;
    }
}
