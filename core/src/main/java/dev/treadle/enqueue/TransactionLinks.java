package dev.treadle.enqueue;

import dev.treadle.storage.StorageProvider;
import dev.treadle.transaction.OpenTransaction;
import dev.treadle.transaction.TransactionLink;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * How the application's open transactions are found. Immutable.
 *
 * @param all        asked one after the other
 * @param dataSource what the transactions run on; null if the application did not say
 */
public record TransactionLinks(
        List<TransactionLink> all, @Nullable DataSource dataSource) {
    /** Finds no transactions. */
    public static final TransactionLinks NONE = new TransactionLinks(List.of(), null);

    public TransactionLinks {
        all = List.copyOf(all);
    }

    /** With one more, which is asked after those before it. */
    public TransactionLinks with(TransactionLink link) {
        List<TransactionLink> more = new ArrayList<>(all);
        more.add(link);
        return new TransactionLinks(more, dataSource);
    }

    /** For transactions on this DataSource. */
    public TransactionLinks on(DataSource dataSource) {
        return new TransactionLinks(all, dataSource);
    }

    /** With those on the path as well, and the DataSource of the storage if none was named. */
    public TransactionLinks found(ClassLoader loader, StorageProvider storage) {
        DataSource named = dataSource == null ? storage.dataSource().orElse(null) : dataSource;
        if (named == null) {
            return NONE;
        }
        TransactionLinks found = on(named);
        for (TransactionLink link : ServiceLoader.load(TransactionLink.class, loader)) {
            found = found.with(link);
        }
        return found;
    }

    /** What is open on this thread; null if nothing is. */
    @Nullable
    OpenTransaction current() {
        if (dataSource != null) {
            for (TransactionLink link : all) {
                Optional<OpenTransaction> open = link.current(dataSource);
                if (open.isPresent()) {
                    return open.get();
                }
            }
        }
        return null;
    }
}
