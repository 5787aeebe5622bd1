package harrier.runtime.analysis.footprint;

import harrier.runtime.analysis.flow.Classes;
import harrier.runtime.analysis.flow.Classes.Field;
import harrier.runtime.analysis.flow.Classes.Method;
import harrier.runtime.analysis.flow.Code;
import harrier.runtime.analysis.flow.HandlerRoot;
import harrier.runtime.analysis.flow.Reach;
import harrier.runtime.analysis.flow.Roots;
import harrier.runtime.analysis.flow.Types;
import harrier.runtime.analysis.footprint.Effects.Sending;
import harrier.runtime.wire.Target;
import harrier.runtime.wire.TouchedField;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.tree.MethodInsnNode;

/** Finds the footprints of handlers: their own effects, and those of all methods that they may call. */
public final class Footprints {
    private final Classes classes;
    private final Reach reach;
    private final Escapes escapes;
    private final Objects objects;
    private final SendTargets targets;
    private final Callbacks callbacks;
    /** Finds methods that only code outside calls, which are no part of what the program is known to run. */
    private final Reach further;
    private final Map<Code, CodeEffects> own = new HashMap<>();
    /** The types of timers, as {@code Class.getName} has them. */
    private final Set<String> timers = new HashSet<>();
    /** What the methods do by which objects are compared, sorted and printed; null as long as nobody asked. */
    private Effects comparing;
    /** Guards and bodies, by label. */
    private final Map<String, Effects> guards = new LinkedHashMap<>();
    private final Map<String, Effects> bodies = new LinkedHashMap<>();
    /** What changes after actors were made. */
    private final Effects changing = new Effects();

    public Footprints(Classes classes, Reach reach, Escapes escapes, Callbacks callbacks) {
        this.classes = classes;
        this.reach = reach;
        this.escapes = escapes;
        objects = new Objects(reach);
        targets = new SendTargets(reach);
        this.callbacks = callbacks;
        further = new Reach(classes);
    }

    /** The footprints of the handlers of these classes of actors; those of one label are joined. */
    public List<Footprint> of(Collection<String> actors, Roots roots) {
        findTimers();
        for (String actor : actors) {
            for (HandlerRoot h : HandlerRoot.of(actor, classes, roots)) {
                handler(h);
            }
        }
        addStarts(actors);
        bodies.values().forEach(changing::add);
        roots.starts().forEach(m -> changing.add(of(List.of(m))));
        List<Footprint> found = new ArrayList<>();
        bodies.forEach((label, body) ->
            found.add(Footprint.of(label, tightened(guards.get(label)), tightened(body))));
        return found;
    }

    /** Adds to what creates actors what these send and do when they start. */
    private void addStarts(Collection<String> actors) {
        Effects starting = new Effects();
        for (String actor : actors) {
            Method start = classes.method(actor, "start", "()V");
            if (start != null) {
                starting.add(of(List.of(start)));
            }
        }
        for (Effects body : bodies.values()) {
            if (body.deeds.contains(Effects.Deed.CREATES)) {
                starting.sends.forEach((s, where) -> body.send(s.type(), Target.TO_ANYBODY, "", where));
                body.deeds.addAll(starting.deeds);
            }
        }
    }

    private void handler(HandlerRoot h) {
        Effects guard = guards.computeIfAbsent(h.label(), l -> new Effects());
        guard.add(of(h.asked()));
        for (Field f : h.sizes()) {
            guard.read(CodeEffects.name(f), h.label() + ": its size");
        }
        Effects body = bodies.computeIfAbsent(h.label(), l -> new Effects());
        body.add(of(List.of(h.body())));
        if (h.message() != null && timers.stream().anyMatch(t -> takes(h.message(), t))) {
            body.read(TouchedField.AGENDA, h.label() + ": may be run by a timer");
            body.write(TouchedField.AGENDA, h.label() + ": may be run by a timer");
        }
    }

    private boolean takes(String message, String timer) {
        String name = Types.name(message);
        return timer.isEmpty() || !classes.has(name) || classes.isSubtype(timer.replace('.', '/'), name);
    }

    private void findTimers() {
        for (Code code : reach.codes()) {
            for (int at = 0; at < code.size(); at++) {
                if (code.operands(at) != null && code.instruction(at) instanceof MethodInsnNode call
                        && call.name.equals("setTimer") && classes.isSubtype(call.owner, Classes.ACTOR)) {
                    timers.addAll(targets.types(code.operands(at)[1]));
                }
            }
        }
    }

    /** What methods do, with all that they may call. */
    private Effects of(Collection<Method> methods) {
        return run(methods.stream().map(reach::code).toList());
    }

    private Effects run(Collection<Code> codes) {
        Effects all = new Effects();
        Set<Code> seen = new HashSet<>();
        Deque<Code> work = new ArrayDeque<>(codes);
        boolean callsAny = false;
        while (!work.isEmpty()) {
            Code code = work.poll();
            if (seen.add(code)) {
                work.addAll(code.callees);
                CodeEffects some = own.computeIfAbsent(code,
                    c -> new CodeEffects(c, reach, escapes, objects, targets, callbacks));
                all.add(some.effects());
                try {
                    some.called().forEach(m -> work.add(called(m)));
                    if (some.callsAny() && !callsAny) {
                        callsAny = true;
                        callbacks.all().forEach(m -> work.add(called(m)));
                    }
                } catch (Reach.UnseenException e) {
                    all.anything(e.getMessage() + " cannot be analysed");
                }
                if (some.compares() != null) {
                    all.add(comparing());
                }
            }
        }
        return all;
    }

    private Code called(Method method) {
        Code known = reach.known(method);
        if (known == null && further.known(method) == null) {
            further.from(List.of(method), 0);
            further.connect();
        }
        return known == null ? further.code(method) : known;
    }

    private Effects comparing() {
        if (comparing == null) {
            comparing = new Effects();
            try {
                Comparing methods = new Comparing(reach, escapes);
                methods.records().forEach(
                    f -> comparing.read(CodeEffects.name(f), "where objects are compared or printed"));
                comparing.add(run(methods.codes()));
            } catch (Reach.UnseenException e) {
                comparing.anything(e.getMessage() + " cannot be analysed");
            }
        }
        return comparing;
    }

    /** The same without reads of fields that never change, but for fields of actors; and with names only in such fields. */
    private Effects tightened(Effects effects) {
        Effects found = new Effects();
        found.deeds.addAll(effects.deeds);
        effects.writes.forEach(found::write);
        boolean any = changing.writes.containsKey(TouchedField.ANY_FIELD);
        effects.reads.forEach((field, where) -> {
            String owner = field.substring(0, Math.max(0, field.lastIndexOf('.'))).replace('.', '/');
            if (any || owner.isEmpty() || classes.isSubtype(owner, Classes.ACTOR)
                    || changing.writes.containsKey(field)) {
                found.read(field, where);
            }
        });
        effects.sends.forEach((s, where) -> {
            String changed = changing.writes.getOrDefault(s.field(), changing.writes.get(TouchedField.ANY_FIELD));
            if (s.to() == Target.TO_FIELD && changed != null) {
                found.send(s.type(), Target.TO_ANYBODY, "", where + ": sends to one whose name is in " + s.field()
                    + ", which may change in " + changed);
            } else {
                found.sends.putIfAbsent(new Sending(s.type(), s.to(), s.field()), where);
            }
        });
        return found;
    }

}
