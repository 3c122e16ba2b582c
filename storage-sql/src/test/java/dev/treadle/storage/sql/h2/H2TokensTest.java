package dev.treadle.storage.sql.h2;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.contracts.storage.Jobs;
import dev.treadle.job.NodeId;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.sql.SqlStorageProvider;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class H2TokensTest {
    private final Jobs jobs = new Jobs();

    @TempDir
    private Path folder;

    @Test
    void a_process_gives_no_token_that_the_one_before_may_have_given_and_forgotten() {
        long before = claimOne();
        long after = claimOne();

        assertTrue(after >= before + H2Tokens.SKIPPED, before + ", then " + after);
    }

    private long claimOne() {
        try (StorageProvider storage = SqlStorageProvider.h2File(folder.resolve("jobs"))) {
            storage.insert(List.of(jobs.anEnqueuedJob()));
            return storage.claim(new NodeId(1), 1).get(0).token();
        }
    }
}
