package harrier.runtime;

import harrier.runtime.analysis.Decomposition;
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
    static Decomposition of(ProgramClasses program, String scenario, boolean ownStatics, boolean natives,
            boolean anyClass, boolean timersInOrder) {
        if (!KeptFiles.isOn()) {
            return Decomposition.of(program, scenario, ownStatics, natives, anyClass, timersInOrder);
        }
        String file = "analysis-" + scenario + (ownStatics ? "-statics" : "") + (natives ? "-natives" : "")
            + (anyClass ? "-any" : "") + (timersInOrder ? "-in-order" : "");
        String hash = Fingerprint.of(program);
        byte[] bytes = KeptFiles.find(file);
        try {
            if (bytes != null && CODEC.decode(bytes) instanceof Kept kept && kept.hash.equals(hash)) {
                return kept.found;
            }
        } catch (FormatException e) {
            // It is worked out again.
        }
        Decomposition found = Decomposition.of(program, scenario, ownStatics, natives, anyClass, timersInOrder);
        KeptFiles.keep(file, CODEC.encode(new Kept(hash, found)));
        return found;
    }

    /** What a file holds. */
    private record Kept(String hash, Decomposition found) {}
}
