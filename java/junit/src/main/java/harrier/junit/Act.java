package harrier.junit;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Hosting;
import harrier.Internal;
import harrier.host.Agenda;
import harrier.host.Task;
import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Runs what a step of a trace names on a live actor. */
final class Act {
    private final Trace.Step step;
    private final Actor actor;

    Act(Trace.Step step, Actor actor) {
        this.step = step;
        this.actor = actor;
    }

    /** Has the handler consume messages, each of the sender at its place; null stands for the scenario. */
    void receive(List<Object> messages, List<ActorName> from) throws Throwable {
        Method handler = handler(Handler.class);
        Class<?> type = handler.getParameterTypes()[0];
        var senders = new HashSet<>(from);
        senders.remove(null);
        if (type == Map.class && !handler.getAnnotation(Handler.class).quorum().isEmpty()) {
            var bySender = new HashMap<ActorName, Object>();
            messages.forEach(m -> bySender.put(from.get(bySender.size()), m));
            run(handler, bySender, null);
        } else if (type == Set.class || type == List.class || type == Collection.class) {
            run(handler, type == Set.class ? new HashSet<>(messages) : new ArrayList<>(messages), senders);
        } else {
            run(handler, messages.get(0), from.get(0));
        }
    }

    /** Has a timer fire, a task run, or an internal handler. */
    void internal() throws Throwable {
        Agenda agenda = Hosting.agenda(actor);
        if (!step.timer().isEmpty()) {
            Method handler = handler(Handler.class);
            var fired = timer(agenda, handler.getParameterTypes()[0]);
            agenda.delayed.remove(fired);
            run(handler, fired.what(), null);
        } else if (step.handler().startsWith("task ")) {
            task(agenda).run();
        } else {
            run(handler(Internal.class), null, null);
        }
    }

    private Agenda.Delayed timer(Agenda agenda, Class<?> type) {
        var pending = agenda.delayed.stream()
            .filter(d -> !(d.what() instanceof Task) && type.isInstance(d.what())).toList();
        return only(pending.size() < 2 ? pending
            : pending.stream().filter(d -> words(d.what().toString()).equals(words(step.timer()))).toList(),
            "timers " + step.timer());
    }

    /** What a text says in any of the notations for records. */
    private static String words(String text) {
        return text.replaceAll("\\W+", " ").strip();
    }

    private Task<?> task(Agenda agenda) {
        var pending = new ArrayList<Task<?>>(agenda.tasks.subList(0, Math.min(1, agenda.tasks.size())));
        agenda.delayed.forEach(d -> {
            if (d.what() instanceof Task<?> t) {
                pending.add(t);
            }
        });
        pending.removeIf(t -> !isNamed(t));
        Task<?> task = only(pending, "tasks");
        agenda.tasks.remove(task);
        agenda.delayed.removeIf(d -> d.what() == task);
        return task;
    }

    private boolean isNamed(Task<?> task) {
        Class<?> type = task.body().getClass();
        int start = type.getPackageName().isEmpty() ? 0 : type.getPackageName().length() + 1;
        String name = "task " + type.getName().substring(start).replace('$', '.');
        int lambda = name.indexOf("..Lambda"); // behind it the trace has the method, and the virtual machine a number
        return lambda < 0 ? name.equals(step.handler())
            : step.handler().startsWith(name.substring(0, lambda)) && step.handler().endsWith(" lambda");
    }

    /** The method with an annotation that the step's label names. */
    private Method handler(Class<? extends Annotation> annotation) {
        var types = new LinkedHashSet<Class<?>>();
        for (Class<?> c = actor.getClass(); c != null; c = c.getSuperclass()) {
            types.add(c);
        }
        new ArrayList<>(types).forEach(c -> addInterfaces(c, types));
        return only(types.stream().flatMap(c -> Arrays.stream(c.getDeclaredMethods()))
            .filter(m -> m.isAnnotationPresent(annotation) && !m.isBridge() && isNamed(m)).toList(), "handlers");
    }

    private static void addInterfaces(Class<?> type, Set<Class<?>> types) {
        for (Class<?> i : type.getInterfaces()) {
            types.add(i);
            addInterfaces(i, types);
        }
    }

    private boolean isNamed(Method m) {
        String label = step.handler();
        int open = label.indexOf('(');
        int dot = label.lastIndexOf('.', open);
        var parameters = Arrays.stream(m.getGenericParameterTypes()).map(t -> simple(t.getTypeName())).toList();
        return open > 0 && dot > 0 && m.getName().equals(label.substring(dot + 1, open))
            && simple(label.substring(0, dot)).equals(simple(m.getDeclaringClass().getName()))
            && simple(label.substring(open)).equals("(" + String.join(", ", parameters) + ")");
    }

    /** Names of types without those of what they are in, nor what people are not shown of their parameters. */
    private static String simple(String types) {
        return types.replaceAll("[\\w$]+[.$](?=\\w)", "").replaceAll("<[^<>]*>", "");
    }

    private <T> T only(List<T> found, String what) {
        if (found.size() != 1) {
            throw Live.unable(step, "the live " + actor.getClass().getSimpleName() + " has " + found.size() + " "
                + what + " of this name");
        }
        return found.get(0);
    }

    private void run(Method m, Object consumed, Object sender) throws Throwable {
        m.setAccessible(true);
        try {
            m.invoke(actor, Arrays.copyOf(new Object[] {consumed, sender}, m.getParameterCount()));
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
