package dev.treadle.engine;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A node's default name. */
final class NodeName {
    private static final Path LINUX_NAME = Path.of("/proc/sys/kernel/hostname");

    private NodeName() {}

    /** Host and process id, such as {@code worker-3/4711}. */
    static String ofThisProcess() {
        return host() + "/" + ProcessHandle.current().pid();
    }

    private static String host() {
        // why not first asked of the network's resolver: where that does not answer, a server would start seconds late
        try {
            String told = Files.readString(LINUX_NAME).strip();
            if (!told.isEmpty()) {
                return told;
            }
        } catch (IOException e) {
            // another system
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
