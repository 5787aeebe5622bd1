package harrier.runtime.analysis.flow;

import harrier.runtime.analysis.flow.Classes.Method;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the signature of a quorum handler, or of its guard, says of the messages that it takes as one collection, or as a map
 * from their senders.
 */
final class QuorumParameter {
    private static final Pattern SEVERAL = Pattern.compile("[^(]*\\(Ljava/util/"
        + "(?:(?:Set|List|Collection);|(?:(?:Set|List|Collection)<|Map<Lharrier/ActorName;)(?:(L[^<;.]+)[<;])?).*");

    private QuorumParameter() {}

    /** The type of message of a method that takes several; of Object if it does not say, and null if it takes one. */
    static String elements(Method method) {
        String signature = method.node().signature;
        Matcher m = SEVERAL.matcher(signature == null ? method.node().desc : signature);
        return !m.matches() ? null : m.group(1) == null ? "Ljava/lang/Object;" : m.group(1) + ";";
    }

    /** Reports whether a method that takes several messages may get a set; a guard may where it takes any collection. */
    static boolean takesSet(Method method, boolean isGuard) {
        return method.node().desc.startsWith("(Ljava/util/Set;")
            || isGuard && method.node().desc.startsWith("(Ljava/util/Collection;");
    }
}
