package harrier.runtime.analysis.slice;

import harrier.runtime.analysis.flow.Classes;
import harrier.runtime.analysis.flow.Classes.Field;
import harrier.runtime.analysis.flow.Def;
import harrier.runtime.analysis.flow.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The nodes of values that outlive a method: the fields, each for all objects of its class, and for each type
 * nodes that stand for all that its objects hold.
 */
public final class Heap {
    private final Classes classes;
    private final Types types;
    private final Graph graph;
    private final Map<String, Def> places = new LinkedHashMap<>();
    private final Map<Integer, Field> fields = new HashMap<>();
    private final Map<String, Integer> contents = new HashMap<>();
    private final Map<String, Integer> reachable = new HashMap<>();
    private final Map<String, Integer> compared = new HashMap<>();

    Heap(Classes classes, Types types, Graph graph) {
        this.classes = classes;
        this.types = types;
        this.graph = graph;
    }

    /** The place of a field. What its object holds is the same node: a field is relevant as a whole. */
    public Def place(Field field) {
        Def place = places.get(field.key());
        if (place == null) {
            place = new Def(Def.Kind.PLACE, 0, field.node().desc, null);
            places.put(field.key(), place);
            place.value = graph.node();
            if (types.kind(place.type) == Types.Kind.OPAQUE) {
                place.object = place.value;
                if (classes.has(Types.name(place.type))) {
                    graph.edge(reachable(place.type), place.object, null, null, true);
                }
            }
            fields.put(place.value, field);
            // Statics outlive the step, and so do the fields of constants.
            if (field.isStatic()) {
                graph.edge(place.value, Graph.RELEVANT, "is a static, which all actors share", null, false);
            } else if (classes.isEnum(field.owner().name)) {
                graph.edge(place.value, Graph.RELEVANT, "belongs to an enum, which all actors share", null, false);
            }
        }
        return place;
    }

    /** The field whose node it is, null for other nodes. */
    Field field(int node) {
        return fields.get(node);
    }

    /** What people call a field. */
    String shown(Field field) {
        return classes.shown(field.owner().name) + "." + field.node().name;
    }

    private List<Field> fieldsOf(String name) {
        Set<String> all = new LinkedHashSet<>();
        for (String c : classes.family(name)) {
            all.addAll(classes.lineage(c));
        }
        List<Field> found = new ArrayList<>();
        for (String c : all) {
            found.addAll(classes.instanceFields(c));
        }
        return found;
    }

    /** What the bytes of an object show. An actor shows in another object as its name only. */
    int contents(String type) {
        String name = Types.name(type);
        Integer known = contents.get(name);
        if (known != null) {
            return known;
        }
        int node = graph.node();
        contents.put(name, node);
        boolean actor = Classes.ACTOR.equals(classes.foreignSuper(name));
        for (Field f : actor ? List.<Field>of() : fieldsOf(name)) {
            graph.edge(place(f).value, node, "is part of " + classes.shown(name), null, true);
        }
        return node;
    }

    /** What code can reach that is given an object. */
    public int reachable(String type) {
        String name = Types.name(type);
        Integer known = reachable.get(name);
        if (known != null) {
            return known;
        }
        int node = graph.node();
        reachable.put(name, node);
        for (Field f : fieldsOf(name)) {
            graph.edge(place(f).value, node, "is part of " + classes.shown(name), null, true);
            if (types.kind(f.node().desc) == Types.Kind.PROGRAM) {
                graph.edge(reachable(f.node().desc), node, null, null, true);
            }
        }
        return node;
    }

    /** What equals and hashCode of an object read, given that they read fields at most. */
    int compared(String type) {
        String name = Types.name(type);
        Integer known = compared.get(name);
        if (known != null) {
            return known;
        }
        int node = graph.node();
        compared.put(name, node);
        if (types.kind("L" + name + ";") == Types.Kind.PROGRAM) {
            for (Field f : fieldsOf(name)) {
                if (classes.isRecord(f.owner().name)) {
                    graph.edge(place(f).value, node, "is compared when " + classes.shown(name) + " is", null, false);
                    graph.edge(compared(f.node().desc), node, null, null, false);
                }
            }
        }
        return node;
    }
}
