package harrier.junit;

import harrier.run.Verdict;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/** Runs a method with {@link HarrierTest} once for each set of values, after its check. */
final class HarrierExtension implements TestTemplateInvocationContextProvider {
    @Override public boolean supportsTestTemplate(ExtensionContext context) {
        return context.getRequiredTestMethod().isAnnotationPresent(HarrierTest.class);
    }

    @Override public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        return Check.all(context.getRequiredTestMethod().getAnnotation(HarrierTest.class)).stream().map(Invocation::new);
    }

    private static final class Invocation implements TestTemplateInvocationContext, BeforeEachCallback, ParameterResolver {
        private final Check check;
        private Verdict verdict;

        Invocation(Check check) {
            this.check = check;
        }

        @Override public String getDisplayName(int number) {
            return check.name();
        }

        @Override public List<Extension> getAdditionalExtensions() {
            return List.of(this);
        }

        @Override public void beforeEach(ExtensionContext context) {
            verdict = check.assertVerified();
            context.publishReportEntry(verdict.figures());
        }

        @Override public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Verdict.class;
        }

        @Override public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return verdict;
        }
    }
}
