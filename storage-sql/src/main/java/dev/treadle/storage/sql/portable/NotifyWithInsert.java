package dev.treadle.storage.sql.portable;

import org.jspecify.annotations.Nullable;

/**
 * A notification that the statement which inserts a job sends, so that other processes hear of it with the commit. Used by
 * one thread.
 */
public final class NotifyWithInsert {
    private final Object[] ownNodes;
    private final int lane;
    private final boolean isTakenHere;
    private @Nullable Boolean heard;

    /**
     * @param ownNodes    the numbers of the nodes of this process, which need no notification
     * @param isTakenHere whether one of those takes the job, so that others only have to look whether it did
     */
    public NotifyWithInsert(Object[] ownNodes, int lane, boolean isTakenHere) {
        this.ownNodes = ownNodes.clone();
        this.lane = lane;
        this.isTakenHere = isTakenHere;
    }

    public int lane() {
        return lane;
    }

    public Object[] ownNodes() {
        return ownNodes.clone();
    }

    public boolean isTakenHere() {
        return isTakenHere;
    }

    /** @param any whether there was a node of another process */
    public void answered(boolean any) {
        heard = any;
    }

    /** Whether there was a node of another process; null if no job was kept, so that there was nothing to tell. */
    @Nullable
    public Boolean heard() {
        return heard;
    }
}
