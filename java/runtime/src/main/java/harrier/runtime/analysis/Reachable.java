package harrier.runtime.analysis;

import harrier.runtime.analysis.flow.Classes;
import harrier.runtime.analysis.flow.Code;
import harrier.runtime.analysis.flow.Reach;
import harrier.runtime.analysis.flow.Roots;
import harrier.runtime.load.compile.ProgramClasses;
import java.util.Set;
import java.util.TreeSet;

/**
 * The methods that may run.
 *
 * @param all each by the internal name of its class, a dot, its own name and its descriptor; null if that is not known
 * @param inSteps those among them that steps may run
 */
public record Reachable(Set<String> all, Set<String> inSteps) {
    /** Looks at a program. Nothing of it is loaded. */
    public static Reachable of(ProgramClasses program, String scenario) {
        Classes classes = new Classes(program.bytes(), program.labels(), true);
        Reach reach = new Reach(classes);
        try {
            new Roots(classes, scenario.replace('.', '/'), classes.concrete(Classes.ACTOR)).reach(reach);
        } catch (Reach.UnseenException e) {
            return new Reachable(null, null);
        }
        Reachable found = new Reachable(new TreeSet<>(), new TreeSet<>());
        for (Code code : reach.codes()) {
            found.all.add(code.method.key());
            if (code.isIn(Code.STEPS)) {
                found.inSteps.add(code.method.key());
            }
        }
        return found;
    }

    /** Reports whether a method may run. */
    public boolean mayRun(String method) {
        return all == null || all.contains(method);
    }

    /** Reports whether a step may run a method. */
    public boolean mayRunInStep(String method) {
        return inSteps == null || inSteps.contains(method);
    }
}
