package dev.treadle.storage.sql.session;

/** In which transactions the calls of a storage run. */
public interface Transactions {
    /**
     * Runs one statement, or several that {@link Session#together} puts into one transaction.
     *
     * @param repeatable whether it does no harm to run it again after it may have taken effect
     */
    <T> T statement(String what, boolean repeatable, Session.Work<T> work);

    /** Runs several statements that take effect together or not at all. */
    default <T> T transaction(String what, boolean repeatable, Session.Work<T> work) {
        return statement(what, repeatable, session -> session.together(work));
    }

    /** @param several whether the work takes more than one statement */
    default <T> T run(String what, boolean repeatable, boolean several, Session.Work<T> work) {
        return several ? transaction(what, repeatable, work) : statement(what, repeatable, work);
    }

    /** Runs an action once what the last call has written is committed; at once if it is. */
    void afterCommit(Runnable action);

    /** For what must be committed whatever becomes of a caller's transaction. */
    Transactions own();

    /** Whether each call commits by itself. */
    default boolean areOwn() {
        return own() == this;
    }
}
