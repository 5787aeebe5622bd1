package harrier.runtime.analysis;

import harrier.runtime.analysis.flow.Classes;
import harrier.runtime.analysis.flow.Classes.Field;
import harrier.runtime.analysis.flow.Code;
import harrier.runtime.analysis.flow.Reach;
import harrier.runtime.analysis.flow.Roots;
import harrier.runtime.analysis.flow.Types;
import harrier.runtime.analysis.footprint.Callbacks;
import harrier.runtime.analysis.footprint.Escapes;
import harrier.runtime.analysis.footprint.Footprint;
import harrier.runtime.analysis.footprint.Footprints;
import harrier.runtime.analysis.footprint.VisibleFields;
import harrier.runtime.analysis.slice.Criterion;
import harrier.runtime.analysis.slice.FieldFact;
import harrier.runtime.analysis.slice.Graph;
import harrier.runtime.analysis.slice.Graph.Edge;
import harrier.runtime.analysis.slice.Influences;
import harrier.runtime.analysis.slice.Reasons;
import harrier.runtime.analysis.slice.SenderFact;
import harrier.runtime.analysis.slice.Senders;
import harrier.runtime.failure.RuleException;
import harrier.runtime.load.compile.ProgramClasses;
import harrier.runtime.load.rewrite.FieldReads;
import harrier.runtime.load.rewrite.WaitingCalls;
import harrier.runtime.wire.FieldNumber;
import harrier.runtime.wire.Verdict;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.signature.SignatureReader;
import org.objectweb.asm.signature.SignatureVisitor;

/**
 * The facts of the fields of a program's actors and messages.
 *
 * @param unknown why nothing is known; empty if the program was analysed
 * @param fields by class, and for each class as the structured format has them
 * @param footprints the footprints of handlers; empty if these are not known, or were not asked for
 * @param agendaSeen the names of the methods of properties that may read of timers, tasks and the time
 * @param mayRead by the name of a property's method, what {@link FieldReads} calls the fields that it may read
 * @param objects the fields of all objects that code may make, wherever they are in a local state; of some if that is
 *     not known
 * @param senders of the messages that actors take, class by class
 */
public record Decomposition(String unknown, List<FieldFact> fields, List<Footprint> footprints,
        Set<String> agendaSeen, Map<String, List<Integer>> mayRead, List<ObjectField> objects,
        List<SenderFact> senders) {
    /**
     * A field of the objects of a class.
     *
     * @param type their class, as {@code Class.getName} gives it
     * @param field the field, as the structured format names it
     * @param number what {@link FieldReads} calls it
     * @param seen the names of the methods of properties that may read it
     */
    public record ObjectField(String type, String field, int number, Set<String> seen) {}

    /**
     * How a program is looked at.
     *
     * @param natives whether native methods may run; each fails if not
     * @param anyClass whether code may find classes that it does not name, so that those of other scenarios are looked
     *     at, too
     * @param timersInOrder whether durations decide which timer or scheduled task may run; where they do not, they are
     *     not looked at
     * @param wholeMessages whether all fields of messages are relevant, as messages that are equal in these are one and
     *     all have to be received
     * @param footprints whether footprints are found: for libraries, that takes ten times as long as all else
     * @param threads whether the program has threads
     * @param preempts whether these are interleaved elsewhere than where they wait, too
     */
    public record Settings(boolean natives, boolean anyClass, boolean timersInOrder, boolean wholeMessages,
            boolean footprints, boolean threads, boolean preempts) {
        /** A program as it is, under rules that hold, with footprints. */
        public static final Settings STRICT = new Settings(false, false, false, false, true, false, false);
    }

    /**
     * Looks at a program. Nothing of it is loaded.
     *
     * @param scenario the class whose properties count
     */
    public static Decomposition of(ProgramClasses program, String scenario, Settings settings) {
        Classes classes = new Classes(settings.anyClass ? program.bytes() : program.reachedFrom(scenario),
            program.labels(), settings.natives);
        Set<String> concrete = classes.concrete(Classes.ACTOR);
        Roots roots = new Roots(classes, scenario.replace('.', '/'), concrete);
        Reach reach = new Reach(classes, settings.threads ? WaitingCalls.of(program, settings.preempts) : null);
        try {
            roots.reach(reach);
            Influences influences = new Influences(reach, settings.timersInOrder);
            influences.draw();
            return new Inference(classes, roots, concrete, influences).infer(reach, settings);
        } catch (Reach.UnseenException e) {
            return new Inference(classes, roots, concrete, null).giveUp(e.getMessage() + " cannot be analysed", settings);
        }
    }

    /** Reports whether it is known which fields properties may read. */
    public boolean knowsProperties() {
        return mayRead.values().stream().noneMatch(numbers -> numbers.contains(FieldNumber.ANY));
    }

    /**
     * Fails if the program says of a field that it is auxiliary, and its code shows that it is not.
     *
     * @throws RuleException if there is such a field
     */
    public void refuseContradictions() {
        for (FieldFact f : fields) {
            if (f.verdict() == Verdict.CONTRADICTED) {
                boolean isWhole = f.reason().stream().anyMatch(r -> r.contains(Criterion.WHOLE_MESSAGES));
                throw new RuleException(f.type() + "." + f.field() + " is declared @Auxiliary, but it matters: "
                    + String.join("; ", f.reason()) + ": remove the annotation, or "
                    + (isWhole ? "give duplicating() a budget" : "what reads the field"));
            }
        }
        for (SenderFact s : senders) {
            if (s.verdict() == Verdict.CONTRADICTED) {
                throw new RuleException("the sender of " + s.message() + " is declared @Auxiliary for " + s.actor()
                    + ", but it matters: "
                    + String.join("; ", s.reason()) + ": remove the annotation, or what uses the sender");
            }
        }
    }

    /** The last step: from the graph to the facts. */
    private static final class Inference {
        private static final String AUXILIARY = "Lharrier/Auxiliary;";

        private final Classes classes;
        private final Roots roots;
        private final Set<String> actors;
        private final Influences influences;
        private final Map<String, Verdict> verdicts = new HashMap<>();
        private final Map<String, List<String>> reasons = new HashMap<>();
        private final Set<String> forProperties = new HashSet<>();

        Inference(Classes classes, Roots roots, Set<String> actors, Influences influences) {
            this.classes = classes;
            this.roots = roots;
            this.actors = actors;
            this.influences = influences;
        }

        Decomposition infer(Reach reach, Settings settings) {
            Criterion.draw(influences, roots);
            Set<String> messages = messages(influences.sent());
            connectUnknownMessages(messages);
            if (settings.wholeMessages) {
                messages.forEach(m -> fields(m).forEach(f -> Criterion.drawWhole(influences, f)));
            }
            Senders senders = new Senders(classes);
            senders.find(actors, messages, roots, influences.edges.graph);
            senders.draw(influences, roots);
            Set<String> types = new TreeSet<>(actors);
            types.addAll(messages);
            List<Field> fields = new ArrayList<>();
            for (String t : types) {
                for (Field f : fields(t)) {
                    fields.add(f);
                    influences.edges.heap.place(f); // also those that no code touches
                }
            }
            BitSet closed = judgeDeclared(fields);
            Escapes escapes = new Escapes(reach);
            Callbacks callbacks = new Callbacks(classes);
            Map<String, VisibleFields> visible = visible(reach, callbacks, escapes);
            Edge[] any = influences.edges.graph.ways(true, closed);
            Edge[] seen = influences.edges.graph.ways(false, closed);
            BitSet withProperties = (BitSet) closed.clone();
            withProperties.set(Graph.PROPERTIES);
            Edge[] others = influences.edges.graph.ways(true, withProperties);
            for (Field f : fields) {
                int node = influences.edges.heap.place(f).value;
                if (!verdicts.containsKey(f.key())) {
                    // A reason made of reads that were seen is better than one with assumed edges.
                    judge(f, any[node] == null ? Verdict.INFERRED : Verdict.RELEVANT, node,
                        seen[node] == null ? any : seen);
                    if (any[node] != null && others[node] == null) {
                        forProperties.add(f.key());
                    }
                }
            }
            return new Decomposition("", facts(types, (name, f) -> visible.get(name).of(f)),
                settings.footprints && !settings.threads ? new Footprints(classes, reach, escapes, callbacks).of(actors, roots) : List.of(),
                agendaSeen(visible), mayRead(visible), objects(types, reach, visible), senders.facts(influences, closed));
        }

        private Map<String, VisibleFields> visible(Reach reach, Callbacks callbacks, Escapes escapes) {
            Map<String, VisibleFields> visible = new TreeMap<>();
            roots.properties().forEach((name, methods) -> visible.put(name, new VisibleFields(reach, methods.values(), callbacks, escapes)));
            return visible;
        }

        private static Set<String> agendaSeen(Map<String, VisibleFields> visible) {
            Set<String> agenda = new TreeSet<>(visible.keySet());
            agenda.removeIf(name -> !visible.get(name).ofAgenda());
            return agenda;
        }

        private static Map<String, List<Integer>> mayRead(Map<String, VisibleFields> visible) {
            Map<String, List<Integer>> mayRead = new TreeMap<>();
            visible.forEach((name, of) -> mayRead.put(name, of.numbers()));
            return mayRead;
        }

        /** Of the classes of actors and messages, and of all others whose constructors may run. */
        private List<ObjectField> objects(Set<String> types, Reach reach, Map<String, VisibleFields> visible) {
            Set<String> made = new TreeSet<>(types);
            reach.codes().stream().filter(Code::isConstructor).forEach(c -> made.add(c.method.owner().name));
            List<ObjectField> objects = new ArrayList<>();
            for (String type : made) {
                objects(type, f -> {
                    Set<String> seen = new TreeSet<>(visible.keySet());
                    seen.removeIf(property -> visible.get(property).of(f).isEmpty());
                    return seen;
                }, objects);
            }
            return objects;
        }

        private void objects(String type, Function<Field, Set<String>> seen, List<ObjectField> objects) {
            named(type).forEach((name, f) -> objects.add(new ObjectField(type.replace('/', '.'), name,
                FieldReads.number(f.owner().name, f.node().name), seen.apply(f))));
        }

        /** The result where the program cannot be analysed: every field may be relevant. */
        Decomposition giveUp(String reason, Settings settings) {
            Set<String> types = new TreeSet<>(actors);
            types.addAll(believe(reason, settings));
            Set<String> properties = new TreeSet<>(roots.properties().keySet());
            Map<String, List<Integer>> mayRead = new TreeMap<>();
            properties.forEach(name -> mayRead.put(name, List.of(FieldNumber.ANY)));
            List<ObjectField> objects = new ArrayList<>();
            held(types).forEach(type -> objects(type, f -> properties, objects));
            Senders senders = new Senders(classes);
            senders.find(actors, messages(Set.of()), roots, null);
            return new Decomposition(reason, facts(types, (name, f) -> reason), List.of(), properties, mayRead, objects,
                senders.unknown(reason));
        }

        /** Has every field be relevant that is not declared to be auxiliary, and returns the classes of messages. */
        private Set<String> believe(String reason, Settings settings) {
            Set<String> messages = messages(Set.of());
            Set<String> types = new TreeSet<>(actors);
            types.addAll(messages);
            for (String t : types) {
                boolean isWhole = settings.wholeMessages && messages.contains(t);
                Verdict declared = isWhole ? Verdict.CONTRADICTED : Verdict.BELIEVED;
                for (Field f : fields(t)) {
                    verdicts.put(f.key(), isDeclared(f) ? declared : Verdict.RELEVANT);
                    reasons.put(f.key(), List.of(isWhole ? Criterion.WHOLE_MESSAGES : reason));
                }
            }
            return messages;
        }

        /** Some classes, and those of the program that their fields are declared to hold, and so on. */
        private Set<String> held(Set<String> types) {
            Set<String> held = new LinkedHashSet<>(types);
            Deque<String> open = new ArrayDeque<>(types);
            SignatureVisitor declared = new SignatureVisitor(Opcodes.ASM9) {
                @Override
                public void visitClassType(String name) {
                    if (classes.has(name) && held.add(name)) {
                        open.add(name);
                    }
                }
            };
            while (!open.isEmpty()) {
                for (Field f : fields(open.poll())) {
                    new SignatureReader(f.node().signature == null ? f.node().desc : f.node().signature)
                        .acceptType(declared);
                }
            }
            return held;
        }

        /** Judges declarations. Returns the nodes of fields whose declarations are accepted, and whose edges are ignored. */
        private BitSet judgeDeclared(List<Field> fields) {
            BitSet closed = new BitSet();
            Edge[] any = influences.edges.graph.ways(true, closed);
            Edge[] seen = influences.edges.graph.ways(false, closed);
            for (Field f : fields) {
                if (!isDeclared(f)) {
                    continue;
                }
                int node = influences.edges.heap.place(f).value;
                if (seen[node] != null) {
                    judge(f, Verdict.CONTRADICTED, node, seen);
                } else {
                    judge(f, any[node] == null ? Verdict.DECLARED : Verdict.BELIEVED, node, any);
                    closed.set(node);
                }
            }
            return closed;
        }

        private void judge(Field f, Verdict verdict, int node, Edge[] ways) {
            verdicts.put(f.key(), verdict);
            reasons.put(f.key(), ways[node] == null ? List.of() : new Reasons(influences.edges.heap).of(node, ways));
        }

        private static boolean isDeclared(Field f) {
            return Roots.isAnnotated(f.node().visibleAnnotations, AUXILIARY);
        }

        /** The concrete classes of messages. */
        private Set<String> messages(Set<String> sent) {
            Set<String> types = new TreeSet<>(sent);
            for (String t : roots.messageTypes()) {
                types.add(Types.name(t));
            }
            Set<String> found = new TreeSet<>();
            for (String t : types) {
                for (String c : classes.family(t)) {
                    if (classes.has(t) && !classes.isAbstract(c) && !classes.isEnum(c)
                            && !Classes.ACTOR.equals(classes.foreignSuper(c))) {
                        found.add(c);
                    }
                }
            }
            return found;
        }

        /** A handler of messages of unknown types may get any. */
        private void connectUnknownMessages(Set<String> messages) {
            for (Classes.Method m : roots.receivers()) {
                Code code = influences.edges.reach.code(m);
                int object = code.parameters.size() > 1 ? code.parameters.get(1).object : -1;
                for (String type : object < 0 ? Set.<String>of() : among(messages, code.quorumElement)) {
                    influences.edges.graph.edge(influences.edges.heap.reachable(type), object, null, null, true);
                }
            }
        }

        /** Those that a quorum handler of a type may get; all if it is none, or the type says nothing. */
        private Set<String> among(Set<String> messages, String type) {
            if (type == null || !classes.has(Types.name(type))) {
                return messages;
            }
            Set<String> some = new TreeSet<>(messages);
            some.retainAll(classes.family(Types.name(type)));
            return some;
        }

        private List<Field> fields(String type) {
            List<Field> found = new ArrayList<>();
            for (String c : classes.lineage(type)) {
                found.addAll(classes.instanceFields(c));
            }
            return found;
        }

        /** Names fields as the codec does. */
        private Map<String, Field> named(String type) {
            Map<String, Field> named = new LinkedHashMap<>();
            for (Field f : fields(type)) {
                String name = f.node().name;
                named.put(named.containsKey(name) ? f.owner().name.replace('/', '.') + "." + name : name, f);
            }
            return named;
        }

        private List<FieldFact> facts(Set<String> types, BiFunction<String, Field, String> seen) {
            List<FieldFact> facts = new ArrayList<>();
            Set<String> properties = roots.properties().keySet();
            for (String type : types) {
                named(type).forEach((name, f) -> {
                    Map<String, String> places = new TreeMap<>();
                    properties.forEach(p -> places.put(p, seen.apply(p, f)));
                    places.values().removeIf(String::isEmpty);
                    facts.add(new FieldFact(type.replace('/', '.'), name, f.owner().name.replace('/', '.'),
                        verdicts.get(f.key()), forProperties.contains(f.key()), reasons.get(f.key()), places));
                });
            }
            return facts;
        }
    }
}
