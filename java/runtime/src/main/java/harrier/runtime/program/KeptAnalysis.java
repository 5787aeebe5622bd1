package harrier.runtime.program;

import harrier.runtime.analysis.Decomposition;
import harrier.runtime.analysis.Decomposition.Settings;
import harrier.runtime.cache.KeptFiles;
import harrier.runtime.codec.Codec;
import harrier.runtime.codec.format.FormatException;
import harrier.runtime.load.compile.ProgramClasses;

/**
 * What the analysis finds in a program, kept so that classes that have not changed are not analysed again. It counts if a
 * hash of all that the analysis looks at is the same.
 */
final class KeptAnalysis {
    private static final Codec CODEC = new Codec(Decomposition.class.getClassLoader());

    private KeptAnalysis() {}

    /** What {@link Decomposition#of} gives. */
    static Decomposition of(ProgramClasses program, String scenario, Settings settings) {
        if (!KeptFiles.isOn()) {
            return Decomposition.of(program, scenario, settings);
        }
        String file = "analysis-" + scenario + (settings.natives() ? "-natives" : "")
            + (settings.anyClass() ? "-any" : "") + (settings.timersInOrder() ? "-in-order" : "")
            + (settings.wholeMessages() ? "-whole" : "")
            + (settings.footprints() ? "-footprints" : "") + (settings.threads() ? settings.preempts() ? "-locks" : "-threads" : "");
        String hash = Fingerprint.of(program);
        byte[] bytes = KeptFiles.find(file);
        try {
            if (bytes != null && CODEC.decode(bytes) instanceof Kept kept && kept.hash.equals(hash)) {
                return kept.found;
            }
        } catch (FormatException e) {
            // It is worked out again.
        }
        Decomposition found = Decomposition.of(program, scenario, settings);
        KeptFiles.keep(file, CODEC.encode(new Kept(hash, found)));
        return found;
    }

    /** What a file holds. */
    private record Kept(String hash, Decomposition found) {}
}
