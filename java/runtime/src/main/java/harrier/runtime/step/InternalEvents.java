package harrier.runtime.step;

import harrier.host.ActorThread;
import harrier.host.Agenda;
import harrier.host.Agenda.Alarm;
import harrier.host.Task;
import harrier.host.Threads.TimeOut;
import harrier.runtime.actor.ActorClass.HandlerMethod;
import harrier.runtime.actor.FiringOrder;
import harrier.runtime.actor.Handlers;
import harrier.runtime.actor.Rounds;
import harrier.runtime.actor.Setting;
import harrier.runtime.codec.graph.LocalState;
import harrier.runtime.failure.RuleException;
import harrier.runtime.step.Act.Given;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** What an actor may do by itself: its timers fire, its tasks run, and its internal handlers. */
final class InternalEvents {
    private final LocalState state;
    private final Agenda agenda;
    private final Setting setting;
    private final Predicate<Act> accepts;

    /**
     * What may come next in a state.
     *
     * @param accepts asks the guard of an act
     */
    InternalEvents(Given given, Setting setting, Predicate<Act> accepts) {
        state = given.state();
        agenda = given.agenda();
        this.setting = setting;
        this.accepts = accepts;
    }

    /** All that may come next; guards are asked only of timers that may hold back others. */
    List<Act> all() {
        List<Act> acts = delayed();
        for (ActorThread thread : agenda.threads) {
            if (agenda.isReady(thread)) {
                acts.add(ThreadAct.resumes(thread, agenda).due());
            }
        }
        if (agenda.isBusy()) {
            if (agenda.isReady(agenda.mailbox)) {
                acts.add(ThreadAct.resumes(agenda.mailbox, agenda).due());
            }
            return acts;
        }
        if (!agenda.tasks.isEmpty()) {
            acts.add(Act.task(label(agenda.tasks.get(0))).due());
        }
        for (HandlerMethod handler : setting.classOf(state.actor().getClass()).internals()) {
            acts.add(Act.handler(handler, null));
        }
        return acts;
    }

    /** The timers that may fire, and the scheduled tasks that may run. */
    private List<Act> delayed() {
        List<Act> acts = new ArrayList<>();
        boolean timed = setting.declared().rounds() != null;
        for (int i = 0; i < agenda.delayed.size(); i++) {
            boolean mayRun = timed ? Rounds.mayRun(agenda.delayed.get(i)) : !setting.declared().isInOrder() || isNext(i);
            if (mayRun && !isNeedless(agenda.delayed.get(i).what())) {
                List<Act> firing = firing(i);
                if (timed && Rounds.mustRun(agenda.delayed.get(i))) {
                    firing.forEach(Act::due);
                }
                acts.addAll(firing);
            }
        }
        int most = setting.declared().mostFirings();
        if (most < 0 || agenda.firings < most) {
            return acts;
        }
        return acts.stream().anyMatch(accepts) ? new ArrayList<>(List.of(Act.heldBack())) : new ArrayList<>();
    }

    /** Reports whether the time-out of a thread makes no difference, as the thread can go on and does the same then. */
    private boolean isNeedless(Object what) {
        return what instanceof Task<?> task && task.body() instanceof TimeOut timeOut && agenda.isReady(timeOut.thread())
            && !timeOut.thread().waiting().tellsTimeOut();
    }

    /** Reports whether none that must fire before a timer can: one that waits for its guard holds nobody back. */
    private boolean isNext(int i) {
        return IntStream.range(0, agenda.delayed.size())
            .filter(j -> FiringOrder.isFirst(agenda.delayed.get(j), agenda.delayed.get(i)))
            .noneMatch(j -> firing(j).stream().anyMatch(accepts));
    }

    /** The ways in which a timer or a task may fire. */
    private List<Act> firing(int i) {
        Object what = agenda.delayed.get(i).what();
        if (what instanceof Task<?> task && task.body() instanceof TimeOut timeOut) {
            return List.of(ThreadAct.timesOut(timeOut.thread(), agenda));
        } else if (what instanceof Task<?> task && task.body() instanceof Alarm) {
            return List.of(new AlarmAct(label(task), i));
        }
        if (agenda.isBusy()) {
            return List.of();
        }
        if (what instanceof Task<?> task) {
            return List.of(Act.scheduled(label(task), i));
        }
        List<HandlerMethod> handlers = setting.classOf(state.actor().getClass()).handlersForTimer(what.getClass());
        if (handlers.isEmpty()) {
            String timer = what.getClass().getSimpleName();
            throw new RuleException(state.name() + " has no handler for the timer " + timer + " that it sets: "
                + Handlers.mend(state.actor().getClass(), what.getClass(), "t"));
        }
        byte[] fired = setting.codec().encode(what);
        return handlers.stream().map(handler -> Act.timer(handler, i, fired)).toList();
    }

    /** A name that is the same in every run. Those of classes made for lambdas end with numbers. */
    static String label(Task<?> task) {
        if (task.body() instanceof TimeOut timeOut) {
            return ThreadAct.label(timeOut.thread()) + " times out";
        } else if (task.body() instanceof Alarm alarm) {
            return alarm.label(InternalEvents::label);
        }
        return "task " + label(task.body());
    }

    /** A name of what a task or thread does. */
    static String label(Object body) {
        Class<?> type = body.getClass();
        String name = type.getName().substring(type.getPackageName().isEmpty() ? 0 : type.getPackageName().length() + 1);
        return name.replaceFirst("(\\$\\$Lambda.*|_lambda\\d+)$", " lambda").replace('$', '.');
    }
}
