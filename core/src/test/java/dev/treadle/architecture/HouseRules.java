package dev.treadle.architecture;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.CatchTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.SynchronizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import dev.treadle.architecture.Sources.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.Modifier;

/** Looks through one source file and notes each place that breaks a rule of the house. */
final class HouseRules extends TreeScanner<Void, Void> {
    static final int FILE_LINES_MAX = 400;
    static final int METHOD_LINES_MAX = 60;

    /** The border to user code, what describes its failures and the loop that must not end: who may catch whatever comes. */
    private static final Set<String> CATCH_ALL = Set.of("JobRun", "ForkRun", "Failure", "Loop");

    private final Source source;
    private final boolean lent;
    private final List<String> broken = new ArrayList<>();

    private HouseRules(Source source, boolean lent) {
        this.source = source;
        this.lent = lent;
    }

    /** @param lent whether jobs' threads come there, which may be virtual and must not be pinned */
    static List<String> brokenIn(Source source, boolean lent) {
        HouseRules rules = new HouseRules(source, lent);
        rules.readText();
        rules.scan(source.tree(), null);
        return rules.broken;
    }

    private void readText() {
        List<String> text = source.text();
        if (text.size() > FILE_LINES_MAX) {
            broken.add(source.file() + " has " + text.size() + " lines, more than " + FILE_LINES_MAX);
        }
        for (int line = 0; line < text.size(); line++) {
            if (text.get(line).contains("TODO") || text.get(line).contains("FIXME")) {
                broken.add(source.file() + ":" + (line + 1) + " puts off what is to be done");
            }
        }
    }

    @Override
    public Void visitMethod(MethodTree method, Void nothing) {
        BlockTree body = method.getBody();
        if (body != null) {
            long lines = source.lastLineOf(body) - source.lineOf(method) + 1;
            if (lines > METHOD_LINES_MAX) {
                note(method, method.getName() + " has " + lines + " lines, more than " + METHOD_LINES_MAX);
            }
        }
        if (lent && method.getModifiers().getFlags().contains(Modifier.SYNCHRONIZED)) {
            note(method, "synchronized pins a virtual thread before Java 24: use ReentrantLock");
        }
        return super.visitMethod(method, nothing);
    }

    @Override
    public Void visitSynchronized(SynchronizedTree block, Void nothing) {
        if (lent) {
            note(block, "synchronized pins a virtual thread before Java 24: use ReentrantLock");
        }
        return super.visitSynchronized(block, nothing);
    }

    @Override
    public Void visitCatch(CatchTree clause, Void nothing) {
        String caught = clause.getParameter().getType().toString();
        if (caught.matches("(java\\.lang\\.)?Throwable") && !CATCH_ALL.contains(source.typeName())) {
            note(clause, "only " + CATCH_ALL + " may catch Throwable");
        }
        return super.visitCatch(clause, nothing);
    }

    private void note(Tree where, String what) {
        broken.add(source.file() + ":" + source.lineOf(where) + " " + what);
    }
}
