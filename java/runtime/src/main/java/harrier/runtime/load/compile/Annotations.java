package harrier.runtime.load.compile;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.lang.model.element.TypeElement;

/**
 * The annotations of all sources that are compiled, and what of them is for annotation processors, which are not run. They
 * are those of the compiler's trees: class files lack those that are for sources only.
 */
final class Annotations extends TreePathScanner<Void, Void> implements TaskListener {
    private static final Pattern MISSING = Pattern.compile("(?m)^ *symbol: +(?:class|variable) (\\S+)");

    private final JavacTask task;
    private final InputsSeen seen;
    private final List<Use> uses = new ArrayList<>();

    /**
     * An annotation.
     *
     * @param type the binary name of its type
     * @param of the simple name of the class that has it; empty if something else does
     */
    private record Use(String type, String of, String where) {
        @Override
        public String toString() {
            return "@" + type.replace('$', '.') + " in " + where;
        }
    }

    /** Collects the annotations of the sources that a task compiles when it runs. */
    Annotations(JavacTask task, InputsSeen seen) {
        this.task = task;
        this.seen = seen;
        task.addTaskListener(this);
    }

    @Override
    public void finished(TaskEvent event) {
        if (event.getKind() == TaskEvent.Kind.ANALYZE && event.getTypeElement() != null) {
            TreePath path = Trees.instance(task).getPath(event.getTypeElement());
            if (path != null) {
                scan(path, null);
            }
        }
    }

    @Override
    public Void visitAnnotation(AnnotationTree tree, Void nothing) {
        Trees trees = Trees.instance(task);
        if (trees.getElement(new TreePath(getCurrentPath(), tree.getAnnotationType())) instanceof TypeElement type) {
            CompilationUnitTree unit = getCurrentPath().getCompilationUnit();
            long line = unit.getLineMap().getLineNumber(trees.getSourcePositions().getStartPosition(unit, tree));
            Tree has = getCurrentPath().getParentPath().getParentPath().getLeaf(); // around its modifiers
            uses.add(new Use(task.getElements().getBinaryName(type).toString(),
                has instanceof ClassTree c ? c.getSimpleName().toString() : "", unit.getSourceFile().getName() + ":" + line));
        }
        return super.visitAnnotation(tree, nothing);
    }

    /** The folders and jars with a processor for one of them, each with the first that it has one for. */
    List<String> handled() {
        Map<String, String> handled = new LinkedHashMap<>();
        uses.forEach(u -> handled.putIfAbsent(seen.processing(u.type), u + " is for a processor of "));
        handled.remove("");
        return handled.entrySet().stream().map(e -> e.getValue() + e.getKey()).toList();
    }

    /**
     * The processors that may be missing if there are errors. Without one for an annotation, those called after a
     * class with an annotation of a library; else all processors that there are.
     */
    List<String> missing(String errors) {
        List<String> missing = handled();
        if (missing.isEmpty()) {
            List<String> symbols = MISSING.matcher(errors).results().map(m -> m.group(1)).toList();
            missing = uses.stream().filter(u -> !u.of.isEmpty() && seen.classPath().find(u.type) != null)
                .filter(u -> symbols.stream().anyMatch(s -> s.length() > u.of.length() && s.contains(u.of)))
                .limit(1).map(u -> u + " may be for one").toList();
        }
        return !missing.isEmpty() ? missing : seen.classPath().withProcessors().stream().map(p -> p + " has some").toList();
    }
}
