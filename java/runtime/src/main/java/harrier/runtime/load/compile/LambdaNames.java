package harrier.runtime.load.compile;

import harrier.runtime.origin.AddedNames;
import org.objectweb.asm.Handle;

/** The names of the classes that rewriting makes of lambdas and method references. */
public final class LambdaNames {
    private static final String METAFACTORY = "java/lang/invoke/LambdaMetafactory";

    private LambdaNames() {}

    /** The name of the class of a lambda: that of the class around it, the label of its method, and its number in the class. */
    public static String ofClass(String host, String label, int number) {
        return host + "$" + label + AddedNames.CLASS_MARK + number;
    }

    /**
     * The label of a method in the names of its lambdas: the method's name without dollar signs. Lambdas within a lambda have the label
     * of the method around both.
     */
    public static String label(String method) {
        if (method.equals("<init>")) {
            return "new";
        } else if (method.equals("<clinit>")) {
            return "static";
        }
        String[] parts = method.split("\\$");
        return method.startsWith("lambda$") && parts.length > 2 ? parts[1] : method.replace('$', '_');
    }

    /** Reports whether an instruction with a bootstrap method makes a lambda or a method reference. */
    public static boolean makesLambda(Handle bootstrap) {
        return bootstrap.getOwner().equals(METAFACTORY);
    }
}
