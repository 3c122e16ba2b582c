package dev.treadle.storage.sql.admin;

import dev.treadle.job.JobId;
import dev.treadle.job.JobStory;
import dev.treadle.job.StateName;
import dev.treadle.storage.JobQueries;
import dev.treadle.storage.sql.rows.StoryRows;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.session.Transactions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What people ask, each question one statement, so that its answer is of one moment. */
public final class SqlQueries implements JobQueries {
    private final Transactions transactions;

    public SqlQueries(Transactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Optional<JobStory> find(JobId id) {
        return transactions.statement("look up job " + id, true, session -> {
            try (NamedStatement select = session.statement(SqlStatement.STORY)) {
                select.setObject("id", id.value());
                try (ResultSet rows = select.executeQuery()) {
                    return StoryRows.read(rows);
                }
            }
        });
    }

    @Override
    public Map<JobId, StateName> states(Collection<JobId> ids) {
        if (ids.size() > STATES_MAX) {
            throw new IllegalArgumentException(
                    "states() takes at most " + STATES_MAX + " ids at once, not " + ids.size() + ".");
        }
        return transactions.statement("look up the states of " + ids.size() + " jobs", true, session -> {
            return states(session, List.copyOf(ids));
        });
    }

    @Override
    public List<JobId> labelled(String label, @Nullable JobId before, int max) {
        return transactions.statement("look for jobs with a label", true, session -> {
            try (NamedStatement select = session.statement(SqlStatement.LABELLED)) {
                select.setString("label", label);
                select.setBoolean("newest", before == null);
                select.setObject("before", before == null ? new UUID(0, 0) : before.value());
                select.setInt("max", max);
                List<JobId> ids = new ArrayList<>();
                try (ResultSet rows = select.executeQuery()) {
                    while (rows.next()) {
                        ids.add(JobId.of(Rows.uuid(rows, 1)));
                    }
                }
                return ids;
            }
        });
    }

    static StateName state(Session session, JobId id) throws SQLException {
        StateName state = states(session, List.of(id)).get(id);
        if (state == null) {
            throw new SQLException("Job " + id + " has lost its body: its row was deleted by hand.");
        }
        return state;
    }

    static Map<JobId, StateName> states(Session session, List<JobId> ids) throws SQLException {
        Map<JobId, StateName> states = new HashMap<>();
        try (NamedStatement select = session.statement(SqlStatement.STATES)) {
            select.setArray(
                    "ids",
                    session.connection()
                            .createArrayOf(
                                    "UUID", ids.stream().map(JobId::value).toArray()));
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    states.put(JobId.of(Rows.uuid(rows, 1)), StateName.of(rows.getInt(2)));
                }
            }
        }
        return states;
    }
}
