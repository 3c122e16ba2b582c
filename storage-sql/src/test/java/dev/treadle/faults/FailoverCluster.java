package dev.treadle.faults;

import dev.treadle.postgres.PostgresPair;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A primary with a standby, and the ways in which the primary can end. */
interface FailoverCluster extends AutoCloseable {
    /** For applications: names all servers. */
    String url();

    /** For the checker: leads to the server that takes writes. */
    String primaryUrl();

    /** How the primary can end. */
    List<String> ways();

    /** Ends the primary; returns when another server takes writes. */
    void strike(String way) throws Exception;

    /** Returns when the primary may end again. */
    void restore() throws Exception;

    @Override
    void close();

    /** As docs/high-availability.md recommends it, without what the URL of a cluster says by itself. */
    String PARAMETERS = System.getProperty(
            "treadle.faults.failover.parameters", "&hostRecheckSeconds=2&connectTimeout=3&socketTimeout=60");

    /** The one that somebody gives: a URL, and the command that strikes. Its database has to be empty. */
    static FailoverCluster given(String url) {
        String command = System.getProperty("treadle.faults.failover.command");
        if (command == null) {
            throw new IllegalArgumentException("Say with -Dtreadle.faults.failover.command what ends the primary of "
                    + url + "; its $1 is switchover, kill or restore.");
        }
        return new FailoverCluster() {
            @Override
            public String url() {
                return url + PARAMETERS;
            }

            @Override
            public String primaryUrl() {
                return url();
            }

            @Override
            public List<String> ways() {
                return List.of("switchover", "kill");
            }

            @Override
            public void strike(String way) throws Exception {
                run(way);
            }

            @Override
            public void restore() throws Exception {
                run("restore");
            }

            private void run(String verb) throws Exception {
                Process process = new ProcessBuilder("sh", "-c", command, "failover", verb)
                        .redirectErrorStream(true)
                        .start();
                String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                if (process.waitFor() != 0) {
                    throw new IllegalStateException(verb + " failed: " + said);
                }
            }

            @Override
            public void close() {
                // it is somebody else's
            }
        };
    }

    /** A private pair. */
    static FailoverCluster of(PostgresPair pair) {
        return new FailoverCluster() {
            private static final String SWITCHOVER = "switchover";
            private static final String KILL = "SIGKILL";

            @Override
            public String url() {
                return pair.url("postgres") + PARAMETERS;
            }

            @Override
            public String primaryUrl() {
                return pair.primary().url("postgres") + "?user=postgres&socketTimeout=60";
            }

            @Override
            public List<String> ways() {
                return List.of(SWITCHOVER, KILL);
            }

            @Override
            public void strike(String way) {
                if (way.equals(SWITCHOVER)) {
                    pair.switchOver();
                } else {
                    pair.primary().kill();
                    pair.promote();
                }
            }

            @Override
            public void restore() {
                pair.rejoin();
            }

            @Override
            public void close() {
                pair.close();
            }
        };
    }
}
