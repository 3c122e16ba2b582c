package dev.treadle.api;

import org.jspecify.annotations.Nullable;

/** What an application has set up cannot work. The message says why, and how to mend it. */
public final class TreadleSetupException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final String problem;
    private final String remedy;

    /**
     * @param problem what is wrong, as sentences
     * @param remedy  how to mend it, as sentences
     */
    public TreadleSetupException(String problem, String remedy, @Nullable Throwable cause) {
        super(problem + " " + remedy, cause);
        this.problem = problem;
        this.remedy = remedy;
    }

    /** What is wrong. */
    public String problem() {
        return problem;
    }

    /** How to mend it. */
    public String remedy() {
        return remedy;
    }
}
