package dev.treadle.dashboard.api;

import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.JobAction;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.admin.AdminStorage;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One bulk action, run in the background. Each batch and its audit row are one transaction. Others may ask how far it is, and
 * stop it.
 */
final class Operation implements Runnable {
    /** Nothing limits how many jobs are acted on. */
    static final int HOWEVER_MANY = Integer.MAX_VALUE;

    private static final Logger LOG = LoggerFactory.getLogger(Operation.class);

    private final AdminStorage storage;
    private final InstantSource time;

    private final String id = UUID.randomUUID().toString();
    private final JobAction action;
    private final Finder finder;
    private final OperatorAct act;
    private final @Nullable Integer expected;
    private final int atMost;
    private final Instant begunAt;
    private volatile @Nullable Instant endedAt;
    private volatile int done;
    private volatile int skipped;
    private volatile String standing = "waiting";
    private volatile @Nullable String problem;
    private volatile boolean cancelled;

    Operation(AdminStorage storage, InstantSource time, Finder finder, Order order, Instant begunAt) {
        this.storage = storage;
        this.time = time;
        this.action = order.action;
        this.finder = finder;
        this.act = order.act;
        this.expected = order.atMost == HOWEVER_MANY ? null : order.expected;
        this.atMost = order.atMost;
        this.begunAt = begunAt;
    }

    /** What is done to all that is found, and to how many. */
    static final class Order {
        private final JobAction action;
        private final OperatorAct act;
        private final @Nullable Integer expected;
        private final int atMost;

        /**
         * @param act      as an audit row tells it
         * @param expected how many jobs were confirmed; null if all that are found, however many
         * @param atMost   how many jobs it may be done to
         */
        Order(JobAction action, OperatorAct act, @Nullable Integer expected, int atMost) {
            this.action = action;
            this.act = act;
            this.expected = expected;
            this.atMost = atMost;
        }
    }

    String id() {
        return id;
    }

    OperatorAct act() {
        return act;
    }

    /** Ends it after the batch that is under way; false if it has ended or was told before. */
    boolean stop() {
        boolean stops = endedAt == null && !cancelled;
        cancelled = cancelled || stops;
        return stops;
    }

    @Override
    public void run() {
        standing = "running";
        String how = "failed";
        String why = "The dashboard failed. The log of the server says more.";
        try {
            how = work();
            why = how.equals("limit")
                    ? "More jobs match than the " + expected + " that were confirmed. The others were left as they are."
                    : null;
        } catch (StorageException e) {
            LOG.warn("The bulk action {} {} ended half-way.", action, id, e);
            why = "The database did not answer. What was done before stays done.";
        } finally {
            finish(how, why);
        }
    }

    private String work() {
        while (true) {
            if (cancelled) {
                return "cancelled";
            }
            List<Job> found = finder.next();
            if (found == null) {
                return "done";
            }
            // why only those made before: an action must not chase its own effects, nor jobs that come later
            List<JobId> ids = found.stream()
                    .filter(job -> !job.state().since().isAfter(begunAt))
                    .map(Job::id)
                    .toList();
            int room = atMost - done;
            act(ids.subList(0, Math.min(room, ids.size())));
            if (ids.size() > room) {
                return "limit";
            }
        }
    }

    private void act(List<JobId> ids) {
        if (!ids.isEmpty()) {
            List<WriteResult> results = storage.act(action, act.move(), ids, act);
            int written = (int) results.stream()
                    .filter(WriteResult.Written.class::isInstance)
                    .count();
            done += written;
            skipped += ids.size() - written;
        }
    }

    void finish(String how, @Nullable String why) {
        problem = why;
        standing = how;
        endedAt = time.instant();
    }

    Bulk.Progress progress() {
        return new Bulk.Progress(
                id,
                action.name(),
                act.target(),
                act.move().by(),
                begunAt,
                endedAt,
                expected,
                done,
                skipped,
                standing,
                problem);
    }
}
