package dev.treadle.dashboard.guard;

/** What a user may do; each role may do what those before it may. */
public enum Role {
    /** Look, with secrets left out. */
    VIEWER,
    /** Run again, cancel, delete, trigger, pause. */
    OPERATOR,
    /** Change what is scheduled. */
    ADMIN;

    /** Whether this role may do what another one may. */
    public boolean may(Role needed) {
        return compareTo(needed) >= 0;
    }
}
