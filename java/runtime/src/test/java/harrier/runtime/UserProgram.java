package harrier.runtime;

import harrier.Actor;
import harrier.ActorName;
import harrier.Hosting;
import harrier.Scenario;
import harrier.runtime.actor.Envelope;
import harrier.runtime.actor.Setting;
import harrier.runtime.codec.Codec;
import harrier.runtime.codec.graph.LocalState;
import harrier.runtime.load.ProgramLoader;
import harrier.runtime.load.compile.ClassPath;
import harrier.runtime.load.compile.ProgramClasses;
import harrier.runtime.load.compile.ProgramFiles;
import harrier.runtime.property.Evaluator;
import harrier.runtime.recheck.Recheck;
import harrier.runtime.recheck.Repeater;
import harrier.runtime.rules.Guard;
import harrier.runtime.rules.Notes;
import harrier.runtime.rules.allow.Rules;
import harrier.runtime.step.ActorState;
import harrier.runtime.step.StepJudge;
import harrier.runtime.step.Steps;
import harrier.runtime.wire.EventKind;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.tools.ToolProvider;

/** A program under check that a test writes as Java text. */
public final class UserProgram {
    static {
        // Programs are compiled against the API that the tests run with.
        System.setProperty("harrier.api", Actor.class.getProtectionDomain().getCodeSource().getLocation().getPath());
    }

    private final ProgramLoader loader;
    private final Codec codec;

    /** Compiles and loads a text without a package; imports of the API and java.util are added. */
    public UserProgram(String text) {
        loader = loader(compile(text));
        loader.enter();
        codec = new Codec(loader, loader::defined);
    }

    /** The classes of the program at a path, which needs no class path. */
    public static ProgramClasses read(Path path) {
        return ProgramFiles.read(path, ClassPath.NONE);
    }

    /** A loader of a program none of whose rules is relaxed. */
    public static ProgramLoader loader(ProgramClasses classes) {
        return new ProgramLoader(classes, new Guard(Rules.STRICT, new Notes(), classes.own()));
    }

    /** The outcomes of messages being consumed at once in a local state. */
    public static Steps.Answer answer(Steps steps, byte[] local, Envelope... messages) {
        return steps.answers(List.of(Steps.Request.messages(local, List.of(messages)))).get(0);
    }

    /** The outcomes of what an actor may do by itself in a local state. */
    public static Steps.Answer internal(Steps steps, byte[] local) {
        return steps.answers(List.of(Steps.Request.internal(local))).get(0);
    }

    /** The outcomes of a crash in a local state. */
    public static Steps.Answer restart(Steps steps, byte[] local) {
        return steps.answers(List.of(Steps.Request.restart(local))).get(0);
    }

    /** The outcomes of a crash within what consumes some messages, or within internal events if there are none. */
    public static Steps.Answer within(Steps steps, byte[] local, boolean isForGood, Envelope... messages) {
        return steps.answers(List.of(Steps.Request.within(local, List.of(messages),
            isForGood ? EventKind.STOP_WITHIN : EventKind.RESTART_WITHIN))).get(0);
    }

    /** Whether a property, given by its index, holds of these actors after this history. */
    public static Evaluator.Judgement evaluate(Evaluator evaluator, int property, byte[] history, List<ActorState> actors) {
        return evaluator.evaluate(List.of(new Evaluator.Request(property, history, actors))).get(0);
    }

    /** Local steps that a second copy of the program repeats. */
    public Steps stepsOnSecondCopy() {
        return steps(Recheck.ALL, secondCopy());
    }

    /** Local steps that the program repeats itself, in the order in which hash collections iterate by themselves. */
    public Steps stepsTwice() {
        return steps(Recheck.ALL, new Repeater<>() {
            @Override
            protected void both(Steps self, int questions, Runnable first, Consumer<Supplier<Steps>> others) {
                first.run();
                others.accept(() -> self);
            }

            @Override
            protected boolean isOrderPlain() {
                return true;
            }
        });
    }

    private Repeater<Steps> secondCopy() {
        ProgramLoader second = loader.again();
        Codec own = new Codec(second, second::defined);
        second.guard().statics().seal(own, second, second.defined(), List.of(), false);
        Steps steps = new Steps(Setting.of(own, false, second.covered()), Recheck.NONE, true, StepJudge.NONE, Repeater.never());
        return by(self -> {
            second.enter();
            return steps;
        }, loader::enter);
    }

    /** Asks a part again itself: objects that it shares among executions, such as enum constants, have the same hash codes. */
    public static <T> Repeater<T> byItself() {
        return by(self -> self, () -> {});
    }

    /** Asks again what {@code enter} gives, on the same thread. */
    private static <T> Repeater<T> by(UnaryOperator<T> enter, Runnable leave) {
        return new Repeater<>() {
            @Override
            protected void both(T self, int questions, Runnable first, Consumer<Supplier<T>> others) {
                first.run();
                others.accept(() -> enter.apply(self));
                leave.run();
            }
        };
    }

    /** Makes sure that sources can be compiled. */
    public static void prepare() {}

    public static ProgramClasses compile(String text) {
        Path folder = null;
        try {
            folder = Files.createTempDirectory("harrier-test");
            Path source = write(folder, "Program.java", "import harrier.*; import java.util.*; " + text);
            return read(WarmCompiler.compile(source, Files.createDirectory(folder.resolve("classes"))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            delete(folder);
        }
    }

    /** Compiles a text by javac into a folder, which is also on the class path, and gives the folder. */
    public static Path classes(Path folder, String text, String... options) {
        Path sources = folder.resolveSibling(folder.getFileName() + "-source");
        String name = text.replaceAll("(?s).*?(class|interface) (\\w+).*", "$2");
        List<String> arguments = new ArrayList<>(List.of("-d", folder.toString(), "-cp",
            folder + File.pathSeparator + System.getProperty("harrier.api")));
        arguments.addAll(List.of(options));
        arguments.add(write(sources, name + ".java", text).toString());
        int status = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        if (status != 0) {
            throw new AssertionError("javac gave " + status);
        }
        return folder;
    }

    /** Writes a jar, whose entries are not compressed, and gives it. */
    public static Path jar(Path jar, Map<String, byte[]> entries) throws IOException {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            zip.setLevel(0);
            for (Map.Entry<String, byte[]> e : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(e.getKey()));
                zip.write(e.getValue());
            }
        }
        return jar;
    }

    /** Writes a file, with the folders around it. */
    public static Path write(Path folder, String file, String text) {
        try {
            Path path = folder.resolve(file);
            Files.createDirectories(path.getParent());
            return Files.writeString(path, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public ProgramLoader loader() {
        return loader;
    }

    public Codec codec() {
        return codec;
    }

    public Steps steps(boolean recheck) {
        return steps(recheck ? Recheck.ALL : Recheck.NONE, byItself());
    }

    public Steps steps(Recheck recheck, Repeater<Steps> again) {
        return new Steps(Setting.of(codec, false, loader.covered()), recheck, true, StepJudge.NONE, again);
    }

    public static ActorName name(String text) {
        return Hosting.name(text);
    }

    public Class<?> type(String name) {
        try {
            return Class.forName(name, true, loader);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    /** An object of the program, made by its only constructor. */
    public Object make(String type, Object... arguments) {
        Constructor<?> constructor = type(type).getDeclaredConstructors()[0];
        constructor.setAccessible(true);
        try {
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException e) {
            throw new AssertionError(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    public Scenario scenario(String type) {
        return (Scenario) make(type);
    }

    /** An actor called {@code a}, which has created nothing yet, encoded. */
    public byte[] local(String type, Object... arguments) {
        return actor("a", type, arguments).local();
    }

    public ActorState actor(String name, String type, Object... arguments) {
        Actor actor = (Actor) make(type, arguments);
        return new ActorState(name, type, codec.encode(new LocalState(name, 0, actor, Map.of())), false);
    }

    /** A message from {@code b} to {@code a}. */
    public Envelope message(Object content) {
        return new Envelope("b", "a", codec.encode(content));
    }

    /** What happens when {@code a}, an actor of a type, consumes a message; every execution is repeated. */
    public Steps.Answer step(String actor, Object message) {
        return answer(steps(true), local(actor), message(message));
    }

    /** The content of an actor, as text. */
    public String show(byte[] local) {
        return LiveDump.of(codec.decodeLocalState(local).actor());
    }

    /** A message as {@code sender>receiver content}. */
    public String show(Envelope message) {
        return message.sender() + ">" + message.receiver() + " "
            + LiveDump.of(codec.decode(message.payload()));
    }

    public List<String> show(List<Envelope> messages) {
        return messages.stream().map(this::show).toList();
    }
}
