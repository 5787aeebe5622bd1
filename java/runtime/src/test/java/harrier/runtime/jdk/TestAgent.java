package harrier.runtime.jdk;

import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;

/** Rewrites the JDK's classes in the virtual machine of the tests, as bridge/jni.c does in harrier's. */
public final class TestAgent {
    private TestAgent() {}

    public static void premain(String arguments, Instrumentation instrumentation) {
        JdkRewrite.install(JdkRewrite.begin(null), (types, files) -> {
            ClassDefinition[] definitions = new ClassDefinition[types.length];
            for (int i = 0; i < types.length; i++) {
                definitions[i] = new ClassDefinition(types[i], files[i]);
            }
            instrumentation.redefineClasses(definitions);
        });
    }
}
