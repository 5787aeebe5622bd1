package harrier.runtime.program;

import harrier.runtime.actor.ActorClass;
import harrier.runtime.actor.ActorClass.HandlerMethod;
import harrier.runtime.load.ProgramLoader;
import harrier.runtime.load.compile.ClassLabels;
import harrier.runtime.load.rewrite.Coverage;
import harrier.runtime.load.rewrite.CoveredMethod;
import harrier.runtime.load.rewrite.CoveredMethod.Mark;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.objectweb.asm.Type;

/**
 * Writes which of a program's code steps executed, and which kinds of messages its handlers take. With loops, as all checks do this,
 * once: lambdas take longer until they run than all of it.
 */
public final class Covered {
    private final Coverage coverage;
    private final ClassLabels labels;
    private final List<ActorClass> actors;

    /** Of a program with some classes of actors. */
    public Covered(LoadedProgram program, List<ActorClass> actors) {
        coverage = program.loader().coverage();
        labels = ProgramLoader.labels(program.scenario().getClass());
        this.actors = actors;
    }

    /** Writes the methods that are handlers or of which something was executed, and then the kinds of messages. */
    public void write(Wire.Writer out) {
        Map<String, Handled> handlers = handlers();
        for (CoveredMethod m : coverage.methods()) {
            Handled handler = handlers.get(key(m.type(), m.name(), m.descriptor()));
            if (handler != null || isExecuted(m)) {
                out.flag(true).string(handler == null ? label(m) : handler.label)
                    .string(m.file().isEmpty() ? labels.of(m.type()) : m.file()).strings(handler == null ? List.of() : handler.actors);
                marks(m, out);
            }
        }
        out.flag(false);
        kinds(out);
    }

    private boolean isExecuted(CoveredMethod m) {
        for (Mark mark : m.marks()) {
            if (coverage.isExecuted(m, mark)) {
                return true;
            }
        }
        return false;
    }

    private String label(CoveredMethod m) {
        return labels.of(m.type()) + "." + (m.name().equals("<init>") ? "new" : m.name());
    }

    /** Writes the lines and the branches of a method. A line counts once, and is executed if some code of it is. */
    private void marks(CoveredMethod m, Wire.Writer out) {
        Map<Integer, Boolean> lines = new TreeMap<>();
        List<Mark> branches = new ArrayList<>();
        for (Mark mark : m.marks()) {
            if (mark.isBranch()) {
                branches.add(mark);
            } else {
                lines.put(mark.line(), coverage.isExecuted(m, mark) || lines.getOrDefault(mark.line(), false));
            }
        }
        out.number(lines.size());
        for (Map.Entry<Integer, Boolean> line : lines.entrySet()) {
            out.number(line.getKey()).flag(line.getValue());
        }
        out.number(branches.size());
        for (Mark branch : branches) {
            out.number(branch.line()).flag(coverage.isExecuted(m, branch));
        }
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
            List<HandlerMethod> all = new ArrayList<>(actor.handlers());
            all.addAll(actor.internals());
            for (HandlerMethod h : all) {
                String key = key(h.method().getDeclaringClass().getName(), h.method().getName(), Type.getMethodDescriptor(h.method()));
                Handled handled = found.get(key);
                if (handled == null) {
                    handled = new Handled(h.label(), new ArrayList<>());
                    found.put(key, handled);
                }
                handled.actors.add(actor.type().getName());
            }
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
            for (HandlerMethod h : actor.handlers()) {
                addKinds(h.message(), kinds);
            }
            for (String kind : kinds) {
                out.flag(true).string(actor.type().getName()).string(kind).string(labels.of(kind));
            }
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
