package dev.treadle.spring.boot;

import dev.treadle.api.TreadleSetupException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows what is wrong with an application's setup, and how to mend it, instead of a stack trace. */
final class TreadleFailureAnalyzer extends AbstractFailureAnalyzer<TreadleSetupException> {
    @Override
    protected FailureAnalysis analyze(Throwable root, TreadleSetupException failure) {
        return new FailureAnalysis(failure.problem(), failure.remedy(), failure);
    }
}
