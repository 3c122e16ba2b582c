package dev.treadle.storage.sql;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Lets every test of this module wait for longer than the usual ten seconds: a loaded machine is no reason to fail. */
public final class LongWaits implements BeforeAllCallback {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(LIMIT);
    }
}
