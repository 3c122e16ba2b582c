package dev.treadle.job;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.spi.LocationAwareLogger;

/**
 * A logger whose lines are also kept with the job that logs them, as those of {@link JobContext#log}, with the same
 * limits:
 *
 * <pre>{@code
 * private static final Logger LOG = JobLogger.of(LoggerFactory.getLogger(Slips.class));
 * }</pre>
 *
 * <p>Outside a job it does what the other logger does. Of what is thrown, the log of the job has the first line. Values
 * that people must not see do not belong into a log.
 */
public final class JobLogger {
    private JobLogger() {}

    /** Keeps lines from INFO on with the job, even where the other logger leaves them out. */
    public static Logger of(Logger logger) {
        return of(logger, Level.INFO);
    }

    /** Keeps lines from this level on with the job, even where the other logger leaves them out. */
    public static Logger of(Logger logger, Level least) {
        return new Both(logger, least);
    }

    /** What slf4j calls for every line. */
    private static final class Both extends LegacyAbstractLogger {
        private static final long serialVersionUID = 1L;
        private static final String CALLED = Both.class.getName();

        private final transient Logger logger;
        private final Level least;

        Both(Logger logger, Level least) {
            this.logger = logger;
            this.least = least;
            this.name = logger.getName();
        }

        @Override
        protected String getFullyQualifiedCallerName() {
            return CALLED;
        }

        @Override
        protected void handleNormalizedLoggingCall(
                Level level,
                @Nullable Marker marker,
                String text,
                Object @Nullable [] arguments,
                @Nullable Throwable thrown) {
            if (logger.isEnabledForLevel(level)) {
                pass(level, marker, text, arguments, thrown);
            }
            JobContext job = isKept(level) ? JobContext.currentOrNull() : null;
            if (job != null) {
                String line = MessageFormatter.basicArrayFormat(text, arguments);
                job.log((level == Level.INFO ? "" : level + " ") + line + (thrown == null ? "" : ": " + thrown));
            }
        }

        private void pass(
                Level level,
                @Nullable Marker marker,
                String text,
                Object @Nullable [] arguments,
                @Nullable Throwable thrown) {
            if (logger instanceof LocationAwareLogger aware) {
                // the place in the source is that of the caller, not this one
                aware.log(marker, CALLED, level.toInt(), text, arguments, thrown);
                return;
            }
            var line = logger.atLevel(level).setMessage(text);
            if (marker != null) {
                line = line.addMarker(marker);
            }
            for (Object argument : arguments == null ? new Object[0] : arguments) {
                line = line.addArgument(argument);
            }
            (thrown == null ? line : line.setCause(thrown)).log();
        }

        private boolean isKept(Level level) {
            return level.toInt() >= least.toInt();
        }

        private boolean isOn(Level level) {
            return logger.isEnabledForLevel(level) || isKept(level) && JobContext.currentOrNull() != null;
        }

        @Override
        public boolean isTraceEnabled() {
            return isOn(Level.TRACE);
        }

        @Override
        public boolean isDebugEnabled() {
            return isOn(Level.DEBUG);
        }

        @Override
        public boolean isInfoEnabled() {
            return isOn(Level.INFO);
        }

        @Override
        public boolean isWarnEnabled() {
            return isOn(Level.WARN);
        }

        @Override
        public boolean isErrorEnabled() {
            return isOn(Level.ERROR);
        }
    }
}
