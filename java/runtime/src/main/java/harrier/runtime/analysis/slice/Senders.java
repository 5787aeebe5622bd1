package harrier.runtime.analysis.slice;

import harrier.runtime.analysis.flow.Classes;
import harrier.runtime.analysis.flow.Classes.Method;
import harrier.runtime.analysis.flow.Code;
import harrier.runtime.analysis.flow.Def;
import harrier.runtime.analysis.flow.Def.Kind;
import harrier.runtime.analysis.flow.HandlerRoot;
import harrier.runtime.analysis.flow.Lambda;
import harrier.runtime.analysis.flow.Reach;
import harrier.runtime.analysis.flow.Roots;
import harrier.runtime.analysis.flow.Site;
import harrier.runtime.analysis.flow.Types;
import harrier.runtime.analysis.slice.Graph.Edge;
import harrier.runtime.jdk.JdkMethods;
import harrier.runtime.wire.Verdict;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * The senders of messages, as fields of these: one node for the messages of one class that actors of one class take. It
 * influences the parameters of handlers and guards that get the sender, and what {@code reply} does where these may
 * call it.
 */
public final class Senders {
    private static final String AUXILIARY = "Lharrier/Auxiliary;";

    private final Classes classes;
    private final List<Sender> senders = new ArrayList<>();

    /**
     * The sender of some messages.
     *
     * @param handlers those that may take them
     */
    private record Sender(String message, String actor, List<HandlerRoot> handlers, int node) {
        /** Reports whether each handler that gets the sender has it marked, and one does. */
        boolean isDeclared() {
            List<Method> getting = handlers.stream().map(HandlerRoot::body).filter(m -> m.parameters() > 1).toList();
            return !getting.isEmpty() && getting.stream().allMatch(m -> m.isMarked(1, AUXILIARY));
        }

        SenderFact fact(Verdict verdict, List<String> reason) {
            return new SenderFact(message.replace('/', '.'), actor.replace('/', '.'), verdict, reason);
        }
    }

    public Senders(Classes classes) {
        this.classes = classes;
    }

    /** Finds them. Without a graph they have no nodes. */
    public void find(Collection<String> actors, Set<String> messages, Roots roots, Graph graph) {
        for (String actor : new TreeSet<>(actors)) {
            List<HandlerRoot> handlers = HandlerRoot.of(actor, classes, roots);
            for (String message : messages) {
                List<HandlerRoot> takers = handlers.stream().filter(h -> takes(h, message)).toList();
                if (!takers.isEmpty()) {
                    senders.add(new Sender(message, actor, takers, graph == null ? -1 : graph.node()));
                }
            }
        }
    }

    private boolean takes(HandlerRoot handler, String message) {
        if (handler.message() == null) {
            return false;
        }
        String type = Types.name(handler.message());
        if (classes.has(type)) {
            return classes.isSubtype(message, type);
        }
        Class<?> known = JdkMethods.load(type);
        return known == null || !Modifier.isFinal(known.getModifiers());
    }

    /** Draws the edges to the values that they influence. */
    public void draw(Influences influences, Roots roots) {
        Map<Code, Site> replying = replying(influences.edges.reach);
        Set<String> functions = functions(influences.edges.reach);
        Site anywhere = replying.entrySet().stream()
            .filter(e -> roots.isCalledFromOutside(e.getKey().method) || e.getKey().isLambda() || functions.contains(e.getKey().method.key()))
            .map(Map.Entry::getValue).findFirst().orElse(null);
        for (Sender s : senders) {
            for (HandlerRoot h : s.handlers) {
                pass(influences, s, h.body(), replying);
                h.asked().forEach(m -> pass(influences, s, m, replying));
            }
            influences.edges.graph.edge(anywhere == null ? -1 : s.node, Graph.RELEVANT, "may decide to whom %s replies",
                anywhere, true);
        }
    }

    /** The keys of methods that method references call, which may be kept and called in any step. */
    private static Set<String> functions(Reach reach) {
        Set<String> functions = new HashSet<>();
        for (Code code : reach.codes()) {
            for (int at = 0; at < code.size(); at++) {
                Def def = code.def(at);
                if (def != null && def.kind == Kind.LAMBDA) {
                    reach.implementations(Lambda.of(def)).forEach(m -> functions.add(m.key()));
                }
            }
        }
        return functions;
    }

    private static void pass(Influences influences, Sender s, Method method, Map<Code, Site> replying) {
        Code code = influences.edges.reach.code(method);
        if (code.parameters.size() > 2) {
            Def sender = code.parameters.get(2);
            influences.edges.graph.edge(s.node, sender.value, "taken by %s", code.start(), false);
            influences.edges.graph.edge(s.node, sender.object, "taken by %s", code.start(), false);
        }
        if (influences.edges.reach.waiting != null && influences.edges.reach.waiting.has(method.node().name, method.node().desc)) {
            influences.edges.graph.edge(s.node, Graph.RELEVANT, "is kept while %s waits", code.start(), true);
        }
        if (replying.containsKey(code)) {
            influences.edges.graph.edge(s.node, Graph.RELEVANT, "decides to whom %s replies",
                replying.get(code), false);
        }
    }

    /** The methods that may call {@code reply}, with where that is. */
    private Map<Code, Site> replying(Reach reach) {
        Map<Code, List<Code>> callers = new LinkedHashMap<>();
        Map<Code, Site> found = new LinkedHashMap<>();
        for (Code code : reach.codes()) {
            code.callees.forEach(c -> callers.computeIfAbsent(c, x -> new ArrayList<>()).add(code));
            for (int at = 0; at < code.size(); at++) {
                if (isReply(code, at)) {
                    found.putIfAbsent(code, code.site(at));
                }
            }
        }
        Deque<Code> work = new ArrayDeque<>(found.keySet());
        while (!work.isEmpty()) {
            Code callee = work.poll();
            for (Code caller : callers.getOrDefault(callee, List.of())) {
                if (found.putIfAbsent(caller, found.get(callee)) == null) {
                    work.add(caller);
                }
            }
        }
        return found;
    }

    private boolean isReply(Code code, int at) {
        if (code.instruction(at) instanceof MethodInsnNode call) {
            return isReply(call.owner, call.name, call.desc);
        }
        Def def = code.def(at);
        if (def == null || def.kind != Kind.LAMBDA) {
            return false;
        }
        var implementation = Lambda.of(def).implementation();
        return isReply(implementation.getOwner(), implementation.getName(), implementation.getDesc());
    }

    private boolean isReply(String owner, String name, String descriptor) {
        return name.equals("reply") && descriptor.equals("(Ljava/lang/Object;)V")
            && (owner.equals(Classes.ACTOR) || Classes.ACTOR.equals(classes.foreignSuper(owner)));
    }

    /** The facts, by the ways to relevant values. Senders that are believed influence nothing. */
    public List<SenderFact> facts(Influences influences, BitSet closed) {
        Edge[] any = influences.edges.graph.ways(true, closed);
        Edge[] seen = influences.edges.graph.ways(false, closed);
        List<SenderFact> facts = new ArrayList<>();
        for (Sender s : senders) {
            Edge[] ways = seen[s.node] == null ? any : seen;
            Verdict verdict = ways[s.node] == null ? Verdict.INFERRED : Verdict.RELEVANT;
            if (s.isDeclared()) {
                verdict = ways[s.node] == null ? Verdict.DECLARED : ways == any ? Verdict.BELIEVED
                    : Verdict.CONTRADICTED;
            }
            List<String> reason = ways[s.node] == null ? List.of()
                : new Reasons(influences.edges.heap).of(s.node, "the sender of " + classes.shown(s.message), ways);
            facts.add(s.fact(verdict, reason));
        }
        return facts;
    }

    /** The facts where nothing is known. */
    public List<SenderFact> unknown(String reason) {
        return senders.stream().map(s -> s.fact(s.isDeclared() ? Verdict.BELIEVED : Verdict.RELEVANT, List.of(reason)))
            .toList();
    }
}
