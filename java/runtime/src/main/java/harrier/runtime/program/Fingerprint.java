package harrier.runtime.program;

import harrier.runtime.actor.Declared;
import harrier.runtime.load.compile.ProgramClasses;
import harrier.runtime.rules.allow.Properties;
import harrier.runtime.step.ActorState;
import java.io.File;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Checksum;

/** Hashes of the facts of a program, for kept results: these count if the hashes are equal. They are the same on all machines. */
public final class Fingerprint {
    private final MessageDigest hash = sha256();

    private Fingerprint() {
        // The names of harrier's jars have checksums. What the JDK's classes do and inherit counts, too; Math's last bits may differ.
        String jars = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(jar -> new File(jar).getName()).collect(Collectors.joining("\n"));
        add(List.of(jars, System.getProperty("java.vendor"), Runtime.version().toString(),
            System.getProperty("os.arch")));
    }

    /** Of a program's classes, harrier and the JDK. */
    static String of(ProgramClasses program) {
        return new Fingerprint().add(program).toString();
    }

    /**
     * Of all that the answers about a program depend on beside the questions, unless it has other input: of what all do, and then,
     * class by class, of its code, with the other classes that this may use and what the class held after the set-up.
     */
    public static void write(LoadedProgram program, Wire.Writer out) {
        ProgramClasses classes = program.loader().classes();
        Fingerprint whole = new Fingerprint();
        whole.add(Properties.constants());
        whole.add(List.of(program.scenario().getClass().getName(), program.options().recheck().toString(),
            String.valueOf(program.options().honest()), String.valueOf(program.options().preempts()), String.valueOf(program.steps().isRecording()),
            String.valueOf(program.steps().seesStopped())));
        whole.add(program.options().properties());
        whole.add(program.loader().guard().rules().list());
        program.parameters().forEach((name, value) -> whole.add(List.of(name, value)));
        program.loader().resourcesAsked().forEach((name, contents) -> {
            whole.add(List.of(name, String.valueOf(contents.size())));
            contents.forEach(whole::add);
        });
        whole.add(settings(program.declared()));
        if (program.evaluator().judgesSteps()) {
            whole.add(classes); // what decides whether a step fails may use any
        }
        List<String> names = new ArrayList<>(new TreeSet<>(classes.bytes().keySet()));
        whole.add(names);
        whole.add(names.stream().filter(classes.own()::contains).toList());
        out.string(whole.toString()).number(names.size());
        Map<String, List<byte[]>> holds = holds(program);
        for (String name : names) {
            byte[] code = classes.plain(name);
            List<byte[]> held = holds.getOrDefault(name, new ArrayList<>());
            Set<String> used = held.contains(null) || program.loader().guard().rules().mayReachAny() ? null : classes.usedBy(name);
            out.string(name).bytes(classes.own().contains(name) ? sha256().digest(code) : checksums(code))
                .flag(used == null).strings(used == null ? List.of() : List.copyOf(used)).number(held.size());
            held.forEach(b -> out.bytes(b == null ? new byte[0] : b));
        }
    }

    /** What the set-up says that steps go by. */
    private static byte[] settings(Declared declared) {
        Wire.Writer all = new Wire.Writer().flag(declared.isInOrder()).number(declared.mostFirings() + 1).string(declared.start().toString())
            .rounds(declared.rounds())
            .roles(declared.roles()).scope(declared.fifo()).scope(declared.connected()).string(declared.addresses().toString());
        declared.faults().forEach(all::fault);
        return all.toBytes();
    }

    /** The encoded state of classes after the set-up, by name: that of static fields, and actors as they were born; null where it is not known. */
    private static Map<String, List<byte[]>> holds(LoadedProgram program) {
        Map<String, List<byte[]>> holds = new HashMap<>();
        for (Class<?> type : program.loader().defined()) {
            holds.computeIfAbsent(type.getName(), n -> new ArrayList<>()).add(program.loader().guard().statics().of(type));
        }
        List<List<String>> shared = new ArrayList<>(program.loader().guard().statics().shared(program.loader().defined()));
        shared.sort(Comparator.comparing(List::toString));
        for (List<String> ways : shared) {
            ways.stream().map(way -> way.substring(0, way.indexOf('['))).distinct()
                .forEach(type -> holds.get(type).add(ways.toString().getBytes(StandardCharsets.UTF_8)));
        }
        for (ActorState actor : program.initial().creates()) {
            byte[] birth = program.steps().birth(actor.name());
            if (birth != null) {
                holds.computeIfAbsent(actor.type(), n -> new ArrayList<>()).add(birth);
            }
        }
        return holds;
    }

    private Fingerprint add(ProgramClasses program) {
        new TreeMap<>(program.bytes()).forEach((name, bytes) -> {
            add(List.of(name));
            add(program.own().contains(name) ? bytes : checksums(bytes));
        });
        return this;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    /** Of a library's class, of which there may be thousands: the virtual machine computes these a hundred times as fast. */
    private static byte[] checksums(byte[] bytes) {
        Checksum crc = new CRC32();
        Checksum adler = new Adler32();
        crc.update(bytes, 0, bytes.length);
        adler.update(bytes, 0, bytes.length);
        return ByteBuffer.allocate(20).putInt(bytes.length).putLong(crc.getValue()).putLong(adler.getValue()).array();
    }

    private void add(List<String> texts) {
        add(ByteBuffer.allocate(Integer.BYTES).putInt(texts.size()).array());
        texts.forEach(t -> add(t.getBytes(StandardCharsets.UTF_8)));
    }

    private void add(byte[] bytes) {
        hash.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        hash.update(bytes);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(hash.digest());
    }
}
