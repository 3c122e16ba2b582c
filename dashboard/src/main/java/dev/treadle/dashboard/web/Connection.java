package dev.treadle.dashboard.web;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** One client's connection: what it is doing, and until when it may. Of the listener's thread, but for {@link Out}. */
final class Connection {
    /** What it is doing. */
    enum Doing {
        /** Waiting for a request, or for the rest of one. */
        READING,
        /** A worker makes the answer. */
        ANSWERING,
        /** The answer goes out. */
        WRITING,
        /** A worker writes a stream. */
        STREAMING,
        /** The last answer went out before all was read that the client sent: closed now, it would lose the answer. */
        DRAINING
    }

    final SocketChannel channel;
    final SelectionKey key;
    final String remote;
    final RequestReader reader = new RequestReader();
    private final Consumer<Runnable> listener;
    private final Semaphore writable = new Semaphore(0);
    private Doing doing = Doing.READING;
    private long since;
    private long deadline;
    private ByteBuffer out = ByteBuffer.allocate(0);
    private boolean closes;
    private boolean drains;

    /** @param listener runs something on the listener's thread */
    Connection(SocketChannel channel, SelectionKey key, String remote, Consumer<Runnable> listener) {
        this.channel = channel;
        this.key = key;
        this.remote = remote;
        this.listener = listener;
    }

    Doing doing() {
        return doing;
    }

    /** When it began what it is doing, as {@link System#nanoTime}. */
    long since() {
        return since;
    }

    /** Begins something that may take so long. */
    void begin(Doing next, long now, long millisMax, int interest) {
        doing = next;
        since = now;
        deadline = now + TimeUnit.MILLISECONDS.toNanos(millisMax);
        key.interestOps(interest);
    }

    /** Goes on with the same, which may take so long from now on. */
    void extend(long now, long millisMax) {
        deadline = now + TimeUnit.MILLISECONDS.toNanos(millisMax);
    }

    boolean isOver(long now) {
        return now - deadline > 0;
    }

    /**
     * What is to go out.
     *
     * @param closes whether it is the last
     * @param drains whether the client may still be sending then
     */
    void answer(ByteBuffer bytes, boolean closes, boolean drains) {
        this.out = bytes;
        this.closes = closes;
        this.drains = drains;
    }

    boolean closes() {
        return closes;
    }

    boolean drains() {
        return drains;
    }

    /** Writes what goes; gives whether all has gone out. */
    boolean flush() throws IOException {
        channel.write(out);
        return !out.hasRemaining();
    }

    /** The listener saw that more can be written. */
    void writable() {
        key.interestOps(SelectionKey.OP_READ);
        writable.release();
    }

    /** Ends it. A second time does nothing. */
    void close() {
        key.cancel();
        try {
            channel.close();
        } catch (IOException e) {
            // why nothing: it is over either way
        }
        writable.release();
    }

    /** A stream's way out, for the one worker that writes it: waits for a slow reader, but not for ever. */
    final class Out extends OutputStream {
        private final long millisMax;

        Out(long millisMax) {
            this.millisMax = millisMax;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int count) throws IOException {
            ByteBuffer rest = ByteBuffer.wrap(bytes, offset, count);
            long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millisMax);
            while (rest.hasRemaining()) {
                if (channel.write(rest) == 0) {
                    awaitRoom(until - System.nanoTime());
                }
            }
        }

        private void awaitRoom(long nanos) throws IOException {
            writable.drainPermits();
            listener.accept(() -> {
                if (key.isValid()) {
                    key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
                }
            });
            try {
                if (!writable.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
                    throw new IOException("The client did not read for " + millisMax + " ms.");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("The server is closing.");
            }
        }
    }
}
