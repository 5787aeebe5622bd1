package harrier.runtime;

import com.sun.source.util.JavacTask;
import com.sun.tools.javac.api.BasicJavacTask;
import com.sun.tools.javac.api.JavacTaskPool;
import com.sun.tools.javac.code.Symbol.ClassSymbol;
import com.sun.tools.javac.code.Symtab;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * Javac, with the options of harrier's own compiler. It keeps what it read of the JDK's classes from one program to the next:
 * reading it again takes most of the time of compiling a short program.
 */
final class WarmCompiler {
    private static final List<String> OPTIONS = List.of("-g", "-parameters", "-proc:none", "-nowarn", "-Xlint:none");
    private static final StandardJavaFileManager FILES =
        ToolProvider.getSystemJavaCompiler().getStandardFileManager(null, null, StandardCharsets.UTF_8);
    private static final JavacTaskPool POOL = new JavacTaskPool(1);

    private WarmCompiler() {}

    /** Compiles a source against the API into a folder that is there, and gives the folder. */
    static synchronized Path compile(Path source, Path folder) throws IOException {
        FILES.setLocationFromPaths(StandardLocation.CLASS_PATH, List.of(Path.of(System.getProperty("harrier.api"))));
        FILES.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(folder));
        DiagnosticCollector<JavaFileObject> messages = new DiagnosticCollector<>();
        if (!POOL.getTask(null, FILES, messages, OPTIONS, null, FILES.getJavaFileObjects(source), WarmCompiler::call)) {
            throw new AssertionError(messages.getDiagnostics().toString());
        }
        return folder;
    }

    /** Compiles, and forgets the program's classes: the next program has others of these names. */
    private static boolean call(JavacTask task) {
        Symtab symbols = Symtab.instance(((BasicJavacTask) task).getContext());
        boolean isDone = task.call();
        List<ClassSymbol> all = new ArrayList<>();
        symbols.getAllClasses().forEach(all::add);
        for (ClassSymbol c : all) {
            if (c.owner != symbols.noSymbol && c.packge() == symbols.unnamedModule.unnamedPackage) {
                c.packge().members().remove(c);
                symbols.removeClass(symbols.unnamedModule, c.flatname);
            }
        }
        return isDone;
    }
}
