package dev.treadle.architecture;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The main sources as the compiler reads them, so that a rule never trips over a word in a comment. */
final class Sources {
    /** One file, its tree and where each part of it stands. */
    record Source(Path file, CompilationUnitTree tree, SourcePositions positions) {
        /** As in {@code RetryPolicy}. */
        String typeName() {
            return file.getFileName().toString().replace(".java", "");
        }

        long lineOf(Tree part) {
            return lines().getLineNumber(positions.getStartPosition(tree, part));
        }

        long lastLineOf(Tree part) {
            return lines().getLineNumber(positions.getEndPosition(tree, part));
        }

        private LineMap lines() {
            return tree.getLineMap();
        }

        List<String> text() {
            try {
                return Files.readAllLines(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private Sources() {}

    static List<Source> read(Path root) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<Source> sources = new ArrayList<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
                Stream<Path> found = Files.walk(root)) {
            List<Path> java =
                    found.filter(path -> path.toString().endsWith(".java")).toList();
            JavacTask task = (JavacTask)
                    compiler.getTask(null, files, null, List.of(), null, files.getJavaFileObjectsFromPaths(java));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree tree : task.parse()) {
                sources.add(new Source(Path.of(tree.getSourceFile().toUri()), tree, positions));
            }
        }
        return sources;
    }
}
