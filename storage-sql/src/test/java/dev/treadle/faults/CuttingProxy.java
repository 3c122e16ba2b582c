package dev.treadle.faults;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between the JDBC driver and PostgreSQL, reads what the driver says, and cuts connections at the commit of
 * transactions that have sent a marked statement.
 */
final class CuttingProxy implements AutoCloseable {
    private static final int CONNECT_MILLIS = 10_000;
    private static final int SSL_REQUEST = 80877103;
    private static final int GSS_REQUEST = 80877104;
    /** How long a commit may take before its answer counts as given. */
    private static final long ANSWER_SECONDS = 20;

    private final ServerSocket listening;
    private final int port;
    private final String mark;
    private final Queue<Cut> cuts = new ConcurrentLinkedQueue<>();
    private final Map<Cut, AtomicInteger> done = new EnumMap<>(Cut.class);
    private final List<Socket> open = new ArrayList<>();
    /** Until when no connection is let through, by {@link System#nanoTime}. */
    private volatile long closedUntil = System.nanoTime();

    /** Where a connection is cut. */
    enum Cut {
        /** The server has not been told to commit. */
        BEFORE_COMMIT,
        /** The server has been told, and nothing waits for what it makes of that. */
        AT_COMMIT,
        /** The server has answered, and the client does not get the answer. */
        BEFORE_ANSWER
    }

    /**
     * @param port where PostgreSQL listens
     * @param mark what a statement contains whose transaction is to be cut
     */
    CuttingProxy(int port, String mark) throws IOException {
        this.port = port;
        this.mark = mark;
        for (Cut cut : Cut.values()) {
            done.put(cut, new AtomicInteger());
        }
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon("accepts", this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** The next marked transaction that commits is cut there. */
    void cutNext(Cut cut) {
        cuts.add(cut);
    }

    /** How many cuts are still to come. */
    int waiting() {
        return cuts.size();
    }

    int done(Cut cut) {
        return done.get(cut).get();
    }

    /** Cuts all connections, and lets none through for so long. */
    void closeFor(long millis) {
        closedUntil = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        synchronized (open) {
            open.forEach(CuttingProxy::cut);
            open.clear();
        }
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                if (System.nanoTime() - closedUntil < 0) {
                    cut(client);
                    continue;
                }
                Socket server = new Socket();
                server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                synchronized (open) {
                    open.add(client);
                    open.add(server);
                }
                new Link(client, server).begin();
            } catch (IOException e) {
                // closed, or one connection that could not be made: its client will see that
            }
        }
    }

    private static void daemon(String what, Runnable task) {
        Thread thread = new Thread(task, "proxy-" + what);
        thread.setDaemon(true);
        thread.start();
    }

    private static void cut(Socket socket) {
        try (socket) {
            // both sides learn of it at once
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // it was closed before
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        closeFor(0);
    }

    /** One connection through the proxy. */
    private final class Link {
        private final Socket client;
        private final Socket server;
        private final Map<String, String> statements = new HashMap<>();
        /** Whether a marked statement was sent in this transaction. */
        private boolean marked;
        /** Released when the server has said that it committed; null while nothing waits for that. */
        private volatile CountDownLatch answered;

        Link(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void begin() {
            daemon("asks", () -> run(this::forwardQuestions));
            daemon("answers", () -> run(this::forwardAnswers));
        }

        private void run(Forward forward) {
            try {
                forward.run();
            } catch (IOException | InterruptedException e) {
                // one side is gone: so is the other
            } finally {
                cut(client);
                cut(server);
            }
        }

        private void forwardQuestions() throws IOException, InterruptedException {
            DataInputStream in = new DataInputStream(new BufferedInputStream(client.getInputStream()));
            DataOutputStream out = new DataOutputStream(new BufferedOutputStream(server.getOutputStream()));
            forwardStart(in, out);
            while (true) {
                int type = in.read();
                if (type < 0) {
                    return;
                }
                int length = in.readInt();
                byte[] body = in.readNBytes(length - 4);
                if (isMarkedCommit((char) type, body) && cutHere(type, body, in, out)) {
                    return;
                }
                write(out, type, body);
                flushUnlessMoreComes(in, out);
            }
        }

        /** The first messages have no type. Those that ask for encryption are answered here: there is none. */
        private void forwardStart(DataInputStream in, DataOutputStream out) throws IOException {
            int length = in.readInt();
            int code = in.readInt();
            while (code == SSL_REQUEST || code == GSS_REQUEST) {
                client.getOutputStream().write('N');
                length = in.readInt();
                code = in.readInt();
            }
            out.writeInt(length);
            out.writeInt(code);
            out.write(in.readNBytes(length - 8));
            out.flush();
        }

        private static void write(DataOutputStream out, int type, byte[] body) throws IOException {
            out.write(type);
            out.writeInt(body.length + 4);
            out.write(body);
        }

        private static void flushUnlessMoreComes(InputStream in, OutputStream out) throws IOException {
            if (in.available() == 0) {
                out.flush();
            }
        }

        /** Whether this executes a commit of a marked transaction. */
        private boolean isMarkedCommit(char type, byte[] body) {
            String said = "";
            if (type == 'P') {
                String[] part = texts(body, 2);
                statements.put(part[0], part[1]);
            } else if (type == 'B') {
                said = statements.getOrDefault(texts(body, 2)[1], "");
            } else if (type == 'Q') {
                said = texts(body, 1)[0];
            }
            marked |= said.contains(mark);
            boolean ends = said.equalsIgnoreCase("commit") || said.equalsIgnoreCase("rollback");
            boolean markedCommit = marked && said.equalsIgnoreCase("commit");
            if (ends) {
                marked = false;
            }
            return markedCommit;
        }

        private static String[] texts(byte[] body, int count) {
            String[] texts = new String[count];
            ByteBuffer rest = ByteBuffer.wrap(body);
            for (int i = 0; i < count; i++) {
                int from = rest.position();
                while (rest.get() != 0) {
                    // to the end of this text
                }
                texts[i] = new String(body, from, rest.position() - from - 1, StandardCharsets.UTF_8);
            }
            return texts;
        }

        /** @return whether the connection was cut */
        private boolean cutHere(int type, byte[] body, DataInputStream in, DataOutputStream out)
                throws IOException, InterruptedException {
            Cut cut = cuts.poll();
            if (cut == null) {
                return false;
            }
            if (cut != Cut.BEFORE_COMMIT) {
                CountDownLatch committed = new CountDownLatch(1);
                answered = committed;
                write(out, type, body);
                // the rest of what belongs to the commit: bind is followed by execute and sync
                for (int next = type == 'B' ? in.read() : 'S'; type == 'B'; next = in.read()) {
                    write(out, next, in.readNBytes(in.readInt() - 4));
                    if (next == 'S') {
                        break;
                    }
                }
                out.flush();
                if (cut == Cut.BEFORE_ANSWER && !committed.await(ANSWER_SECONDS, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("no answer to a commit");
                }
            }
            done.get(cut).incrementAndGet();
            return true;
        }

        private void forwardAnswers() throws IOException {
            DataInputStream in = new DataInputStream(new BufferedInputStream(server.getInputStream()));
            DataOutputStream out = new DataOutputStream(new BufferedOutputStream(client.getOutputStream()));
            while (true) {
                int type = in.read();
                if (type < 0) {
                    return;
                }
                byte[] body = in.readNBytes(in.readInt() - 4);
                CountDownLatch committed = answered;
                if (committed == null) {
                    write(out, type, body);
                    flushUnlessMoreComes(in, out);
                } else if (type == 'C' && texts(body, 1)[0].equals("COMMIT")) {
                    committed.countDown();
                }
            }
        }
    }

    private interface Forward {
        void run() throws IOException, InterruptedException;
    }
}
