package dev.treadle.simulation;

import dev.treadle.lifecycle.Transition;

/** What user code throws; without a stack trace, because there are many. */
class UserError extends Exception {
    private static final long serialVersionUID = 1L;
    private static final String UNSTORABLE = "cannot be stored";
    private static final String BREAKS_THE_RULE = "breaks the rule";

    UserError(String message) {
        super(message, null, false, false);
    }

    static UserError unstorable() {
        return new UserError(UNSTORABLE);
    }

    /** Whether the storage refuses an ending for its text. */
    static boolean isUnstorable(Transition ending) {
        return ending.why() != null && ending.why().message().equals(UNSTORABLE);
    }

    static UserError breakingTheRule() {
        return new UserError(BREAKS_THE_RULE);
    }

    /** An exception whose own methods fail, as lazy or recursive ones do. */
    static UserError breakingWhoAsks() {
        return new UserError("") {
            private static final long serialVersionUID = 1L;

            @Override
            public String getMessage() {
                throw new StackOverflowErrorWithoutTrace();
            }
        };
    }

    boolean breaksTheRule() {
        return BREAKS_THE_RULE.equals(super.getMessage());
    }

    private static final class StackOverflowErrorWithoutTrace extends VirtualMachineError {
        private static final long serialVersionUID = 1L;

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }
}
