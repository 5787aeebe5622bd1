package harrier.runtime;

import harrier.runtime.load.ClassLabels;
import harrier.runtime.load.Coverage;
import harrier.runtime.load.CoveredMethod;
import harrier.runtime.load.CoveredMethod.Mark;
import harrier.runtime.load.ProgramLoader;
import harrier.runtime.step.ActorClass;
import harrier.runtime.step.ActorClass.HandlerMethod;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.objectweb.asm.Type;

/** Writes which of a program's code steps executed, and which kinds of messages its handlers take. */
final class Covered {
    private final Coverage coverage;
    private final ClassLabels labels;
    private final List<ActorClass> actors;

    Covered(LoadedProgram program) {
        coverage = program.loader().coverage();
        labels = ProgramLoader.labels(program.scenario().getClass());
        actors = program.actorClasses();
    }

    /** Writes the methods that are handlers or of which something was executed, and then the kinds of messages. */
    void write(Wire.Writer out) {
        Map<String, Handled> handlers = handlers();
        for (CoveredMethod m : coverage.methods()) {
            Handled handler = handlers.get(key(m.type(), m.name(), m.descriptor()));
            if (handler != null || m.marks().stream().anyMatch(mark -> coverage.isExecuted(m, mark))) {
                out.flag(true).string(handler == null ? label(m) : handler.label)
                    .string(m.file().isEmpty() ? labels.of(m.type()) : m.file()).strings(handler == null ? List.of() : handler.actors);
                marks(m, out);
            }
        }
        out.flag(false);
        kinds(out);
    }

    private String label(CoveredMethod m) {
        return labels.of(m.type()) + "." + m.name().replace("<init>", "new");
    }

    /** Writes the lines and the branches of a method. A line counts once, and is executed if some code of it is. */
    private void marks(CoveredMethod m, Wire.Writer out) {
        Map<Integer, Boolean> lines = new TreeMap<>();
        List<Mark> branches = new ArrayList<>();
        for (Mark mark : m.marks()) {
            if (mark.isBranch()) {
                branches.add(mark);
            } else {
                lines.merge(mark.line(), coverage.isExecuted(m, mark), Boolean::logicalOr);
            }
        }
        out.number(lines.size());
        lines.forEach((line, isExecuted) -> out.number(line).flag(isExecuted));
        out.number(branches.size());
        branches.forEach(b -> out.number(b.line()).flag(coverage.isExecuted(m, b)));
    }

    /**
     * A method that is a handler.
     *
     * @param actors the classes of the actors that have it
     */
    private record Handled(String label, List<String> actors) {}

    private Map<String, Handled> handlers() {
        Map<String, Handled> found = new HashMap<>();
        for (ActorClass actor : actors) {
            Stream.concat(actor.handlers().stream(), actor.internals().stream()).forEach(h ->
                found.computeIfAbsent(key(h.method().getDeclaringClass().getName(), h.method().getName(),
                    Type.getMethodDescriptor(h.method())), k -> new Handled(h.label(), new ArrayList<>())).actors.add(actor.type().getName()));
        }
        return found;
    }

    private static String key(String type, String name, String descriptor) {
        return type + " " + name + descriptor;
    }

    /** Writes which of the program's classes of messages each class of actors takes, as far as what handlers take says which there are. */
    private void kinds(Wire.Writer out) {
        for (ActorClass actor : actors) {
            Set<String> kinds = new TreeSet<>();
            actor.handlers().stream().map(HandlerMethod::message).forEach(m -> addKinds(m, kinds));
            kinds.forEach(k -> out.flag(true).string(actor.type().getName()).string(k).string(labels.of(k)));
        }
        out.flag(false);
    }

    private static void addKinds(Class<?> type, Set<String> kinds) {
        boolean hasName = type.getClassLoader() instanceof ProgramLoader && !type.isEnum() && !Throwable.class.isAssignableFrom(type);
        if (hasName && !Modifier.isAbstract(type.getModifiers())) { // states say the class of other values in ways of their own
            kinds.add(type.getName());
        }
        if (type.isSealed()) {
            for (Class<?> permitted : type.getPermittedSubclasses()) {
                addKinds(permitted, kinds);
            }
        }
    }
}
