package harrier.runtime.refusal;

import harrier.runtime.failure.RuleException;
import harrier.runtime.load.ProgramLoader;
import harrier.runtime.load.compile.ProgramClasses;
import harrier.runtime.program.LoadedProgram;
import harrier.runtime.program.Options;
import java.util.Map;

/** Loads programs so that a refusal names the line that broke the rule, and what else of the program is refused. */
public final class Loading {
    private Loading() {}

    /**
     * Loads and sets up a scenario: {@link LoadedProgram#load(ProgramLoader, String, String, Map, Options)}. If only code of a library
     * starts a thread, or waits, it is loaded with threads.
     */
    public static LoadedProgram load(ProgramClasses classes, String where, String name, Map<String, String> parameters,
            Options options) {
        ProgramLoader loader = LoadedProgram.loader(classes, options);
        try {
            return LoadedProgram.load(loader, where, name, parameters, options);
        } catch (RuleException e) {
            if (loader.wantsThreads()) {
                return load(classes, where, name, parameters, options.withThreads());
            }
            RuleException refused = RefusedLine.ofLoading(e, loader,
                l -> LoadedProgram.unanalysed(l, where, name, parameters, options.once()));
            throw new OtherRefusals(classes, name).with(refused, loader);
        }
    }

    /** The same program once more: {@link LoadedProgram#again}. */
    public static LoadedProgram again(LoadedProgram program) {
        return new RefusedLine(program).again();
    }
}
