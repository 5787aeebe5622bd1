package harrier.runtime.rules.refuse;

import harrier.runtime.origin.Loggers;
import harrier.runtime.rules.allow.Rule;

/**
 * A method of the JDK or of a logger that a step must not call, or a field that it must not read.
 *
 * @param rule the rule that it is against
 * @param allowed the value of the rule with which it may be called; empty if there is none
 * @param owner the internal name of its class
 * @param name its name; {@code <init>} for constructors
 * @param descriptor what its descriptor begins with; a field has the whole of it
 * @param when in which case it is against the rule
 * @param mend what to do instead, for people
 */
public record RefusedCall(Rule rule, String allowed, String owner, String name, String descriptor, When when,
        String mend) {
    /** In which case a call is against a rule. */
    public enum When {
        ALWAYS,
        /** If it would wait, as far as the receiver shows. */
        IT_WAITS,
        /** If the receiver is an executor of the JDK's, or extends one. */
        OF_THE_JDK,
        /** If the receiver is the address of something that is not on the class path. */
        OUTSIDE,
        /** If the receiver is the thread that runs. */
        CURRENT_THREAD,
        /** If the receiver is a random generator that nobody gave a seed. */
        UNSEEDED,
        /** If the receiver is a throwable of an earlier step; any other gives lines of the source. */
        READS_LINES,
        /** If the receiver stands for a method that the table has, or a member of harrier's own. */
        REFLECTED,
        /** Unless the static initializer of a class calls it, which runs once. */
        OUTSIDE_INITIALIZERS,
        /** Never; but what it leaves in the receiver, a ThreadLocal, is taken away after the execution. */
        KEEPS
    }

    /** Reports whether the receiver decides. */
    public boolean asksReceiver() {
        return when != When.ALWAYS;
    }

    /** Reports whether it waits for what another thread does. */
    public boolean waits() {
        return mend.equals(RefusedCalls.NO_WAITING);
    }

    /** Reports whether it is the JDK's own, so that a class of the program can override it. */
    public boolean isOfTheJdk() {
        return !Loggers.has(owner.replace('/', '.'));
    }

    /** Reports whether it is a field that is read, no method that is called. */
    boolean isField() {
        return !descriptor.isEmpty() && descriptor.charAt(0) != '(';
    }

    /** What relaxes the rule for it, as {@code name=value}; empty if nothing does. */
    public String allow() {
        boolean isDrawn = when == When.UNSEEDED;
        return isDrawn ? RefusedCalls.SEED : allowed.isEmpty() ? "" : rule.label() + "=" + allowed;
    }

    /** What to say after the mend of what relaxes the rule; empty if nothing does, or the mend says it. */
    public String letting() {
        return allowed.isEmpty() ? "" : "; --allow " + allow() + " lets it happen";
    }

    /** What code at a place does that is always refused; null if that depends on the object. */
    public String done(String place) {
        return when == When.ALWAYS ? Stack.say(place, verb() + label()) : null;
    }

    public String verb() {
        return isField() ? "reads " : "calls ";
    }

    /** The method, for people. */
    public String label() {
        String type = owner.substring(owner.lastIndexOf('/') + 1).replace('$', '.');
        return name.equals("<init>") ? "new " + type : type + "." + name;
    }
}
