package harrier.runtime.rules;

import harrier.host.Agenda;
import harrier.runtime.rules.allow.Rules;
import harrier.runtime.rules.refuse.Receivers;
import harrier.runtime.rules.refuse.Refusals;
import harrier.runtime.rules.refuse.RefusedCalls;
import harrier.runtime.rules.refuse.Stack;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntUnaryOperator;

/** What random generators without a seed get, as the rule of randomness says: a seed, a choice, or a refusal. */
final class Chance {
    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

    private final Rules rules;
    private final Notes notes;
    private final Callers callers;
    private IntUnaryOperator choices;
    private long drawn;
    private long outerDrawn;
    private boolean isThreadSeeded;
    private boolean isInitializing;
    /** The actor whose step it is; empty if it is none. */
    private String drawer = "";
    /** Counts what that draws, where each value is to differ; null if no actor draws. */
    private Agenda agenda;

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
        drawer = "";
        agenda = null;
    }

    void drawer(String name, Agenda counts) {
        drawer = name;
        agenda = counts;
    }

    void choices(IntUnaryOperator newChoices) {
        choices = newChoices;
    }

    /** One of the numbers 0 to {@code n - 1}. */
    int choose(int n) {
        return choices.applyAsInt(n);
    }

    /** What the initializer of a class draws must not depend on whose step comes first. */
    void beginInitializer() {
        outerDrawn = drawn;
        drawn = 0;
        isInitializing = true;
    }

    void endInitializer() {
        drawn = outerDrawn;
        isInitializing = false;
    }

    /** The seed of a random generator that the program gives none. */
    long seed(String what, String place) {
        if (what.equals("UUID.randomUUID") && rules.seed() != null && !callers.isStarting()) {
            notes.add("randomness=seed:N draws the same in each step, so UUIDs of two steps are equal, which randomness=unique:N has"
                + " differ: {}", place);
        }
        if (rules.unique() != null) {
            return unique(place);
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
        if (what.equals("UUID.randomUUID")) {
            throw Refusals.note(Stack.say(place, "calls " + what) + ": " + RefusedCalls.UUIDS, RefusedCalls.UNIQUE);
        }
        throw Refusals.note(Stack.say(place, "calls " + what) + ": " + RefusedCalls.NO_CHANCE + "; " + RefusedCalls.SEEDS, RefusedCalls.SEED);
    }

    /**
     * A seed that depends on who draws and how often that has drawn: an actor in all of its life, the set-up, or an initializer, which is
     * known by its place. Two draws of one get different seeds.
     */
    private long unique(String place) {
        long number = isInitializing || agenda == null ? drawn++ : agenda.draws++;
        String who = isInitializing ? "static " + place : drawer;
        long hash = rules.unique();
        for (int i = 0; i < who.length(); i++) {
            hash = mixed(hash + who.charAt(i));
        }
        return mixed(hash + number * GOLDEN_GAMMA);
    }

    /** A bijection that makes similar numbers differ in about half of their bits, as {@link java.util.SplittableRandom} has it. */
    private static long mixed(long bits) {
        long z = bits + GOLDEN_GAMMA;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }

    UUID uuid(String place) {
        long first = seed("UUID.randomUUID", place);
        Random random = new Random(first);
        boolean isUnique = rules.unique() != null;
        long high = isUnique ? first : random.nextLong();
        long low = isUnique ? seed("UUID.randomUUID", place) : random.nextLong();
        return new UUID(high & ~0xf000L | 0x4000, low & ~(3L << 62) | 1L << 63);
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
        if (choices == null || agenda == null || callers.isInitializingInStep()) {
            throw Refusals.note(Stack.say(place, "calls " + what) + ": randomness=choice works in handlers only:"
                + " randomness=seed:N works everywhere (--allow)");
        }
        return rules.choices()[choices.applyAsInt(rules.choices().length)];
    }

    ThreadLocalRandom threadLocalRandom(String place) {
        if (rules.seed() == null && rules.unique() == null) {
            throw Refusals.note(Stack.say(place, "calls ThreadLocalRandom.current") + ": draw from a java.util.Random with"
                + " a seed of your own, or take what is decided from choose(n); --allow randomness=seed:N gives it a seed", RefusedCalls.SEED);
        }
        if (callers.isInitializingInStep()) {
            throw Refusals.note(Stack.say(place, "calls ThreadLocalRandom.current in the static initializer of a"
                + " class that a step initializes") + Stack.inTime());
        }
        ThreadLocalRandom random = ThreadLocalRandom.current();
        if (!isThreadSeeded) {
            Receivers.seedThread(rules.unique() == null ? rules.seed() : Long.valueOf(unique(place)));
            isThreadSeeded = true;
        }
        return random;
    }
}
