package harrier.junit;

import harrier.run.Binary;
import harrier.run.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a replay on live objects needs of a trace file.
 *
 * @param live whether it begins in the state of a live run
 * @param starts the messages on their way at first
 * @param loop the steps at the end that are repeated for ever, of a run that violates a property of runs
 * @param property the name of the property that is violated, and its kind
 */
record Trace(String scenario, Map<String, String> parameters, boolean live, List<Message> starts, List<Step> steps,
        List<Step> loop, String kind, String property, String message) {
    private static final String NOWHERE = "-1";

    /** A message; an empty sender stands for the scenario. */
    record Message(String sender, String receiver, String text) {}

    /**
     * A step. What it has none of is empty.
     *
     * @param point where in its handler the actor crashes, as {@link CrashPoint} has it; negative if it does not
     */
    record Step(int number, String actor, String event, String handler, String timer, List<Message> receives,
        List<Message> sends,
            List<Integer> choices, boolean fails, int point) {
        /** What runs, or what kind of event it is. */
        String what() {
            return handler.isEmpty() ? event : handler;
        }
    }

    static Trace read(Path file) {
        var json = Json.object(Binary.read(file), file.toString());
        var values = new TreeMap<String, String>();
        objects(json, "parameters").forEach(p -> values.put(text(p, "name"), text(p, "value")));
        var steps = new ArrayList<Step>();
        for (var s : objects(json, "steps")) {
            var choices = list(s, "choices").stream().map(n -> Integer.valueOf((String) n)).toList();
            steps.add(new Step(steps.size() + 1, text(s, "actor"), text(s, "event"), text(s, "handler"),
                text(s, "timer"), messages(s, "receives"), messages(s, "sends"), choices,
                s.get("failure") != null,
                Integer.parseInt(object(s, "point").getOrDefault("number", NOWHERE).toString())));
        }
        int loop = json.get("loop") instanceof String n ? Integer.parseInt(n) : 0;
        var violation = object(json, "violation");
        return new Trace(text(json, "scenario"), values, json.get("from") != null,
            messages(object(json, "start"), "sends"), steps, steps.subList(steps.size() - loop, steps.size()),
            text(violation, "kind"), text(violation, "property"), text(violation, "message"));
    }

    private static List<Message> messages(Map<String, Object> of, String key) {
        return objects(of, key).stream()
            .map(m -> new Message(text(m, "sender"), text(m, "receiver"), text(m, "text"))).toList();
    }

    private static String text(Map<String, Object> of, String key) {
        return of.get(key) instanceof String s ? s : "";
    }

    private static List<Object> list(Map<String, Object> of, String key) {
        return of.get(key) instanceof List<?> l ? List.copyOf(l) : List.of();
    }

    private static List<Map<String, Object>> objects(Map<String, Object> of, String key) {
        return list(of, key).stream().map(Trace::object).toList();
    }

    private static Map<String, Object> object(Map<String, Object> of, String key) {
        return object(of.get(key));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> object(Object json) {
        return json instanceof Map<?, ?> m ? (Map<String, Object>) m : Map.of();
    }
}
