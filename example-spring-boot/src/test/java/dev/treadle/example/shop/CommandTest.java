package dev.treadle.example.shop;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./treadle spring}, with devtools on the class path as in a checkout. */
@Timeout(300)
class CommandTest {
    @TempDir
    private Path folder;

    @Test
    void it_starts_the_shop_with_its_dashboard() throws Exception {
        List<String> arguments = List.of(
                // the configuration of the tests' own log hides the line that says it has started
                "-Dlogging.level.org.springframework.boot.tomcat=INFO",
                "-cp",
                System.getProperty("java.class.path"),
                Command.class.getName(),
                "--port",
                String.valueOf(freePort()),
                "--data",
                folder.toString());
        try (RunningShop shop = RunningShop.run(RunningShop.newestJdk(), arguments, folder)) {
            shop.awaitStart(1);

            shop.order();
            shop.awaitAllFinished();
            assertTrue(
                    shop.get("/treadle/").contains("<meta name=\"treadle-base\" content=\"/treadle\">"),
                    shop.get("/treadle/"));
        }
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
