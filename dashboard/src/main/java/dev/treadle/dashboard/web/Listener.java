package dev.treadle.dashboard.web;

import dev.treadle.dashboard.web.Connection.Doing;
import dev.treadle.dashboard.web.RequestReader.Received;
import dev.treadle.dashboard.web.RequestReader.Refused;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread for all connections. Everything a client does has a time limit. Where there are too many connections, the
 * one that has waited longest for its client gives way to a new one: a client that sends a whole request at once is answered,
 * however many others send half of one.
 */
final class Listener implements AutoCloseable {
    /** How long a client may take to send the head of a request, from its first byte or the connection's begin on. */
    static final long HEAD_MILLIS_MAX = 5_000;
    /** How long a client may take to send a body, and to read an answer. */
    static final long BODY_MILLIS_MAX = 20_000;
    /** How long a connection is kept without a request. */
    static final long IDLE_MILLIS_MAX = 60_000;
    /** How long a live stream waits for its reader. */
    static final long STREAM_MILLIS_MAX = 10_000;
    /** Most connections. */
    static final int CONNECTIONS_MAX = 500;
    /** Most connections of one address, which may be a proxy's. */
    static final int PER_ADDRESS_MAX = 250;

    /** How long what comes behind a refused request is read and thrown away. */
    private static final long DRAIN_MILLIS_MAX = 2_000;
    /** How long an answer is on its way before its connection gives way to a new one. */
    private static final long WRITING_MILLIS_SPARED = 1_000;
    /** How often it is looked whose time is over. */
    private static final long LOOK_MILLIS = 500;
    /** A worker has all the time it wants. */
    private static final long FOR_EVER_MILLIS = TimeUnit.DAYS.toMillis(365);

    private static final int READ_BYTES = 16 * 1024;
    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final ServerSocketChannel door;
    private final Selector selector;
    private final SelectionKey doorKey;
    private final InetSocketAddress address;
    private final BiConsumer<Connection, Received> received;
    private final BiConsumer<Connection, Refused> refused;
    private final Queue<Runnable> wishes = new ConcurrentLinkedQueue<>();
    private final ByteBuffer read = ByteBuffer.allocate(READ_BYTES);
    private final Thread thread = new Thread(this::listen, "treadle-dashboard-listener");
    private volatile boolean closed;

    /**
     * Takes the address.
     *
     * @param received called with each whole request, on the listener's thread
     * @param refused  called with what is not read further, on the listener's thread
     */
    Listener(
            InetSocketAddress address,
            BiConsumer<Connection, Received> received,
            BiConsumer<Connection, Refused> refused)
            throws IOException {
        this.received = received;
        this.refused = refused;
        this.selector = Selector.open();
        this.door = ServerSocketChannel.open();
        boolean taken = false;
        try {
            door.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            door.bind(address);
            door.configureBlocking(false);
            doorKey = door.register(selector, SelectionKey.OP_ACCEPT);
            this.address = (InetSocketAddress) door.getLocalAddress();
            taken = true;
        } finally {
            if (!taken) {
                door.close();
                selector.close();
            }
        }
        thread.setDaemon(true);
    }

    InetSocketAddress address() {
        return address;
    }

    void start() {
        thread.start();
    }

    /** Sends an answer; from any thread. */
    void answer(Connection connection, ByteBuffer bytes, boolean closes, boolean drains) {
        wish(() -> {
            connection.answer(bytes, closes, drains);
            connection.begin(Doing.WRITING, System.nanoTime(), BODY_MILLIS_MAX, SelectionKey.OP_WRITE);
            write(connection);
        });
    }

    /** Lets a worker write without a time limit; {@link #end} follows. */
    Connection.Out stream(Connection connection) {
        wish(() -> connection.begin(Doing.STREAMING, System.nanoTime(), FOR_EVER_MILLIS, SelectionKey.OP_READ));
        return connection.new Out(STREAM_MILLIS_MAX);
    }

    /** Closes a connection; from any thread. */
    void end(Connection connection) {
        wish(connection::close);
    }

    private void wish(Runnable wish) {
        wishes.add(wish);
        if (Thread.currentThread() != thread) {
            selector.wakeup();
        }
    }

    private void listen() {
        long looked = System.nanoTime();
        while (!closed) {
            try {
                // without connections there is nothing to look after
                selector.select(this::ready, selector.keys().size() > 1 || !doorIsOpen() ? LOOK_MILLIS : 0);
                for (Runnable wish; (wish = wishes.poll()) != null; ) {
                    guarded(wish);
                }
                long now = System.nanoTime();
                if (now - looked > TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS)) {
                    looked = now;
                    connections().filter(one -> one.isOver(now)).toList().forEach(Connection::close);
                    doorKey.interestOps(SelectionKey.OP_ACCEPT);
                }
            } catch (ClosedSelectorException | CancelledKeyException e) {
                // why: closing does that
            } catch (IOException | RuntimeException | OutOfMemoryError e) {
                // why also want of memory: the application may get over it, and then this must still listen
                LOG.error("The dashboard's listener failed and goes on.", e);
            }
        }
        connections().toList().forEach(Connection::close);
    }

    private boolean doorIsOpen() {
        return doorKey.interestOps() != 0;
    }

    private static void guarded(Runnable wish) {
        try {
            wish.run();
        } catch (CancelledKeyException e) {
            // why nothing: the client has gone away
        }
    }

    private Stream<Connection> connections() {
        return selector.keys().stream()
                .filter(SelectionKey::isValid)
                .map(SelectionKey::attachment)
                .filter(Connection.class::isInstance)
                .map(Connection.class::cast);
    }

    private void ready(SelectionKey key) {
        if (!(key.attachment() instanceof Connection connection)) {
            accept();
            return;
        }
        try {
            switch (connection.doing()) {
                case READING -> read(connection);
                case WRITING -> write(connection);
                case STREAMING -> streaming(connection, key);
                case DRAINING -> {
                    if (fill(connection) < 0) {
                        connection.close();
                    }
                }
                case ANSWERING -> key.interestOps(0);
            }
        } catch (CancelledKeyException e) {
            connection.close();
        } catch (IOException e) {
            LOG.debug("A client went away.", e);
            connection.close();
        }
    }

    private void accept() {
        try {
            for (SocketChannel channel; (channel = door.accept()) != null; ) {
                accepted(channel);
            }
        } catch (IOException e) {
            // until the next look: where files have run out, asking again at once would find the same
            doorKey.interestOps(0);
            if (!closed) {
                LOG.warn("The dashboard cannot take a connection.", e);
            }
        }
    }

    private void accepted(SocketChannel channel) throws IOException {
        boolean kept = false;
        try {
            String remote = ((InetSocketAddress) channel.getRemoteAddress())
                    .getAddress()
                    .getHostAddress();
            if (hasRoomFor(remote)) {
                channel.configureBlocking(false);
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
                Connection connection = new Connection(channel, key, remote, this::wish);
                key.attach(connection);
                connection.begin(Doing.READING, System.nanoTime(), HEAD_MILLIS_MAX, SelectionKey.OP_READ);
                kept = true;
            }
        } finally {
            if (!kept) {
                channel.close();
            }
        }
    }

    /** Whether a further one may come; another one is closed for it if need be. */
    private boolean hasRoomFor(String remote) {
        List<Connection> all = new ArrayList<>(connections().toList());
        return makesRoom(all, PER_ADDRESS_MAX, one -> one.remote.equals(remote))
                && makesRoom(all, CONNECTIONS_MAX, one -> true);
    }

    private static boolean makesRoom(List<Connection> all, int max, Predicate<Connection> among) {
        if (all.stream().filter(among).count() < max) {
            return true;
        }
        long spared = System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(WRITING_MILLIS_SPARED);
        Optional<Connection> longest = all.stream()
                .filter(among)
                .filter(one -> switch (one.doing()) {
                    case READING, DRAINING -> true;
                    case WRITING -> one.since() - spared < 0;
                    case ANSWERING, STREAMING -> false;
                })
                .min(Comparator.comparingLong(one -> one.since() - spared));
        longest.ifPresent(one -> {
            one.close();
            all.remove(one);
        });
        return longest.isPresent();
    }

    /** Reads once into the buffer; -1 at the end. */
    private int fill(Connection connection) throws IOException {
        read.clear();
        int count = connection.channel.read(read);
        read.flip();
        return count;
    }

    private void read(Connection connection) throws IOException {
        boolean first = connection.reader.isEmpty();
        boolean inBody = connection.reader.waitsForBody();
        if (fill(connection) < 0) {
            connection.close();
            return;
        }
        connection.reader.add(read);
        long now = System.nanoTime();
        if (first) {
            connection.begin(Doing.READING, now, HEAD_MILLIS_MAX, SelectionKey.OP_READ);
        }
        next(connection);
        if (!inBody && connection.reader.waitsForBody()) {
            connection.extend(now, BODY_MILLIS_MAX);
            if (connection.reader.waitsToContinue()) {
                connection.channel.write(ByteBuffer.wrap(CONTINUE));
            }
        }
    }

    /** Has the next request answered, if all of it has come. */
    private void next(Connection connection) {
        try {
            Received request = connection.reader.next();
            if (request != null) {
                connection.begin(Doing.ANSWERING, System.nanoTime(), FOR_EVER_MILLIS, 0);
                received.accept(connection, request);
            }
        } catch (Refused e) {
            connection.begin(Doing.ANSWERING, System.nanoTime(), BODY_MILLIS_MAX, 0);
            refused.accept(connection, e);
        }
    }

    private void write(Connection connection) {
        try {
            if (connection.flush()) {
                written(connection);
            }
        } catch (IOException e) {
            LOG.debug("A client went away.", e);
            connection.close();
        }
    }

    private void written(Connection connection) throws IOException {
        long now = System.nanoTime();
        if (!connection.closes()) {
            connection.begin(Doing.READING, now, IDLE_MILLIS_MAX, SelectionKey.OP_READ);
            // the next request may have come together with this one
            next(connection);
        } else if (connection.drains()) {
            connection.channel.shutdownOutput();
            connection.begin(Doing.DRAINING, now, DRAIN_MILLIS_MAX, SelectionKey.OP_READ);
        } else {
            connection.close();
        }
    }

    /** A client that went away, or that reads again. What it sends into a stream is not read. */
    private void streaming(Connection connection, SelectionKey key) throws IOException {
        if (key.isWritable()) {
            connection.writable();
        }
        if (key.isReadable() && fill(connection) < 0) {
            connection.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            door.close();
        } catch (IOException e) {
            LOG.debug("The dashboard's port did not close.", e);
        }
        selector.wakeup();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(10));
            selector.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.debug("The dashboard's selector did not close.", e);
        }
    }
}
