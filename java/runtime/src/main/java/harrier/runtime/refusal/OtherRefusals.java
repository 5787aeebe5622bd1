package harrier.runtime.refusal;

import harrier.Scenario;
import harrier.runtime.analysis.Reachable;
import harrier.runtime.failure.RuleException;
import harrier.runtime.load.ProgramLoader;
import harrier.runtime.load.RefusedSites;
import harrier.runtime.load.RefusedSites.Site;
import harrier.runtime.load.compile.ProgramClasses;
import harrier.runtime.rules.allow.Rules;
import harrier.runtime.rules.refuse.RefusedCalls;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Tells, once something of a program's code was refused, what else of it will be: so all rules can be relaxed at once. Code
 * that is refused only for certain objects is not told before that.
 */
public final class OtherRefusals {
    private final ProgramClasses classes;
    private final String scenario;
    private List<Site> sites;

    /**
     * Of a program.
     *
     * @param scenario the name of its scenario; empty for the only one
     */
    public OtherRefusals(ProgramClasses classes, String scenario) {
        this.classes = classes;
        this.scenario = scenario;
    }

    /** The refusal with what else the program's own code does that is refused, group by group, and the flags that relax all. */
    public RuleException with(RuleException refused, ProgramLoader loader) {
        if (refused.allow() == null) {
            return refused;
        }
        Set<String> allow = new LinkedHashSet<>(List.of(refused.allow()));
        Map<String, Set<String>> groups = new LinkedHashMap<>();
        Rules rules = loader.guard().rules();
        for (Site site : sites(loader)) {
            if (!site.allow().isEmpty() && rules.relaxes(site.allow()) || refused.getMessage().contains(site.what())) {
                continue;
            }
            groups.computeIfAbsent(site.allow(), a -> new LinkedHashSet<>()).add(site.what());
            allow.add(site.allow());
        }
        allow.remove("");
        if (allow.contains(RefusedCalls.UNIQUE)) {
            allow.remove(RefusedCalls.SEED); // a rule has one value, and this one relaxes as much
        }
        if (groups.isEmpty()) {
            return refused;
        }
        List<String> lines = new ArrayList<>(refused.detail());
        Set<String> never = groups.remove("");
        groups.forEach((name, whats) -> add(lines, "also refused where it runs, unless --allow " + name + " is given:", whats));
        if (never != null) {
            add(lines, "also refused where it runs, and cannot be relaxed:", never);
        }
        if (!allow.isEmpty()) {
            lines.add("to relax all that can be relaxed: " + allow.stream().map(name -> "--allow " + name).collect(Collectors.joining(" ")));
        }
        return refused.with(lines);
    }

    private static void add(List<String> lines, String title, Set<String> whats) {
        lines.add(title);
        whats.forEach(what -> lines.add("  " + what));
    }

    private synchronized List<Site> sites(ProgramLoader loader) {
        if (sites == null) {
            sites = found(loader);
        }
        return sites;
    }

    private List<Site> found(ProgramLoader loader) {
        try {
            Reachable reachable = Reachable.of(classes, name());
            return RefusedSites.of(classes, loader.hasThreads(), loader.hasSockets()).stream()
                .filter(s -> s.isWrite() ? !loader.hasProcesses() && reachable.mayRunInStep(s.method()) : reachable.mayRun(s.method())).toList();
        } catch (RuntimeException e) {
            return List.of(); // a class file is damaged that nothing has needed yet: the refusal is told all the same
        }
    }

    /** The full name of the scenario; it was found before anything was refused. */
    private String name() {
        return classes.concreteSubclasses(Scenario.class).stream()
            .filter(n -> scenario.isEmpty() || n.equals(scenario) || n.endsWith("." + scenario) || n.endsWith("$" + scenario))
            .findFirst().orElse(scenario);
    }
}
