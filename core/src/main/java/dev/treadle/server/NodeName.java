package dev.treadle.server;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** What a node is called when nobody named it. */
final class NodeName {
    private NodeName() {}

    /** Host and process id, such as {@code worker-3/4711}. */
    static String ofThisProcess() {
        return host() + "/" + ProcessHandle.current().pid();
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
