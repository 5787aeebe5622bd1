package harrier.runtime.step;

import harrier.host.Agenda.Delayed;
import harrier.host.Task;
import harrier.runtime.RuleException;
import harrier.runtime.codec.LocalState;
import harrier.runtime.step.Act.Given;
import harrier.runtime.step.ActorClass.HandlerMethod;
import java.util.ArrayList;
import java.util.List;

/** What an actor may do by itself: its timers fire, its tasks run, and its internal handlers. */
final class InternalEvents {
    private InternalEvents() {}

    /** All that may come next; guards are not asked yet. */
    static List<Act> of(Given given, Setting setting) {
        List<Act> acts = new ArrayList<>();
        List<Delayed> delayed = given.agenda().delayed;
        for (int i = 0; i < delayed.size(); i++) {
            if (Pending.mayFire(delayed, i, setting.declared())) {
                addDelayed(acts, given.state(), delayed.get(i).what(), i, setting);
            }
        }
        if (!given.agenda().tasks.isEmpty()) {
            acts.add(Act.task(label(given.agenda().tasks.get(0))));
        }
        for (HandlerMethod handler : setting.classOf(given.state().actor().getClass()).internals()) {
            acts.add(Act.handler(handler, null));
        }
        return acts;
    }

    private static void addDelayed(List<Act> acts, LocalState state, Object what, int index, Setting setting) {
        if (what instanceof Task<?> task) {
            acts.add(Act.scheduled(label(task), index));
            return;
        }
        List<HandlerMethod> handlers = setting.classOf(state.actor().getClass()).handlersFor(what.getClass());
        if (handlers.isEmpty()) {
            String timer = what.getClass().getSimpleName();
            throw new RuleException(state.name() + " has no handler for the timer " + timer + " that it sets: add"
                + " \"@Handler void on(" + timer + " t)\" to " + state.actor().getClass().getSimpleName());
        }
        byte[] fired = setting.codec().encode(what);
        handlers.forEach(handler -> acts.add(Act.timer(handler, index, fired)));
    }

    /** A name that is the same in every run. Those of classes made for lambdas end with numbers. */
    private static String label(Task<?> task) {
        Class<?> type = task.body().getClass();
        String name = type.getName().substring(type.getPackageName().isEmpty() ? 0 : type.getPackageName().length() + 1);
        return "task " + name.replaceFirst("(\\$\\$Lambda.*|_lambda\\d+)$", " lambda").replace('$', '.');
    }
}
