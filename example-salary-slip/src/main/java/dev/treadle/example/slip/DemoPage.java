package dev.treadle.example.slip;

import dev.treadle.Treadle;
import dev.treadle.dashboard.Dashboard;
import dev.treadle.dashboard.guard.Role;
import org.jspecify.annotations.Nullable;

/** The dashboard of the demo, if one is wanted. */
final class DemoPage implements AutoCloseable {
    private final @Nullable Dashboard dashboard;

    private DemoPage(@Nullable Dashboard dashboard) {
        this.dashboard = dashboard;
    }

    /** @param port 0 for none; if it is taken, the next free one */
    static DemoPage open(Treadle treadle, int port) {
        return new DemoPage(
                port == 0
                        ? null
                        : Dashboard.of(treadle)
                                .port(port)
                                .orNextPort()
                                .title("Salary slips")
                                .environment("DEMO")
                                .withoutSignIn(Role.ADMIN)
                                .start());
    }

    boolean isThere() {
        return dashboard != null;
    }

    String greeting() {
        return dashboard == null ? "" : "Dashboard: " + dashboard.uri() + System.lineSeparator();
    }

    String farewell() {
        return dashboard == null
                ? ""
                : System.lineSeparator() + "The dashboard stays at " + dashboard.uri() + " until Ctrl-C.";
    }

    @Override
    public void close() {
        if (dashboard != null) {
            dashboard.close();
        }
    }
}
