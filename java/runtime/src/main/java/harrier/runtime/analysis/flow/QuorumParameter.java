package harrier.runtime.analysis.flow;

import harrier.runtime.analysis.flow.Classes.Method;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the signature of a quorum handler, or of its guard, says of the messages that it takes as one collection. */
final class QuorumParameter {
    private static final Pattern COLLECTION = Pattern.compile("\\(Ljava/util/(?:Set|List|Collection);.*");
    private static final Pattern ELEMENTS = Pattern.compile("\\(Ljava/util/(?:Set|List|Collection)<(L[^<;.]+)[<;].*");

    private QuorumParameter() {}

    /** The type of message of a method that takes several; of Object if it does not say, and null if it takes one. */
    static String elements(Method method) {
        if (!COLLECTION.matcher(method.node().desc).matches()) {
            return null;
        }
        String signature = method.node().signature;
        Matcher m = ELEMENTS.matcher(signature == null ? "" : signature);
        return m.matches() ? m.group(1) + ";" : "Ljava/lang/Object;";
    }

    /** Reports whether a method that takes several messages may get a set; a guard may where it takes any collection. */
    static boolean takesSet(Method method, boolean isGuard) {
        return method.node().desc.startsWith("(Ljava/util/Set;")
            || isGuard && method.node().desc.startsWith("(Ljava/util/Collection;");
    }
}
