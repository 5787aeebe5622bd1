package harrier.runtime.rules;

import harrier.runtime.rules.allow.Rules;
import harrier.runtime.rules.refuse.Receivers;
import harrier.runtime.rules.refuse.Refusals;
import harrier.runtime.rules.refuse.RefusedCalls;
import harrier.runtime.rules.refuse.Stack;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntUnaryOperator;

/** What random generators without a seed get, as the rule of randomness says: a seed, a choice, or a refusal. */
final class Chance {
    private final Rules rules;
    private final Notes notes;
    private final Callers callers;
    private IntUnaryOperator choices;
    private long drawn;
    private long outerDrawn;
    private boolean isThreadSeeded;

    Chance(Rules rules, Notes notes, Callers callers) {
        this.rules = rules;
        this.notes = notes;
        this.callers = callers;
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

    /** The seed of a random generator that the program gives none. */
    long seed(String what, String place) {
        if (what.equals("UUID.randomUUID") && rules.seed() != null && !callers.isStarting()) {
            notes.add("randomness=seed:N draws the same in each step, so UUIDs of two steps are equal: {}", place);
        }
        if (rules.seed() != null) {
            return rules.seed() + drawn++;
        }
        if (!what.equals("new Random") && callers.isLibrarysInitializer()) {
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
        throw Refusals.note(Stack.say(place, "calls " + what) + ": " + mend + "; " + RefusedCalls.SEEDS, RefusedCalls.SEED);
    }

    /** Refuses to draw from a random generator without a seed. */
    void drawUnseeded() {
        if (!callers.isLibrarysInitializer()) {
            throw Refusals.note(Stack.say(Stack.place(), "draws from a java.util.Random without a seed")
                + ": give it a seed of your own, or take what is decided from choose(n); " + RefusedCalls.SEEDS, RefusedCalls.SEED);
        }
    }

    double number(String what, String place) {
        if (rules.choices().length == 0 || callers.isLibrarysInitializer()) {
            return new Random(seed(what, place)).nextDouble();
        }
        double number = choose(what, place);
        if (number < 0 || number >= 1) {
            throw Refusals.note(Stack.say(place, "calls " + what) + ", which is never " + number
                + ": --allow randomness=choice takes numbers from 0 to less than 1 here");
        }
        return number;
    }

    private double choose(String what, String place) {
        if (choices == null || callers.isInitializingInStep()) {
            throw Refusals.note(Stack.say(place, "calls " + what) + ": randomness=choice works in handlers only:"
                + " randomness=seed:N works everywhere (--allow)");
        }
        return rules.choices()[choices.applyAsInt(rules.choices().length)];
    }

    ThreadLocalRandom threadLocalRandom(String place) {
        if (rules.seed() == null) {
            throw Refusals.note(Stack.say(place, "calls ThreadLocalRandom.current") + ": draw from a java.util.Random with"
                + " a seed of your own, or take what is decided from choose(n); --allow randomness=seed:N gives it a seed", RefusedCalls.SEED);
        }
        if (callers.isInitializingInStep()) {
            throw Refusals.note(Stack.say(place, "calls ThreadLocalRandom.current in the static initializer of a"
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
