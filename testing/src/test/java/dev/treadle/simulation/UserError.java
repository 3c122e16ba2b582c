package dev.treadle.simulation;

/** What user code throws; without a stack trace, because there are many. */
class UserError extends Exception {
    private static final long serialVersionUID = 1L;
    private static final String BREAKS_THE_RULE = "breaks the rule";

    UserError(String message) {
        super(message, null, false, false);
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
