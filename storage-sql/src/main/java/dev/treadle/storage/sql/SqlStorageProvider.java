package dev.treadle.storage.sql;

import dev.treadle.job.EnqueueResult;
import dev.treadle.job.JobId;
import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.JobAction;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RetentionSettings;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.Transition;
import dev.treadle.lifecycle.UniqueTerms;
import dev.treadle.storage.DueNotifications;
import dev.treadle.storage.JobQueries;
import dev.treadle.storage.JobTransactions;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.NodeBeat;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.PendingWork;
import dev.treadle.storage.PendingWork.Head;
import dev.treadle.storage.RecurringStorage;
import dev.treadle.storage.RunStorage;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.TransactionalStorage;
import dev.treadle.storage.admin.AdminStorage;
import dev.treadle.storage.admin.JobSearch;
import dev.treadle.storage.admin.Minutes;
import dev.treadle.storage.admin.Operators;
import dev.treadle.storage.admin.QueueStorage;
import dev.treadle.storage.sql.admin.SqlAudit;
import dev.treadle.storage.sql.admin.SqlMinutes;
import dev.treadle.storage.sql.admin.SqlQueues;
import dev.treadle.storage.sql.admin.SqlSearch;
import dev.treadle.storage.sql.connections.SqlConnections;
import dev.treadle.storage.sql.jobs.CommitNotifier;
import dev.treadle.storage.sql.jobs.RescueWriter;
import dev.treadle.storage.sql.jobs.SqlNodes;
import dev.treadle.storage.sql.jobs.SqlRetention;
import dev.treadle.storage.sql.keys.SqlKeys;
import dev.treadle.storage.sql.portable.DialectStatements;
import dev.treadle.storage.sql.portable.Notifier;
import dev.treadle.storage.sql.rows.LaneIds;
import dev.treadle.storage.sql.rows.NextDue;
import dev.treadle.storage.sql.session.LentConnection;
import dev.treadle.storage.sql.session.OwnTransactions;
import dev.treadle.storage.sql.session.SchemaName;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.StatementTexts;
import dev.treadle.storage.sql.session.Transactions;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Jobs in a SQL database: PostgreSQL, MariaDB, or H2 embedded in this process. Thread-safe. */
public final class SqlStorageProvider implements AdminStorage {
    private static final Logger LOG = LoggerFactory.getLogger(SqlStorageProvider.class);

    private final SqlConnections connections;
    private final OwnTransactions transactions;
    /** On the connection that is set aside for endings. */
    private final Transactions endings;

    private final LaneIds lanes = new LaneIds();
    private final DialectStatements verbs;
    private final SqlKeys keys;
    private final TransactionalSql.Shared shared;
    /** In transactions of its own. */
    private final TransactionalSql own;

    private final CallerDatabase callers;
    private final JobTransactions work;
    private final QueueStorage queues;
    private final CommitNotifier news;
    private final SqlNodes nodes;
    private final StatementTexts statements;
    private final String description;
    private final List<String> warnings;
    private final Notifier notifier;
    private final DueNotifications notifications;

    private SqlStorageProvider(SqlConnections connections, SqlStorageSettings settings) {
        this.connections = connections;
        try (Connection connection = connections.first()) {
            OpenedDatabase opened = OpenedDatabase.look(connection, connections, settings);
            this.warnings = opened.warnings();
            this.verbs = opened.verbs(lanes, settings);
            this.keys = new SqlKeys(verbs, lanes);
            this.statements = new StatementTexts(opened.syntax(), settings.givenTime());
            this.transactions = new OwnTransactions(connections.forAll(), statements, opened.terms());
            this.endings = transactions.on(connections.forEndings());
            this.description = opened.description();
            this.notifier = opened.notifier(connections, statements, lanes, verbs);
            this.notifications = new SqlNotifications(connections, notifier);
            this.shared = new TransactionalSql.Shared(verbs, keys, lanes, notifier, settings.clock());
            this.own = new TransactionalSql(transactions, endings, shared);
            this.callers = new CallerDatabase(statements, transactions, connection);
            this.work = SqlJobTransactions.of(connections, transactions, opened);
            this.nodes = new SqlNodes(transactions, transactions.on(connections.forBeats()), verbs, lanes);
            this.news = own.news();
            this.queues = new SqlQueues(transactions, lanes, news::changed);
        } catch (SQLException e) {
            throw new StorageException("Cannot open the storage: " + e.getMessage(), e, true);
        }
        warnings.forEach(LOG::warn);
    }

    /**
     * Uses your pool. It is not closed with the storage. While a server runs it keeps three of the pool's connections, so
     * give it five or more.
     *
     * @throws StorageException         if the database does not answer
     * @throws IllegalArgumentException if jobs cannot be kept there: the database is of a kind that Treadle does not know, or
     *                                  a read-only replica, or jobs would be lost in the pooler before it
     */
    public static SqlStorageProvider using(DataSource dataSource) {
        return using(dataSource, SqlStorageSettings.DEFAULT);
    }

    /** As {@link #using(DataSource)}, with settings. */
    public static SqlStorageProvider using(DataSource dataSource, SqlStorageSettings settings) {
        return new SqlStorageProvider(SqlConnections.of(dataSource), settings);
    }

    /**
     * Opens a pool of its own, which is closed with the storage.
     *
     * @throws StorageException         if the database does not answer
     * @throws IllegalArgumentException if the JDBC driver is missing, or jobs cannot be kept there, as with
     *                                  {@link #using(DataSource)}
     */
    public static SqlStorageProvider open(String jdbcUrl, @Nullable String user, @Nullable String password) {
        return open(jdbcUrl, user, password, SqlStorageSettings.DEFAULT);
    }

    /** As {@link #open(String, String, String)}, with settings. */
    public static SqlStorageProvider open(
            String jdbcUrl, @Nullable String user, @Nullable String password, SqlStorageSettings settings) {
        SqlConnections connections = OpenedDatabase.connect(jdbcUrl, user, password, settings);
        try {
            return new SqlStorageProvider(connections, settings);
        } catch (RuntimeException | Error e) {
            connections.close();
            throw e;
        }
    }

    /** An H2 database in a file, for this process alone; what was acknowledged is on disk. */
    public static SqlStorageProvider h2File(Path file) {
        return open("jdbc:h2:file:" + file.toAbsolutePath() + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE", "sa", "");
    }

    /** An H2 database in the memory of this process, shared by all who open the same name, gone with its last user. */
    public static SqlStorageProvider h2Memory(String name) {
        return open("jdbc:h2:mem:" + name, "sa", "");
    }

    /** The statements that make Treadle's tables, for those who apply them themselves. */
    public static String schemaScript(Dialect dialect) {
        return OpenedDatabase.migrations(dialect, SchemaName.OF_CONNECTION).script();
    }

    /**
     * The same for tables in a schema of their own; makes the schema, too.
     *
     * @param schemaName as in {@link SqlStorageSettings#withSchemaName}
     */
    public static String schemaScript(Dialect dialect, String schemaName) {
        return OpenedDatabase.migrations(dialect, new SchemaName(schemaName)).script();
    }

    /** What is dangerous about the database's settings, one sentence each with its remedy; logged at the start. */
    public List<String> warnings() {
        return warnings;
    }

    @Override
    public TransactionalStorage in(Connection connection, @Nullable Consumer<Runnable> afterCommit) {
        LentConnection lent = callers.lent(connection, afterCommit, news);
        return new TransactionalSql(lent, lent, shared);
    }

    @Override
    public Optional<JobTransactions> jobTransactions() {
        return Optional.of(work);
    }

    @Override
    public Set<JobId> insert(List<NewJob> jobs, @Nullable OperatorAct act) {
        return own.insert(jobs, act);
    }

    @Override
    public EnqueueResult insertUnique(NewJob job, UniqueTerms.Asked asked) {
        return own.insertUnique(job, asked);
    }

    @Override
    public List<Lease> insertLeased(NodeId node, List<NewJob> jobs) {
        return own.inserts().insertLeased(node, jobs);
    }

    @Override
    public Promotion promote(int max) {
        int moved = run("promote jobs", session -> verbs.promote(session, max));
        NextDue next = nextDue();
        if (next.isAnyKeyDue()) {
            moved += keys.promote(transactions, next, max);
            verbs.lookAgain();
            next = nextDue();
        }
        news.moved(moved);
        return new Promotion(moved, next.untilNext());
    }

    private NextDue nextDue() {
        return transactions.statement("look for the next scheduled job", true, verbs::nextDue);
    }

    @Override
    public List<Lease> claim(NodeId node, Lane lane, int max) {
        return run("claim jobs", session -> {
            Integer id = lanes.find(session, lane);
            return id == null ? List.of() : verbs.claim(session, node, id, max);
        });
    }

    @Override
    public List<Lease> leasesOf(NodeId node, Set<RunId> known) {
        return nodes.leasesOf(node, known);
    }

    @Override
    public List<WriteResult> record(List<Transition> ended) {
        return own.record(ended);
    }

    @Override
    public void heartbeat(NodeInfo node) {
        notifier.nodeIsHere(node.id());
        nodes.heartbeat(node);
        connections.rest();
    }

    @Override
    public List<NodeBeat> beats() {
        return nodes.beats();
    }

    @Override
    public boolean gone(NodeId node, @Nullable NodeBeat last) {
        boolean gone = nodes.gone(node, last);
        if (last == null) {
            notifier.nodeHasLeft(node);
        }
        return gone;
    }

    @Override
    public List<Lease> orphans(NodeId asker, int max) {
        return nodes.orphans(asker, max);
    }

    @Override
    public List<WriteResult> rescue(List<Transition> endings) {
        lanes.know(transactions, endings);
        return own.told(endings, new RescueWriter(transactions, verbs, keys).write(endings));
    }

    @Override
    public Set<String> parkedTargets(NodeId node, Set<Lane> of) {
        return nodes.parkedTargets(node, of);
    }

    @Override
    public int unpark(NodeId node, String target, Set<Lane> of, int max) {
        int moved = run("unpark jobs", session -> verbs.unpark(session, node, target, lanes.array(session, of), max));
        moved += transactions.transaction(
                "unpark jobs with a key", false, session -> keys.unpark(session, node, target, of, max));
        news.moved(moved);
        return moved;
    }

    @Override
    public List<WriteResult> act(JobAction action, OperatorNote note, List<JobId> ids, @Nullable OperatorAct act) {
        return own.act(action, note, ids, act);
    }

    @Override
    public void tidy() {
        transactions.statement("fold the tally", false, session -> {
            verbs.foldTally(session);
            return null;
        });
        nodes.forgetNowAndThen();
    }

    @Override
    public JobQueries queries() {
        return own.queries();
    }

    @Override
    public RunStorage runs() {
        return own.runs();
    }

    @Override
    public @Nullable String forgetUnneeded(String after) {
        return own.forgetUnneeded(after);
    }

    @Override
    public RetentionStep deleteEnded(NodeId node, RetentionSettings settings, int max) {
        return new SqlRetention(transactions).step(node, settings, max);
    }

    @Override
    public QueueStorage queues() {
        return queues;
    }

    @Override
    public Minutes minutes() {
        return new SqlMinutes(transactions);
    }

    @Override
    public JobSearch search() {
        return new SqlSearch(transactions);
    }

    @Override
    public Operators operators() {
        return new SqlAudit(transactions);
    }

    @Override
    public RecurringStorage recurring() {
        return own.recurring();
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public PendingWork outlook(NodeId node) {
        return transactions.statement("look for something to do", true, session -> verbs.outlook(session, node));
    }

    @Override
    public List<Head> heads() {
        return transactions.statement("look for waiting jobs", true, verbs::heads);
    }

    @Override
    public DueNotifications notifications() {
        return notifications;
    }

    @Override
    public void close() {
        notifier.close();
        connections.close();
    }

    /** In a transaction if the dialect needs several statements for a verb. */
    private <T> T run(String what, Session.Work<T> work) {
        return transactions.run(what, false, !verbs.areSingleStatements(), work);
    }
}
