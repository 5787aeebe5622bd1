package promises;

import harrier.Sometimes;

/**
 * That twenty-eight of the outcomes which the library's own threads may bring about ({@code RealRuns}) are explored.
 *
 * <p>Expected: verified.
 */
public final class Orders extends Promises {
    @Sometimes("messages of two actors came in one order")
    boolean oneOrder() { return ends("messages of two actors", "a b"); }

    @Sometimes("messages of two actors came in one order: and in the other")
    boolean otherOrder() { return ends("messages of two actors", "b a"); }

    @Sometimes("who was stopped had taken what came before")
    boolean stoppedLate() { return ends("who is stopped by its parent", "preStart 1 postStop"); }

    @Sometimes("who was stopped had taken what came before: and had not")
    boolean stoppedEarly() { return ends("who is stopped by its parent", "preStart postStop"); }

    @Sometimes("who was stopped by the system had taken what came before")
    boolean stoppedLateBySystem() { return ends("who is stopped by the system", "preStart 1 postStop"); }

    @Sometimes("who was stopped by the system had taken what came before: and had not, either")
    boolean stoppedEarlyBySystem() { return ends("who is stopped by the system", "preStart postStop"); }

    @Sometimes("the parent knew that the child had gone")
    boolean goneBefore() { return ends("a child may be gone", "last,false"); }

    @Sometimes("the parent knew that the child had gone: and did not know yet")
    boolean goneAfter() { return ends("a child may be gone", "last,true"); }

    @Sometimes("a scheduled message was cancelled in time")
    boolean cancelled() { return ends("a scheduled message that is cancelled", "cancel"); }

    @Sometimes("a scheduled message was cancelled in time: and came before")
    boolean tooLate() { return ends("a scheduled message that is cancelled", "later cancel"); }

    @Sometimes("a scheduled message was cancelled in time: and was in the mailbox")
    boolean inMailbox() { return ends("a scheduled message that is cancelled", "cancel later"); }

    @Sometimes("a receive timeout came after the message")
    boolean timeoutLast() { return ends("a receive timeout that is turned off", "1 timeout"); }

    @Sometimes("a receive timeout came after the message: and before it")
    boolean timeoutFirst() { return ends("a receive timeout that is turned off", "timeout 1"); }

    @Sometimes("a receive timeout came after the message: and did not come")
    boolean noTimeout() { return ends("a receive timeout that is turned off", "1"); }

    @Sometimes("a timer fired before it was cancelled")
    boolean timerFirst() { return ends("a timer that is cancelled", "old cancelled"); }

    @Sometimes("a timer fired before it was cancelled: and did not fire")
    boolean timerNot() { return ends("a timer that is cancelled", "cancelled"); }

    @Sometimes("a sibling was restarted before the message")
    boolean restartedBefore() { return ends("AllForOne: what a sibling", "1 1"); }

    @Sometimes("a sibling was restarted before the message: and after it")
    boolean restartedAfter() { return ends("AllForOne: what a sibling", "1 2"); }

    @Sometimes("a question was answered")
    boolean answered() { return ends("the answer to a question", "hello!"); }

    @Sometimes("a question was answered: and its time was over before")
    boolean late() { return ends("the answer to a question", "AskTimeoutException"); }

    @Sometimes("an answer came before a message")
    boolean answerFirst() { return ends("an answer comes between", "hello! 1"); }

    @Sometimes("an answer came before a message: and after it")
    boolean answerLast() { return ends("an answer comes between", "1 hello!"); }

    @Sometimes("tasks ran in one order")
    boolean oneTask() { return ends("tasks run in any order", "1 2"); }

    @Sometimes("tasks ran in one order: and in the other")
    boolean otherTask() { return ends("tasks run in any order", "2 1"); }

    @Sometimes("what depends on a future ran in one order")
    boolean oneDependent() { return ends("what depends on a future", "a b"); }

    @Sometimes("what depends on a future ran in one order: and in the other")
    boolean otherDependent() { return ends("what depends on a future", "b a"); }

    @Sometimes("an actor was resolved")
    boolean found() { return ends("one actor is resolved", "a"); }

    @Sometimes("an actor was resolved: and not in time")
    boolean notFound() { return ends("one actor is resolved", "ActorNotFound"); }

    /** Whether the witness of a promise was told all of an outcome. */
    private boolean ends(String name, String outcome) {
        Witness w = state(witness, Witness.class);
        return w.promise() >= 0 && Promise.all().get(w.promise()).name().startsWith(name) && w.told().equals(outcome);
    }
}
