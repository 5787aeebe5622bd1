package harrier.runtime.rules;

import harrier.runtime.failure.Failure;
import harrier.runtime.origin.Origin;
import harrier.runtime.rules.allow.Rule;
import harrier.runtime.rules.allow.Rules;
import harrier.runtime.rules.refuse.OwnClasses;
import harrier.runtime.rules.refuse.Receivers;
import harrier.runtime.rules.refuse.Refusal;
import harrier.runtime.rules.refuse.Refusals;
import harrier.runtime.rules.refuse.RefusedCall;
import harrier.runtime.rules.refuse.RefusedCalls;
import harrier.runtime.rules.refuse.Stack;
import harrier.runtime.rules.statics.StaticAccess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides on calls of the JDK, by {@link RefusedCalls}: those that rewritten code is about to make, and those that the rewritten JDK
 * makes itself.
 */
final class CallCheck {
    private final Rules rules;
    private final Notes notes;
    private final OwnClasses own;
    private final Callers callers;
    private final StaticAccess statics;
    /** The thread locals that the execution has set. */
    private final List<ThreadLocal<?>> kept = new ArrayList<>();
    private boolean hasThreadLocals;

    CallCheck(Rules rules, Notes notes, OwnClasses own, Callers callers, StaticAccess statics) {
        this.rules = rules;
        this.notes = notes;
        this.own = own;
        this.callers = callers;
        this.statics = statics;
    }

    /** Reports whether the execution has values of thread locals, other than those of loggers. */
    boolean hasThreadLocals() {
        return hasThreadLocals;
    }

    /** An execution ends: its values of thread locals are removed. */
    void end() {
        kept.forEach(ThreadLocal::remove);
        kept.clear();
        hasThreadLocals = false;
    }

    /** Refuses a call that rewritten code is about to make, if it is against a rule: {@link harrier.host.Control#check}. */
    void check(Object receiver, String called, int number, String place) {
        RefusedCall refused = RefusedCalls.get(number);
        if (called != null && (receiver == null || Receivers.overrides(receiver, called) && refused.isOfTheJdk())) {
            return; // no code of the JDK runs, or none yet
        }
        if (Receivers.isHarriers(refused, receiver)) {
            throw Refusals.note(Stack.say(place, "calls " + Receivers.label(refused, receiver)) + ": it is harrier's own: call what"
                + " is public in the package harrier, and directly");
        }
        if (isAllowed(refused, receiver)) {
            reads(refused);
            return;
        }
        if (refused.when() == RefusedCall.When.KEEPS) {
            keepsOwn((ThreadLocal<?>) receiver, refused.label(), place);
        } else if (Receivers.isRefused(refused, receiver)) {
            if (!isLibraryStarting(refused, place)) {
                noteThreads(refused, Stack.caller());
                throw refuse(refused, Receivers.label(refused, receiver), place);
            }
            if (Receivers.loadsNative(refused, receiver)) {
                throw new UnsatisfiedLinkError("no native code is loaded; --allow natives=any lets that happen");
            }
            String internals = Receivers.internals(refused, receiver);
            if (internals != null) {
                throw missing(internals);
            }
        } else if (refused.when() == RefusedCall.When.READS_LINES && statics.isSealed() && !callers.isLogger()) {
            notes.addInput(); // answers are kept by classes without their lines
        }
    }

    /** Notes that a thread local is used, and reports whether that is by another one than a library that logs. */
    boolean keeps(ThreadLocal<?> local, String called, String place) {
        if (callers.isInitializingInStep() && (kept.contains(local) || own.has(Stack.caller()))) {
            throw Refusals.note(Stack.say(place, "calls " + called + " in the static initializer of a class that a step initializes")
                + Stack.inTime());
        }
        kept.add(local);
        return !callers.isLogger();
    }

    /** The same, of one with methods of its own, after whose use no thread may wait in the step. */
    boolean keepsOwn(ThreadLocal<?> local, String called, String place) {
        boolean isKept = keeps(local, called, place);
        hasThreadLocals |= isKept;
        return isKept;
    }

    private boolean isAllowed(RefusedCall refused, Object receiver) {
        String jdk = Receivers.jdkClass(refused, receiver);
        return jdk != null && rules.allowJdk(jdk)
            || !refused.allowed().isEmpty() && rules.allow(refused.rule(), refused.allowed());
    }

    /** Libraries look around when they are first used, and what of that is part of a worker's start happens once. */
    private boolean isLibraryStarting(RefusedCall refused, String place) {
        if (refused.when() == RefusedCall.When.UNSEEDED) {
            return callers.isLibrarysInitializer();
        }
        boolean lenient = switch (refused.rule()) {
            case IO, ENVIRONMENT, REFLECTION, NATIVES, JDK -> true;
            default -> false;
        };
        boolean may = lenient && callers.isLibraryStarting(Callers.LOOK_AROUND, place);
        if (may && !callers.isLogger()) {
            reads(refused);
        }
        return may;
    }

    /** Code of the JDK is called that may read anything. Reflection reads classes only. */
    private void reads(RefusedCall refused) {
        if (refused.rule() != Rule.REFLECTION) {
            notes.addInput();
        }
    }

    /** Where code of a library waits, or any starts a thread, the program may need threads. That its own code waits for what no thread does is refused. */
    private void noteThreads(RefusedCall refused, String caller) {
        if (refused.rule() == Rule.THREADS && (!refused.waits() || !own.has(caller))) {
            notes.wantThreads();
        }
    }

    private static Refusal refuse(RefusedCall refused, String what, String place) {
        return Refusals.note(Stack.say(place, refused.verb() + what) + ": " + refused.mend() + refused.letting(), refused.allow());
    }

    /**
     * Refuses what the JDK is about to do.
     *
     * @param receiver the object that does it, what it is about to throw, or the folder that it could not list
     * @param method the method, as its class's internal name, a dot and its own name
     */
    void checkInJdk(Object receiver, String method) {
        if (receiver instanceof IOException thrown) {
            requireGranted(thrown);
            return;
        } else if (receiver instanceof File folder) {
            requireListed(folder);
            return;
        }
        String type = receiver.getClass().getName();
        if (Origin.isRuntime(type) || type.equals("jdk.internal.misc.InnocuousThread")) {
            return; // a part of the codec's work, or nothing that runs code of programs
        }
        int dot = method.indexOf('.');
        String owner = method.substring(0, dot);
        String name = method.substring(dot + 1);
        int known = RefusedCalls.find(owner, name, "(", String::equals);
        RefusedCall refused = RefusedCalls.get(known >= 0 ? known : RefusedCalls.findUnknown(owner, name, "("));
        if (refused.rule() == Rule.JDK && mayReach(refused)) {
            return;
        }
        noteThreads(refused, Stack.program());
        throw Refusals.note(Stack.say(Stack.place(), "has the JDK call " + refused.label()) + ": " + refused.mend() + refused.letting(), refused.allow());
    }

    /** Reports whether code may use an object that reaches past the language, however it got hold of it. Libraries do without in the set-up. */
    private boolean mayReach(RefusedCall internals) {
        String type = Receivers.internals(internals, null);
        if (rules.allowJdk(type) || rules.allow(Rule.REFLECTION, "any")) {
            return true;
        }
        if (callers.isStarting() && !own.has(Stack.program())) {
            throw missing(type);
        }
        return false;
    }

    private static NoClassDefFoundError missing(String internals) {
        return new NoClassDefFoundError(internals + " is not there for what is checked, as it reaches past the language; --allow jdk="
            + internals + " lets it be used");
    }

    /** Opens a folder that the JDK could not list: if it is the operating system that keeps it from that, it is refused. */
    private static void requireListed(File folder) {
        try {
            Files.newDirectoryStream(folder.toPath()).close();
        } catch (IOException | InvalidPathException e) {
            return; // what says that it may not be read was refused when it was made
        }
    }

    /** Refuses that the operating system keeps the program from a file, whether it catches that or not. Libraries may look around. */
    private void requireGranted(IOException thrown) {
        String denied = Failure.denied(thrown);
        if (denied.isEmpty()) {
            return;
        }
        String program = Stack.program();
        if (own.has(program) || !own.isLogger(program) && !callers.isStarting()) {
            throw Refusals.note(Stack.say(Stack.place(), "gets " + Failure.describe(thrown)) + denied);
        }
    }
}
