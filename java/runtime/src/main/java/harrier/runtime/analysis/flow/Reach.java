package harrier.runtime.analysis.flow;

import harrier.runtime.analysis.flow.Classes.Field;
import harrier.runtime.analysis.flow.Classes.Method;
import harrier.runtime.analysis.flow.Classes.Targets;
import harrier.runtime.analysis.flow.Def.Val;
import harrier.runtime.load.rewrite.WaitingCalls;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/** The methods that may run, from those that the runtime calls, and who calls whom. */
public final class Reach {
    private static final String TO_STRING = "()Ljava/lang/String;";
    /** How many methods are read at most: a few seconds of work. */
    private static final int MOST = 1 << 12;
    /** Methods that make objects of interfaces whose calls run code that calls of the interface do not show. */
    private static final Set<String> MAKE_PROXIES = Set.of("java/lang/reflect/Proxy.newProxyInstance",
        "java/lang/reflect/Proxy.getProxyClass", "java/lang/invoke/MethodHandleProxies.asInterfaceInstance");

    public final Classes classes;
    public final Types types;
    /** Which calls of a program with threads may wait; null if it has none. */
    public final WaitingCalls waiting;
    private final Map<String, Code> codes = new LinkedHashMap<>();
    private final Deque<Code> work = new ArrayDeque<>();
    /** The lambdas that are made of functional interfaces of the program. */
    private final List<Def> lambdas = new ArrayList<>();
    private final Set<String> initialised = new HashSet<>();
    /** Methods not connected with their callees yet, and how many lambdas there were when the others were. */
    private final List<Code> unconnected = new ArrayList<>();
    private int connectedLambdas;

    /** A method that the data flow cannot look into. */
    public static final class UnseenException extends RuntimeException {
        private static final long serialVersionUID = 1;

        public UnseenException(String what, Throwable cause) {
            super(what, cause);
        }
    }

    /** For code that no thread leaves. */
    public Reach(Classes classes) {
        this(classes, null);
    }

    /** @param waiting which calls may wait; null if the program has no threads */
    public Reach(Classes classes, WaitingCalls waiting) {
        this.classes = classes;
        this.waiting = waiting;
        types = new Types(classes);
    }

    public Collection<Code> codes() {
        return codes.values();
    }

    /** A method that may run, null for others. */
    public Code known(Method method) {
        return codes.get(method.key());
    }

    /** Adds methods that the runtime calls, and all that they may call. */
    public List<Code> from(Collection<Method> roots, int part) {
        List<Code> found = new ArrayList<>();
        for (Method m : roots) {
            found.add(code(m));
            code(m).runsIn(part);
        }
        while (!work.isEmpty()) {
            visit(work.poll());
        }
        return found;
    }

    /** Connects callers with callees, and notes in which contexts each runs. Called after all roots are known. */
    void finish() {
        connect();
        for (Code code : codes.values()) {
            code.runsIn(code.isConstructor() ? Code.CONSTRUCTORS : 0);
        }
        spread();
        new Components().number(codes.values());
    }

    /** Connects callers with callees: those that were found since it was done last, unless lambdas were that others may call. */
    public void connect() {
        List<Code> callers = connectedLambdas == lambdas.size() ? unconnected : List.copyOf(codes.values());
        for (Code code : callers) {
            Set<Code> all = new LinkedHashSet<>();
            for (int at = 0; at < code.size(); at++) {
                for (Method m : called(code, at)) {
                    all.add(code(m));
                }
            }
            code.callees.addAll(all);
        }
        unconnected.clear();
        connectedLambdas = lambdas.size();
        if (!work.isEmpty()) {
            // Lambdas that were met late: calls through their interfaces lead to known methods only.
            throw new IllegalStateException("methods were found too late");
        }
    }

    /** Callees run in the contexts of their callers. */
    private void spread() {
        Deque<Code> queue = new ArrayDeque<>(codes.values());
        while (!queue.isEmpty()) {
            Code caller = queue.poll();
            for (Code callee : caller.callees) {
                if (callee.runsIn(caller.parts())) {
                    queue.add(callee);
                }
            }
        }
    }

    public Code code(Method method) {
        Code known = codes.get(method.key());
        if (known == null) {
            if (codes.size() == MOST) {
                throw new UnseenException("what handlers and properties may run, more than " + MOST + " methods,", null);
            }
            try {
                if (method.is(Opcodes.ACC_NATIVE)) {
                    throw new IllegalArgumentException("native");
                }
                known = new Code(method, classes, waiting);
            } catch (AnalyzerException | RuntimeException e) {
                throw new UnseenException(classes.shown(method.owner().name) + "." + method.node().name, e);
            }
            codes.put(method.key(), known);
            unconnected.add(known);
            work.add(known);
        }
        return known;
    }

    /** The method that an instruction calls. */
    private void code(Method method, Code caller, int at) {
        try {
            code(method);
        } catch (UnseenException e) {
            throw e.getCause() == null ? e : new UnseenException(e.getMessage() + ", called by " + caller.site(at) + ",", e);
        }
    }

    private void visit(Code code) {
        initialise(code.method.owner().name);
        for (int at = 0; at < code.size(); at++) {
            AbstractInsnNode insn = code.instruction(at);
            if (insn instanceof MethodInsnNode call) {
                refuseProxies(call.owner, call.name, code, at);
            }
            Def def = code.def(at);
            if (def != null && def.kind == Def.Kind.LAMBDA) {
                Lambda lambda = Lambda.of(def);
                refuseProxies(lambda.implementation().getOwner(), lambda.implementation().getName(), code, at);
                if (classes.has(lambda.type()) && !lambdas.contains(def)) {
                    lambdas.add(def);
                }
            }
            for (Method m : called(code, at)) {
                code(m, code, at);
            }
            if (insn instanceof FieldInsnNode f && classes.has(f.owner)) {
                initialise(f.owner);
            } else if (insn instanceof TypeInsnNode t && t.getOpcode() == Opcodes.NEW && classes.has(t.desc)) {
                initialise(t.desc);
            }
        }
    }

    private static void refuseProxies(String owner, String name, Code code, int at) {
        if (MAKE_PROXIES.contains(owner + "." + name)) {
            throw new UnseenException(owner.substring(owner.lastIndexOf('/') + 1) + "." + name + ", called by " + code.site(at) + ",",
                null);
        }
    }

    private void initialise(String name) {
        for (String c : classes.lineage(name)) {
            if (initialised.add(c)) {
                Method m = classes.declared(c, "<clinit>", "()V");
                if (m != null) {
                    code(m);
                }
            }
        }
    }

    /** The program's methods that an instruction may call, at once or through an object that it makes. */
    List<Method> called(Code code, int at) {
        AbstractInsnNode insn = code.instruction(at);
        if (insn instanceof MethodInsnNode call) {
            List<Method> found = new ArrayList<>(targets(call).methods());
            for (Def made : lambdas(call)) {
                found.addAll(implementations(Lambda.of(made)));
            }
            if (Library.printed(call) >= 0 && code.operands(at) != null) {
                found.addAll(printers(code.operands(at)[Library.printed(call)]));
            }
            return found;
        }
        if (insn instanceof InvokeDynamicInsnNode indy) {
            Lambda lambda = Lambda.of(indy);
            if (lambda != null) {
                return implementations(lambda);
            }
            List<Method> found = new ArrayList<>();
            if (Library.isConcatenation(indy) && code.operands(at) != null) {
                for (Val v : code.operands(at)) {
                    found.addAll(printers(v));
                }
            }
            return found;
        }
        return List.of();
    }

    /** The methods of the program that a call leads to. */
    public Targets targets(MethodInsnNode call) {
        if (!classes.has(call.owner)) {
            return new Targets(List.of(), true);
        }
        Method found = classes.method(call.owner, call.name, call.desc);
        boolean exact = call.getOpcode() == Opcodes.INVOKESTATIC || call.getOpcode() == Opcodes.INVOKESPECIAL
            || found != null && found.is(Opcodes.ACC_PRIVATE);
        if (found != null && found.is(Opcodes.ACC_STATIC) != (call.getOpcode() == Opcodes.INVOKESTATIC)) {
            return new Targets(List.of(), true); // of another version of the class, which is not there: the call fails
        }
        if (exact) {
            return found == null || found.is(Opcodes.ACC_ABSTRACT) ? new Targets(List.of(), true)
                : new Targets(List.of(found), false);
        }
        return classes.targets(call.owner, call.name, call.desc);
    }

    /** The field that a definition reads; null if the program does not declare it. */
    public Field field(Def read) {
        FieldInsnNode access = (FieldInsnNode) read.code.instruction(read.at);
        return classes.field(access.owner, access.name);
    }

    /** The lambdas that a call through an interface of the program may run. */
    public Set<Def> lambdas(MethodInsnNode call) {
        Set<Def> found = new LinkedHashSet<>();
        if (call.getOpcode() == Opcodes.INVOKEINTERFACE && classes.has(call.owner)) {
            Method method = classes.method(call.owner, call.name, call.desc);
            if (method != null && method.is(Opcodes.ACC_ABSTRACT)) {
                for (Def made : lambdas) {
                    String type = Lambda.of(made).type();
                    if (classes.isSubtype(type, call.owner) || classes.isSubtype(call.owner, type)) {
                        found.add(made);
                    }
                }
            }
        }
        return found;
    }

    /** The program's methods that a lambda runs; none if it is a reference to a method outside. */
    public List<Method> implementations(Lambda lambda) {
        Handle h = lambda.implementation();
        boolean virtual = h.getTag() == Opcodes.H_INVOKEVIRTUAL || h.getTag() == Opcodes.H_INVOKEINTERFACE;
        int opcode = virtual ? Opcodes.INVOKEVIRTUAL
            : h.getTag() == Opcodes.H_INVOKESTATIC ? Opcodes.INVOKESTATIC : Opcodes.INVOKESPECIAL;
        return targets(new MethodInsnNode(opcode, h.getOwner(), h.getName(), h.getDesc(), h.isInterface())).methods();
    }

    /** The methods of the program that make a value's text. */
    public List<Method> printers(Val value) {
        List<Method> found = new ArrayList<>();
        for (Def root : value.roots()) {
            String name = Types.name(root.type);
            if (root.type.startsWith("L") && classes.has(name)) {
                found.addAll(classes.targets(name, "toString", TO_STRING).methods());
            }
        }
        return found;
    }

    /** Numbers the strongly connected components of the call graph, after Tarjan. */
    private static final class Components {
        private final Map<Code, Integer> low = new HashMap<>();
        private final Map<Code, Integer> number = new HashMap<>();
        private final Deque<Code> stack = new ArrayDeque<>();
        private int components;

        void number(Collection<Code> codes) {
            for (Code c : codes) {
                c.component = 0;
            }
            for (Code c : codes) {
                if (!number.containsKey(c)) {
                    visit(c);
                }
            }
        }

        private void visit(Code code) {
            int mine = number.size();
            number.put(code, mine);
            low.put(code, mine);
            stack.push(code);
            for (Code callee : code.callees) {
                if (!number.containsKey(callee)) {
                    visit(callee);
                    low.put(code, Math.min(low.get(code), low.get(callee)));
                } else if (callee.component == 0) {
                    low.put(code, Math.min(low.get(code), number.get(callee)));
                }
            }
            if (low.get(code) == mine) {
                components++;
                Code popped;
                do {
                    popped = stack.pop();
                    popped.component = components;
                } while (popped != code);
            }
        }
    }
}
