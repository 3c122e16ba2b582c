package dev.treadle.commit;

import dev.treadle.transaction.TransactionCall;
import org.jspecify.annotations.Nullable;

/** Which {@link TransactionBlock} is open on each thread, so that plain calls there take part in it. Thread-safe. */
public final class OpenBlocks {
    /** The innermost of each thread. */
    private final ThreadLocal<@Nullable TransactionBlock> blocks = new ThreadLocal<>();

    /** Whether there ever was a block. Until then no thread is asked, because asking leaves an entry in each. */
    private volatile boolean hadBlock;

    /** The innermost block on this thread; null if none is open. */
    public @Nullable TransactionBlock current() {
        return hadBlock ? blocks.get() : null;
    }

    /** Runs a call on the connection of a block, which is the innermost on this thread until then. */
    public <R, X extends Exception> R run(TransactionBlock block, TransactionCall<R, X> call) throws X {
        hadBlock = true;
        TransactionBlock before = blocks.get();
        blocks.set(block);
        try {
            return call.in(block.connection());
        } finally {
            if (before == null) {
                blocks.remove();
            } else {
                blocks.set(before);
            }
        }
    }
}
